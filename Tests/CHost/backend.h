/*
 * A back end inside the test: makes client sessions, and answers the `http` hook of a runtime whose transport is the
 * host's. No socket, no sleep.
 */
#ifndef BACKEND_H
#define BACKEND_H

#include <headless_checkout.h>
#include <jansson.h>
#include <stdbool.h>

/* A client session. NULL members take the defaults: 120.00 EUR, half an hour, a card, gift cards, a redirection. */
typedef struct session {
  const char *id;
  const char *amount; /* the literal text; "" leaves it out */
  const char *currency;
  const char *expires;
  const char *redirection;
  const char *environment;
  const char *protocols; /* JSON text; "" leaves it out */
  const char *more;      /* members after the others: `"x":1` */
  const char *blob_more; /* members of the blob itself */
} session;

extern const char *const default_protocols;

/* The decoded text, and widget.data. Never freed. */
char *session_text(const session *session);
char *widget_data(const session *session);
char *base64(const char *bytes, size_t length);

/* How the next payment request is met. */
typedef enum way {
  ANSWERED,      /* with status and body */
  HELD,          /* not yet: the ticket is in held_validate */
  FAILED_SILENT, /* {"error":{...}} that does not say whether it left */
  FAILED_LEFT,
  FAILED_NOT_LEFT,
} way;

typedef struct backend {
  hco_runtime *runtime;
  way way;
  int status;                /* of the next validate; 0: 200 */
  const char *body;          /* of the next validate; NULL: an answer with global_status */
  const char *global_status; /* NULL: SUCCESS */
  const char *redirect_url;  /* the answer asks for this page */
  const char *balance;       /* of gift cards; NULL: 50.00 */
  const char *init_code;     /* NULL: SUCCEEDED; else the card is refused with it */
  bool holds_inits;
  bool holds_time;
  bool may_be_late; /* another thread may have ended what asked */
  bool is_gone;     /* the runtime was destroyed: nothing is answered */
  long long ahead;  /* seconds by which the server's clock is ahead */
  int inits, validates, times;
  uint64_t held_validate, held_init, held_time;
  json_t *last_validate; /* the `http` question */
} backend;

/* Answers an `http` question as the back end is told to. */
void backend_asked(backend *backend, uint64_t ticket, const char *json);
/* Answers the payment request that is held. */
hco_status backend_answer_validate(backend *backend, char **reply);
/* How the init that is held is answered now. */
hco_status backend_answer_init(backend *backend, char **reply);

#endif
