/*
 * Your backend's part, and the page's: what a real program does elsewhere, played here over HTTP against the sandbox so
 * that the examples run without an account. Nothing in this file is needed to use the library.
 */
#ifndef MERCHANT_H
#define MERCHANT_H

#include <jansson.h>
#include <stdbool.h>

/* Where the shopper comes back to. Your backend names it when it creates the session. */
#define MERCHANT_RETURN_URL "demo-shop://return"

/* Creates a client session for `amount` minor units of EUR. Yours: {"id":"...","widget":{"data":"..."}, ...}. */
json_t *merchant_create_session(const char *sandbox, json_int_t amount);

/* The same for a shopper whom your backend knows: what the shopper has saved is on the lists, and may be changed. */
json_t *merchant_create_session_of(const char *sandbox, json_int_t amount, const char *shopper);

/* What your backend hands to the program that shows the checkout. Borrowed from the session. */
const char *merchant_widget_data(const json_t *session);

/*
 * The same with Primer: a client session of a shopper, or of nobody (NULL), for two things that come to 45.00 EUR.
 * Yours: {"id":"...","clientToken":"...", ...}; the token goes to the program that shows the checkout.
 */
json_t *merchant_create_client_session(const char *sandbox, const char *shopper);
const char *merchant_client_token(const json_t *session);

/* How many payments were made for a session, of either back end. */
int merchant_count_payments(const char *sandbox, const json_t *session);

/*
 * Reads the sandbox's journal: how many payment requests it received for the session, and the sum of the last one's
 * slices in minor units (0 when there was none).
 */
int merchant_count_validates(const char *sandbox, const json_t *session, json_int_t *sum);

/* Asks how the session's payment stands, as your backend does, or knows from a webhook: still pending, or decided. */
bool merchant_payment_is_pending(const char *sandbox, const json_t *session);
/* What the sandbox's monitoring sink received: an array of batches, each an array of messages. Yours. */
json_t *merchant_received_monitoring(const char *sandbox);
/* Whether the same batches are in both; two that were under way at once may have arrived in either order. */
bool merchant_same_batches(const json_t *told, const json_t *received);

/*
 * The page that your program shows: loads `url` and says where it goes next, by a redirect or by the link that the
 * shopper clicks first. Yours, to be freed; NULL when the page leads nowhere.
 */
char *page_next_url(const char *url);

#endif
