/*
 * A till that is killed. It pays one session by the public header alone, and is started again and again until it says
 * how the payment ended.
 *
 *   host http://127.0.0.1:PORT PLAN.json [KILL_AT]
 *
 * PLAN.json: {"session","widgetData","store":path or null,"giftCard":item or null,"formToken","idempotencyHeader",
 * "savesOften":bool}. At the KILL_AT-th point it kills itself with SIGKILL; a point is each callback when it begins
 * and when it is done with, each step of a write to the store, and each call that returned.
 *
 * With no store it forgets everything: then each start pays as though it were the first.
 *
 * Standard output: `point N NAME` at each, `at started|created|submit|sent|asked N` when it gets there, `resolve
 * VERDICT`, and a last line `end paid|declined|pending|unsure|unpaid|spent points=N`. Exit code 0 with that line;
 * anything else is a fault.
 */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend.h"
#include "calls.h"
#include "store.h"

#define CARD "purse-creditcard"
#define GIFT_CARD_NUMBER "6000000100003000"
#define MOST_ATTEMPTS 8
#define MOST_READS 3
#define PATIENCE_SECONDS 20

typedef struct host {
  const char *sandbox;
  json_t *plan;
  const char *store; /* NULL: forgets */
  long kill_at, points;
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *result;
  json_t *page;
  json_t *outcome;
} host;

static void point(void *user, const char *what) {
  host *host = user;
  host->points += 1;
  printf("point %ld %s\n", host->points, what);
  if (host->points == host->kill_at) raise(SIGKILL);
}

static void fail(const char *what, const char *why) {
  fprintf(stderr, "host: %s: %s\n", what, why);
  exit(1);
}

/* --------------------------------------------------------------------------------------------------- the callbacks */

/* A till that saves whenever something changed, beside what the checkpoints bring. */
static void save(host *host) {
  char *snapshot = NULL;
  if (host->store == NULL || !json_is_true(json_object_get(host->plan, "savesOften"))) return;
  if (hco_save_state(host->checkout, &snapshot) != HCO_OK) fail("hco_save_state", "refused");
  if (!store_write(host->store, snapshot, point, host)) fail("store", "cannot be written");
  hco_free(snapshot);
}

static void keep(json_t **kept, json_t *event) {
  json_decref(*kept);
  *kept = json_incref(event);
}

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  host *host = user;
  json_t *event = json_loads(json, 0, NULL);
  (void)checkout;
  point(host, text(event, "type"));
  if (kind == HCO_EVENT_RESULT) keep(&host->result, event);
  if (kind == HCO_EVENT_OUTCOME) keep(&host->outcome, event);
  if (kind == HCO_EVENT_REDIRECT && strcmp(text(event, "state"), "open") == 0) keep(&host->page, event);
  if (host->checkout != NULL) save(host);
  point(host, "told");
  json_decref(event);
}

static void keep_checkpoint(host *host, uint64_t ticket, const json_t *question) {
  bool is_stored = store_write(host->store, text(question, "snapshot"), point, host);
  if (ticket == 0) return;
  json_t *answer = is_stored ? json_pack("{s:{}}", "ok") : json_pack("{s:{s:s}}", "error", "message", "disk full");
  answer_ticket(host->checkout, ticket, answer);
  printf("at sent %ld\n", host->points);
}

static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  host *host = user;
  json_t *question = json_loads(json, 0, NULL);
  (void)checkout;
  point(host, kind == HCO_HOOK_CHECKPOINT ? text(question, "reason") : text(question, "type"));
  if (kind == HCO_HOOK_CHECKPOINT) {
    keep_checkpoint(host, ticket, question);
  } else if (kind == HCO_HOOK_STEP) {
    const char *token = text(host->plan, "formToken");
    json_t *form = json_pack("{s:s, s:s}", "vault_form_token", token, "selected_network", "VISA");
    answer_ticket(host->checkout, ticket, json_pack("{s:o}", "ok", form));
  } else if (kind == HCO_HOOK_REDIRECTION) {
    answer_ticket(host->checkout, ticket, json_pack("{s:{s:b}}", "ok", "takeOver", 0));
  } else if (ticket != 0) {
    answer_ticket(host->checkout, ticket, json_pack("{s:{}}", "ok"));
    if (kind == HCO_HOOK_BEFORE_VALIDATE && host->store == NULL) printf("at sent %ld\n", host->points);
  }
  point(host, "replied");
  json_decref(question);
}

/* ---------------------------------------------------------------------------------------------------------- calls */

static json_t *done(host *host, const char *name, json_t *reply) {
  point(host, name);
  return reply;
}

static void poll_once(host *host, int32_t timeout) {
  if (hco_runtime_poll(host->runtime, timeout) != HCO_OK) fail("hco_runtime_poll", "refused");
}

static void wait_for(host *host, json_t **awaited, const char *what) {
  time_t limit = time(NULL) + PATIENCE_SECONDS;
  while (*awaited == NULL) {
    if (time(NULL) > limit) fail("waited in vain", what);
    poll_once(host, 100);
  }
}

/* Starts a later call and gives its `result` event, yours. */
static json_t *later(host *host, hco_function *function, json_t *request, const char *name) {
  json_decref(done(host, name, must(function, host->checkout, request)));
  wait_for(host, &host->result, name);
  json_t *event = host->result;
  host->result = NULL;
  return event;
}

/* --------------------------------------------------------------------------------------------- create and restore */

static json_t *request_of(host *host, bool is_restored) {
  json_t *more = json_pack(
      "{s:[s,s,s], s:[{s:s, s:[s]}], s:O}", "hooks", "beforeValidate", "afterValidate", "redirection", "capabilities",
      "item", CARD, "steps", "collect", "idempotencyHeader", json_object_get(host->plan, "idempotencyHeader"));
  if (host->store != NULL) json_array_append_new(json_object_get(more, "hooks"), json_string("checkpoint"));
  json_t *request = create_request(host->sandbox, text(host->plan, "widgetData"), more);
  if (is_restored) json_object_del(request, "widgetData");
  return request;
}

static void open_checkout(host *host) {
  char *reply = NULL;
  const char *options = "{\"allowLoopbackHTTP\":true,\"timeouts\":{\"validateMs\":5000}}";
  hco_status status = hco_runtime_create(HCO_ABI_VERSION, options, NULL, &host->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  char *snapshot = host->store == NULL ? NULL : store_read(host->store);
  json_t *request = request_of(host, snapshot != NULL);
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .user = host};
  reply = NULL;
  status = snapshot == NULL
               ? hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply)
               : hco_restore(host->runtime, snapshot, request_text, &callbacks, &host->checkout, &reply);
  json_decref(done(host, "created", reply_of(snapshot == NULL ? "hco_create" : "hco_restore", status, reply)));
  printf("at created %ld\n", host->points);
  free(snapshot);
  free(request_text);
  json_decref(request);
}

/* ---------------------------------------------------------------------------------------------------------- paying */

static bool has_applied_gift_card(host *host) {
  json_t *state = must(hco_state, host->checkout, json_pack("{s:[s]}", "keys", "secondaryTokens"));
  bool is_applied = json_array_size(json_object_get(state, "secondaryTokens")) > 0;
  json_decref(state);
  return is_applied;
}

/* The issuer may be out of order: after a few tries the card pays alone. */
static void draw_gift_card(host *host, const char *item) {
  for (int tries = 0; tries < MOST_READS && !has_applied_gift_card(host); tries++) {
    json_t *request = json_pack("{s:s, s:s, s:s}", "item", item, "number", GIFT_CARD_NUMBER, "cvv", "1234");
    json_t *event = later(host, hco_read_secondary, request, "read");
    const json_t *token = json_object_get(json_object_get(event, "result"), "token");
    if (token != NULL) {
      json_t *take = json_pack("{s:s}", "token", text(token, "id"));
      json_decref(done(host, "applied", must(hco_apply_secondary, host->checkout, take)));
    }
    json_decref(event);
  }
}

static void choose(host *host) {
  const char *gift_card = json_string_value(json_object_get(host->plan, "giftCard"));
  if (gift_card != NULL) draw_gift_card(host, gift_card);
  json_decref(done(host, "chosen", must(hco_set_primary, host->checkout, json_pack("{s:s}", "item", CARD))));
  json_t *element = json_pack("{s:s, s:s}", "item", CARD, "redirect", "host");
  json_decref(later(host, hco_element_open, element, "opened"));
  json_t *filled = json_pack("{s:s, s:s, s:b}", "element", CARD, "report", "formValidity", "valid", 1);
  json_decref(done(host, "filled", must(hco_element_report, host->checkout, filled)));
}

/* The shopper who presses Pay again: never accepted while a payment may be under way. */
static void press_pay_again(host *host) {
  json_t *error = NULL;
  hco_status status = call(hco_submit, host->checkout, json_object(), &error);
  if (status != HCO_REFUSED) fail("a second submit", hco_status_name(status));
  json_decref(error);
}

static void show_page(host *host) {
  json_t *page = host->page;
  host->page = NULL;
  char *url = backend_approve(text(json_object_get(page, "action"), "url"));
  json_t *report = json_pack("{s:s}", "presentation", text(page, "presentation"));
  json_object_set_new(report, "url", url == NULL ? json_null() : json_string(url));
  json_decref(done(host, "reported", must(hco_redirect_report, host->checkout, report)));
  free(url);
  json_decref(page);
}

static void pay(host *host) {
  choose(host);
  save(host);
  json_decref(host->outcome);
  host->outcome = NULL;
  printf("at submit %ld\n", host->points);
  json_decref(done(host, "submitted", must(hco_submit, host->checkout, json_pack("{s:s}", "element", CARD))));
  press_pay_again(host);
  time_t limit = time(NULL) + PATIENCE_SECONDS;
  while (host->outcome == NULL) {
    if (time(NULL) > limit) fail("waited in vain", "outcome");
    poll_once(host, 100);
    if (host->page != NULL) show_page(host);
  }
}

/* ---------------------------------------------------------------------------------------------- what is not known */

static bool resolve(host *host, json_int_t attempt, const char *verdict) {
  json_t *reply = NULL;
  json_t *request = json_pack("{s:I, s:s}", "attempt", attempt, "verdict", verdict);
  printf("resolve %s\n", verdict);
  hco_status status = call(hco_resolve, host->checkout, request, &reply);
  json_decref(done(host, "resolved", reply));
  return status == HCO_OK;
}

/* Asks the back end and tells the library; the answers that follow are stored like every other checkpoint. */
static const char *settle(host *host, json_int_t attempt) {
  press_pay_again(host);
  printf("at asked %ld\n", host->points);
  backend_verdict verdict = backend_verdict_of(host->sandbox, text(host->plan, "session"));
  point(host, "asked");
  if (!resolve(host, attempt, backend_word(verdict))) fail("hco_resolve", backend_word(verdict));
  save(host);
  for (int passes = 0; passes < 3; passes++) poll_once(host, 0);
  static const char *const ends[] = {"paid", "declined", NULL, "unsure"};
  return ends[verdict];
}

/* ---------------------------------------------------------------------------------------------------- how it ended */

static const char *end_of_outcome(const json_t *outcome) {
  const char *verdict = text(outcome, "verdict");
  if (outcome == NULL) return "spent"; /* restored after it had ended */
  if (strcmp(verdict, "success") == 0) return "paid";
  if (strcmp(verdict, "declined") == 0) return "declined";
  return "pending";
}

/* One look at the checkout and what follows from it; NULL while it goes on. */
static const char *go_on(host *host, int *attempts) {
  json_t *state = must(
      hco_state, host->checkout, json_pack("{s:[s,s,s]}", "keys", "sessionState", "pendingAttempt", "outcomeUnknown"));
  const json_t *pending = json_object_get(state, "pendingAttempt");
  const char *end = NULL;
  if (json_is_object(pending)) {
    end = settle(host, number(pending, "attempt"));
  } else if (json_is_true(json_object_get(state, "outcomeUnknown"))) {
    fail("outcomeUnknown", "with no pendingAttempt");
  } else if (strcmp(text(state, "sessionState"), "ready") == 0) {
    *attempts += 1;
    if (*attempts > MOST_ATTEMPTS) {
      end = "unpaid";
    } else {
      pay(host);
    }
  } else if (strcmp(text(state, "sessionState"), "submitted") == 0) {
    end = end_of_outcome(host->outcome);
  } else {
    fail("sessionState", text(state, "sessionState"));
  }
  json_decref(state);
  return end;
}

int main(int argc, char **argv) {
  host host = {0};
  int attempts = 0;
  const char *end = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc < 3) fail("usage", "host http://127.0.0.1:PORT PLAN.json [KILL_AT]");
  host.sandbox = argv[1];
  host.plan = json_load_file(argv[2], 0, NULL);
  host.kill_at = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
  if (host.plan == NULL) fail("the plan", "cannot be read");
  host.store = json_string_value(json_object_get(host.plan, "store"));
  printf("at started 0\n");
  open_checkout(&host);
  while (end == NULL) end = go_on(&host, &attempts);
  hco_release(host.checkout);
  hco_runtime_destroy(host.runtime);
  json_decref(host.result);
  json_decref(host.page);
  json_decref(host.outcome);
  json_decref(host.plan);
  printf("end %s points=%ld\n", end, host.points);
  return 0;
}
