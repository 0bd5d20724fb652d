/* The library speaks JSON texts, the examples Jansson: the few lines between. Any JSON library will do for you. */
#ifndef CALLS_H
#define CALLS_H

#include <headless_checkout.h>
#include <jansson.h>

/* Most functions of a checkout look like this. */
typedef hco_status hco_function(hco_checkout *checkout, const char *request, char **reply);

/* Calls `function` and gives its reply, the result or the error, which is yours. `request` is consumed. */
hco_status call(hco_function *function, hco_checkout *checkout, json_t *request, json_t **reply);

/* The same where a refusal would be a mistake of the example: it is printed and ends the program. */
json_t *must(hco_function *function, hco_checkout *checkout, json_t *request);

/* Turns a reply into JSON and frees it. When `status` is not HCO_OK it is printed and ends the program. */
json_t *reply_of(const char *what, hco_status status, char *reply);

/* Answers a ticket. `answer` is consumed. */
void answer_ticket(hco_checkout *checkout, uint64_t ticket, json_t *answer);

/* The request of hco_create: a session's widget.data, the sandbox in place of the real back end, and your own keys. */
json_t *create_request(const char *sandbox, const char *widget_data, json_t *more);

/* A member of an object, for reading what the library says: "" and 0 when it is not there. */
const char *text(const json_t *object, const char *key);
json_int_t number(const json_t *object, const char *key);

/* 1999 -> "19.99". Good until the next call but three. */
const char *euros(json_int_t amount);

#endif
