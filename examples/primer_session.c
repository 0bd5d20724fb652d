/*
 * The same library with Primer behind it: a client token, a card form that the library keeps, the decision before the
 * payment, and the bank's page.
 *
 *   primer_session http://127.0.0.1:PORT [processor | challenge | success | pending | decline | abort]
 *
 * The address is the sandbox's. Exit code: 0 when the payment ended as the mode wants it, else 1.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "merchant.h"
#include "page.h"

#define CARD "PAYMENT_CARD"

/* What each mode asks of the sandbox, and how it has to end. */
typedef struct mode {
  const char *name;
  const char *card_number; /* the sandbox's: it says how the payment goes */
  bool may_pay;            /* what your shop decides when it is asked */
  const char *last_line;
} mode;

static const mode modes[] = {
    {"processor", "4111 1100 0001 0079", true, "outcome=completed status=SUCCESS payments=1"},
    {"challenge", "4111 1100 0001 0046", true, "outcome=completed status=SUCCESS payments=1"},
    {"success", "4242 4242 4242 4242", true, "outcome=completed status=SUCCESS payments=1"},
    {"pending", "4111 1100 0000 0039", true, "outcome=completed status=PENDING payments=1"},
    {"decline", "4111 1100 0000 0013", true, "outcome=failed code=payment-failed state=ready payments=1"},
    {"abort", "4242 4242 4242 4242", false, "outcome=failed code=merchant-error state=ready payments=0"},
};

/* The host: what this program knows. The library hands it to the callbacks as `user`. */
typedef struct host {
  const mode *mode;
  const char *session; /* its id */
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *result;  /* of the call that was waited for */
  json_t *page;    /* a `redirect` event that asks for a page */
  json_t *outcome; /* the attempt's one outcome */
} host;

/* ------------------------------------------------------------------------------------------------ the two callbacks */

/* Told. An event's text is gone when this returns, so keep what you need. */
static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  host *host = user;
  json_t *event = json_loads(json, 0, NULL);
  (void)checkout;
  if (kind == HCO_EVENT_RESULT) host->result = json_incref(event);
  if (kind == HCO_EVENT_OUTCOME) host->outcome = json_incref(event);
  if (kind == HCO_EVENT_REDIRECT && strcmp(text(event, "state"), "open") == 0) host->page = json_incref(event);
  json_decref(event);
}

/* Your shop's last word: its stock, its terms. A key of its own for every attempt, which Primer takes only once. */
static json_t *decision(const host *host, const json_t *question) {
  char key[128];
  printf("  may %s be paid with? %s\n", text(question, "paymentMethodType"), host->mode->may_pay ? "yes" : "no");
  if (!host->mode->may_pay) return json_pack("{s:{s:s}}", "error", "message", "sold out");
  snprintf(key, sizeof key, "%s-%d", host->session, (int)number(question, "attempt"));
  return json_pack("{s:{s:s}}", "ok", "idempotencyKey", key);
}

/* Asked. Nothing is sent, nor a page shown, until you have answered; there is no time limit. */
static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  json_t *question = json_loads(json, 0, NULL);
  if (kind == HCO_HOOK_BEFORE_PAYMENT) answer_ticket(checkout, ticket, decision(user, question));
  json_decref(question);
}

/* ------------------------------------------------------------------------------------------------------ the session */

/* Lets the library work until `*awaited` has come, and shows the page if one is asked for meanwhile. */
static json_t *wait_for(host *host, json_t **awaited) {
  while (*awaited == NULL) {
    if (hco_runtime_poll(host->runtime, 1000) != HCO_OK) exit(1);
    if (host->page == NULL) continue;
    show_page(host->checkout, host->page);
    json_decref(host->page);
    host->page = NULL;
  }
  json_t *event = *awaited;
  *awaited = NULL;
  return event;
}

/* A call that finishes later: {"call":n} at once, the result as an event. */
static void must_later(host *host, hco_function *function, json_t *request) {
  json_decref(must(function, host->checkout, request));
  json_t *event = wait_for(host, &host->result);
  const json_t *error = json_object_get(event, "error");
  if (error != NULL) {
    fprintf(stderr, "%s: %s\n", text(error, "code"), text(error, "message"));
    exit(1);
  }
  json_decref(event);
}

static void start(host *host, const char *client_token) {
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &host->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));

  json_t *request =
      json_pack("{s:s, s:s, s:[s]}", "provider", "primer", "clientToken", client_token, "hooks", "beforePayment");
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .user = host};
  reply = NULL;
  status = hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply);
  json_decref(reply_of("hco_create", status, reply));
  json_decref(request);
  free(request_text);
  must_later(host, hco_start, json_object());
}

/* The order, and what it can be paid with: as the session was when it was loaded. */
static void show_order(host *host) {
  json_t *state = must(hco_state, host->checkout, json_pack("{s:[s,s]}", "keys", "clientSession", "paymentMethods"));
  const json_t *session = json_object_get(state, "clientSession");
  size_t index;
  json_t *entry;
  json_array_foreach(json_object_get(session, "lineItems"), index, entry) {
    printf(
        "  %d x %-20s %8s\n", (int)number(entry, "quantity"), text(entry, "itemDescription"),
        euros(number(entry, "amount")));
  }
  printf("to pay: %s %s\n", euros(number(session, "totalAmount")), text(session, "currencyCode"));
  json_array_foreach(json_object_get(state, "paymentMethods"), index, entry) printf("  %s\n", text(entry, "id"));
  json_decref(state);
}

/* What the shopper types goes into the library's own store, key by key if you like, and never comes out of it. */
static void type(host *host, const char *field, const char *typed) {
  char *reply = NULL;
  hco_status status = hco_element_set_field(host->checkout, CARD, field, typed, strlen(typed), &reply);
  json_decref(reply_of("hco_element_set_field", status, reply));
}

static void fill_card(host *host) {
  json_decref(must(hco_set_primary, host->checkout, json_pack("{s:s}", "item", CARD)));
  must_later(
      host, hco_element_open,
      json_pack("{s:s, s:s, s:s}", "item", CARD, "redirect", "host", "appReturnURL", MERCHANT_RETURN_URL));
  type(host, "cardNumber", host->mode->card_number);
  type(host, "expiryDate", "12/39");
  type(host, "cvv", "123");
  type(host, "cardholderName", "Sandbox Shopper");
}

/* ----------------------------------------------------------------------------------------------------- how it ended */

/* Never show `moved: unknown` as a failed payment: ask your backend, then tell the library with hco_resolve. */
static void describe(host *host, const json_t *outcome, char *line, size_t size) {
  const char *kind = text(outcome, "kind");
  const json_t *error = json_object_get(outcome, "error");
  if (error == NULL) {
    snprintf(line, size, "outcome=%s status=%s", kind, text(outcome, "status"));
    return;
  }
  json_t *state = must(hco_state, host->checkout, json_pack("{s:[s]}", "keys", "sessionState"));
  snprintf(line, size, "outcome=%s code=%s state=%s", kind, text(error, "code"), text(state, "sessionState"));
  json_decref(state);
}

static bool conclude(host *host, const json_t *outcome, int payments) {
  char line[160], whole[192];
  describe(host, outcome, line, sizeof line);
  snprintf(whole, sizeof whole, "%s payments=%d", line, payments);
  printf("demo: %s\n", whole);
  return strcmp(whole, host->mode->last_line) == 0;
}

static const mode *mode_named(const char *name) {
  for (size_t index = 0; index < sizeof modes / sizeof modes[0]; index++) {
    if (strcmp(modes[index].name, name) == 0) return &modes[index];
  }
  return NULL;
}

int main(int argc, char **argv) {
  host host = {.mode = mode_named(argc > 2 ? argv[2] : "processor")};
  if (argc < 2 || host.mode == NULL) {
    fprintf(
        stderr, "usage: %s http://127.0.0.1:PORT [processor|challenge|success|pending|decline|abort]\n", argv[0]);
    return 1;
  }
  json_t *session = merchant_create_client_session(argv[1], "shopper-1");
  host.session = text(session, "id");
  start(&host, merchant_client_token(session));
  show_order(&host);
  fill_card(&host);
  json_decref(must(hco_submit, host.checkout, json_pack("{s:s}", "element", CARD)));
  json_t *outcome = wait_for(&host, &host.outcome);
  bool is_as_wanted = conclude(&host, outcome, merchant_count_payments(argv[1], session));

  hco_release(host.checkout);
  hco_runtime_destroy(host.runtime);
  json_decref(outcome);
  json_decref(session);
  return is_as_wanted ? 0 : 1;
}
