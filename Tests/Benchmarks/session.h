/*
 * The sessions that are measured, each time with an id of its own: session.json, ten kilobytes of a shop that offers
 * much, and session_small.json, which has what a session of the sandbox has.
 */
#ifndef SESSION_H
#define SESSION_H

#include <headless_checkout.h>

/* Reads the file. */
void session_load(const char *path);
/* The request of hco_create for a session that was not used yet, with these roots; freed by the caller. */
char *session_request(const char *payment_root, const char *time_root);

/* The status must be HCO_OK, or the program ends. Frees the reply. */
void must(const char *what, hco_status status, char *reply);

#endif
