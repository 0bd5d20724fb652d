/* The page that a payment asks for, shown as a web view of yours would show it. */
#ifndef PAGE_H
#define PAGE_H

#include <headless_checkout.h>
#include <jansson.h>

/*
 * Shows the page of a `redirect` event until it leads back: every navigation is asked for, and the one that comes back is
 * reported. The sandbox's page is approved.
 */
void show_page(hco_checkout *checkout, const json_t *event);

#endif
