/* What a test asks of the sandbox at SANDBOX_URL beside the library: as the merchant, or as the test that steers it. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <jansson.h>

/* The merchant's key in every exchange. */
#define SANDBOX_KEY "key-of-the-tests"

const char *sandbox(void);

/* One exchange; `headers` end with NULL, or are NULL. The status. */
long exchange(const char *method, const char *path, const char *body, const char *const *headers);
/* The body of the last exchange, as text and as JSON. */
const char *received(void);
json_t *received_json(void);

/* An exchange that must be answered 2xx; its JSON, or NULL. */
json_t *must_exchange(const char *method, const char *path, const char *body);

/* The fault script is this alone, or nothing (NULL). */
void fault(const char *body);

#endif
