/*
 * The main job: a payment of 120.00 EUR, a gift card first and a card for the rest.
 *
 *   checkout http://127.0.0.1:PORT [success | decline | redirect | lost-answer | hook-refuses]
 *
 * The address is the sandbox's. Exit code: 0 when the payment ended as the mode wants it, else 1.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "merchant.h"
#include "page.h"

#define AMOUNT 12000
#define GIFT_CARD_NUMBER "6000 0001 0000 3000" /* the sandbox's: it holds 30.00 */

/* What each mode asks of the sandbox, and how it has to end. */
typedef struct mode {
  const char *name;
  const char *form_token; /* 32 characters that say how the sandbox's card payment ends */
  const char *before_validate_answer;
  const char *last_line;
} mode;

static const mode modes[] = {
    {"success", "tok_success_00000000000000000000", "ok", "outcome=completed status=SUCCESS validates=1"},
    {"decline", "tok_declined_0000000000000000000", "ok", "outcome=completed status=FAILED validates=1"},
    {"redirect", "tok_threeds_00000000000000000000", "ok", "outcome=returnedFromRedirect validates=1"},
    {"lost-answer", "tok_lost_00000000000000000000000", "ok", "outcome=unknown second=SUBMIT_BLOCKED validates=1"},
    {"hook-refuses", "tok_success_00000000000000000000", "error",
     "outcome=failed code=ON_BEFORE_VALIDATE_HOOK_FAILED state=ready validates=0"},
};

/* The host: what this program knows. The library hands it to the callbacks as `user`. */
typedef struct host {
  const mode *mode;
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *result;  /* of the call that was waited for */
  json_t *page;    /* a `redirect` event that asks for a page */
  json_t *outcome; /* the attempt's one outcome */
  char store[64];  /* the file that survives a crash of this program */
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

/* Write beside, then rename: a crash leaves the old snapshot or the new one, never half of one. */
static bool store(const char *path, const char *snapshot) {
  char beside[80];
  snprintf(beside, sizeof beside, "%s.new", path);
  FILE *file = fopen(beside, "w");
  if (file == NULL) return false;
  bool is_written = fputs(snapshot, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
  return fclose(file) == 0 && is_written && rename(beside, path) == 0;
}

/* Asked. Answering inside the callback is the simplest; any later moment, and any thread, is as good. */
static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  host *host = user;
  json_t *question = json_loads(json, 0, NULL);
  json_t *ok = json_pack("{s:{}}", "ok");
  json_t *no = json_pack("{s:{s:s}}", "error", "message", "not today");
  printf("  hook %s %s%s\n", text(question, "type"), text(question, "step"), text(question, "reason"));
  switch (kind) {
    case HCO_HOOK_CHECKPOINT: {
      bool is_stored = store(host->store, text(question, "snapshot"));
      if (ticket != 0) answer_ticket(checkout, ticket, json_incref(is_stored ? ok : no));
      break;
    }
    case HCO_HOOK_STEP: /* your card form turns what the shopper typed into a token of the vault */
      answer_ticket(
          checkout, ticket,
          json_pack(
              "{s:{s:s, s:s}}", "ok", "vault_form_token", host->mode->form_token, "selected_network", "VISA"));
      break;
    case HCO_HOOK_BEFORE_VALIDATE: /* the last look: your stock, your terms, your till */
      answer_ticket(checkout, ticket, json_incref(strcmp(host->mode->before_validate_answer, "ok") == 0 ? ok : no));
      break;
    case HCO_HOOK_REDIRECTION:
      answer_ticket(checkout, ticket, json_pack("{s:{s:b}}", "ok", "takeOver", 0));
      break;
    default: /* afterValidate, and hooks that a later version may bring */
      if (ticket != 0) answer_ticket(checkout, ticket, json_incref(ok));
  }
  json_decref(question);
  json_decref(ok);
  json_decref(no);
}

/* ------------------------------------------------------------------------------------------------------ the payment */

/* Lets the library work until `*awaited` has come. A program with a loop of its own watches hco_runtime_fd instead. */
static json_t *wait_for(host *host, json_t **awaited) {
  while (*awaited == NULL) {
    if (hco_runtime_poll(host->runtime, 1000) != HCO_OK) exit(1);
  }
  json_t *event = *awaited;
  *awaited = NULL;
  return event;
}

/* A call that finishes later: {"call":n} at once, the result as an event. */
static json_t *must_later(host *host, hco_function *function, json_t *request) {
  json_decref(must(function, host->checkout, request));
  json_t *event = wait_for(host, &host->result);
  json_t *result = json_incref(json_object_get(event, "result"));
  if (result == NULL) {
    fprintf(stderr, "%s\n", text(json_object_get(event, "error"), "message"));
    exit(1);
  }
  json_decref(event);
  return result;
}

static void create(host *host, const char *sandbox, const json_t *session) {
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &host->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));

  json_t *more = json_pack(
      "{s:[s,s,s,s], s:[{s:s, s:[s]}]}", "hooks", "checkpoint", "beforeValidate", "afterValidate", "redirection",
      "capabilities", "item", "purse-creditcard", "steps", "collect");
  json_t *request = create_request(sandbox, merchant_widget_data(session), more);
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .user = host};
  reply = NULL;
  status = hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply);
  json_t *properties = reply_of("hco_create", status, reply);

  size_t index;
  json_t *method;
  printf("to pay: %s EUR\n", euros(number(properties, "amount")));
  json_array_foreach(json_object_get(properties, "paymentMethods"), index, method) {
    printf("  %-28s %s\n", text(method, "id"), text(method, "kind"));
  }
  json_decref(properties);
  json_decref(request);
  free(request_text);
}

static void draw_gift_card(host *host) {
  json_t *result = must_later(
      host, hco_read_secondary,
      json_pack("{s:s, s:s, s:s}", "item", "buybox-giftcard", "number", GIFT_CARD_NUMBER, "cvv", "1234"));
  json_t *token = json_object_get(result, "token");
  printf("gift card %s holds %s\n", text(token, "mask"), euros(number(token, "balance")));
  json_decref(must(hco_apply_secondary, host->checkout, json_pack("{s:s}", "token", text(token, "id"))));
  json_decref(result);
}

static void choose_card(host *host) {
  const char *card = "purse-creditcard";
  json_t *split = must(hco_set_primary, host->checkout, json_pack("{s:s}", "item", card));
  size_t index;
  json_t *slice;
  json_array_foreach(json_object_get(split, "amountSplit"), index, slice) {
    printf("  slice %-22s %8s\n", text(slice, "item"), euros(number(slice, "amount")));
  }
  json_decref(split);
  json_decref(must_later(host, hco_element_open, json_pack("{s:s, s:s}", "item", card, "redirect", "host")));
  json_decref(must(
      hco_element_report, host->checkout,
      json_pack("{s:s, s:s, s:b}", "element", card, "report", "formValidity", "valid", 1)));
}

static void pay(host *host) {
  json_decref(must(hco_submit, host->checkout, json_pack("{s:s}", "element", "purse-creditcard")));
  while (host->outcome == NULL) {
    if (hco_runtime_poll(host->runtime, 1000) != HCO_OK) exit(1);
    if (host->page == NULL) continue;
    show_page(host->checkout, host->page);
    json_decref(host->page);
    host->page = NULL;
  }
}

/* ----------------------------------------------------------------------------------------------------- how it ended */

static void second_submit(host *host, char *line, size_t size) {
  json_t *error = NULL;
  hco_status status = call(hco_submit, host->checkout, json_object(), &error);
  snprintf(line, size, "outcome=unknown second=%s", status == HCO_OK ? "ACCEPTED" : text(error, "code"));
  json_decref(error);
}

/* Never show `moved: unknown` as a failed payment: ask your backend, then tell the library with hco_resolve. */
static void describe(host *host, char *line, size_t size) {
  const char *kind = text(host->outcome, "kind");
  const json_t *error = json_object_get(host->outcome, "error");
  if (strcmp(text(error, "moved"), "unknown") == 0) {
    second_submit(host, line, size);
  } else if (error != NULL) {
    json_t *state = must(hco_state, host->checkout, json_pack("{s:[s]}", "keys", "sessionState"));
    snprintf(line, size, "outcome=%s code=%s state=%s", kind, text(error, "code"), text(state, "sessionState"));
    json_decref(state);
  } else if (strcmp(kind, "completed") == 0) {
    snprintf(line, size, "outcome=%s status=%s", kind, text(host->outcome, "status"));
  } else {
    snprintf(line, size, "outcome=%s", kind);
  }
}

static bool conclude(host *host, const char *sandbox, const json_t *session) {
  char line[160], whole[192];
  json_int_t sum = 0;
  describe(host, line, sizeof line);
  int validates = merchant_count_validates(sandbox, session, &sum);
  if (validates > 0) printf("journal: %d validate, its slices sum to %s\n", validates, euros(sum));
  snprintf(whole, sizeof whole, "%s validates=%d", line, validates);
  printf("demo: %s\n", whole);
  return strcmp(whole, host->mode->last_line) == 0 && (validates == 0 || sum == AMOUNT);
}

static const mode *mode_named(const char *name) {
  for (size_t index = 0; index < sizeof modes / sizeof modes[0]; index++) {
    if (strcmp(modes[index].name, name) == 0) return &modes[index];
  }
  return NULL;
}

int main(int argc, char **argv) {
  host host = {.mode = mode_named(argc > 2 ? argv[2] : "success")};
  char directory[] = "/tmp/headless-checkout-XXXXXX";
  if (argc < 2 || host.mode == NULL || mkdtemp(directory) == NULL) {
    fprintf(stderr, "usage: %s http://127.0.0.1:PORT [success|decline|redirect|lost-answer|hook-refuses]\n", argv[0]);
    return 1;
  }
  snprintf(host.store, sizeof host.store, "%s/checkout", directory);

  json_t *session = merchant_create_session(argv[1], AMOUNT);
  create(&host, argv[1], session);
  draw_gift_card(&host);
  choose_card(&host);
  pay(&host);
  bool is_as_wanted = conclude(&host, argv[1], session);

  hco_release(host.checkout);
  hco_runtime_destroy(host.runtime);
  json_decref(host.outcome);
  json_decref(session);
  unlink(host.store);
  rmdir(directory);
  return is_as_wanted ? 0 : 1;
}
