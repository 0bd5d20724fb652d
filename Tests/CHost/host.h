/* A host for tests: a runtime with the test's own back end and clock, a checkout, and all that was told and asked. */
#ifndef HOST_H
#define HOST_H

#include <pthread.h>

#include "backend.h"
#include "harness.h"

enum { HOOK_KINDS = 6 };

typedef struct host host;
/* Called in every callback of the host's checkout and runtime, before the host does what it does. */
typedef void host_spy(host *host, int32_t kind, uint64_t ticket, const char *json);

struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  backend backend;
  json_t *events;                  /* all that was told, in order */
  json_t *questions;               /* all that was asked, each with its "ticket" */
  const char *answers[HOOK_KINDS]; /* by kind - 101; NULL leaves the ticket open */
  const char *step_answers[2];     /* collect, postValidate */
  host_spy *spy;
  int runtime_released, checkout_released;
  bool is_polling;
  bool may_release_outside; /* a failed create and destroy may */
  bool is_polled_elsewhere; /* by threads of the test's own */
  pthread_t poller;
};

/* Events and hooks are gathered, and nothing else is set up. */
void host_init(host *host);
hco_callbacks host_callbacks(host *host);
hco_callbacks host_runtime_callbacks(host *host);

/* A runtime with the test's transport and clock; `more` are further members of its options, or NULL. */
void host_start(host *host, const char *more);
/* The request of hco_create; NULL members take the defaults: all hooks, the card's collect step. */
typedef struct creation {
  const char *hooks, *capabilities, *more;
} creation;
char *create_text(const char *widget_data, const creation *creation);
char *restore_text(const creation *creation);
/* A checkout of the session; REQUIREs that it was created. Its reply. */
json_t *host_create(host *host, const session *session, const creation *creation);
/* All of it with the defaults. */
void host_open(host *host);
/* Releases and destroys what is there, and checks that `release` ran once for each. */
void host_close(host *host);

/* Polls until the descriptor says that there is nothing to do. */
void host_pump(host *host);
void host_advance(host *host, long long milliseconds);

/* The card is the primary and its form is valid: what is left to do is hco_submit. */
void host_choose_card(host *host);
/* Submits, and gives the attempt. */
long long host_submit(host *host);
/* host_choose_card, host_submit and host_pump. */
long long host_pay(host *host);
/* Reads a gift card and gives its token's id. */
char *host_read_card(host *host, const char *item, const char *number);

/* The state's text, freed by the caller with hco_free. */
char *host_state(host *host);
const char *host_session_state(host *host);
bool host_is_unknown(host *host);

/* The last event or question of that type (of `where`: events or questions), and how many there were. */
json_t *last_of(const json_t *where, const char *type);
int count_of(const json_t *where, const char *type);
#define OUTCOME(host) last_of((host)->events, "outcome")

#endif
