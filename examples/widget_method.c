/*
 * A partner's widget, as Klarna has one: opened with the partner's data, shown, initialised again when the amount moves,
 * asked at the Pay button, paid with.
 *
 *   widget_method http://127.0.0.1:PORT
 *
 * Exit code: 0 when the payment succeeded as expected, else 1.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "merchant.h"

#define AMOUNT 12000
#define KLARNA "klarna-paylater"

typedef struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *result;
  json_t *outcome;
  char *client_token; /* what the widget on the screen was shown with */
  int times_ready;
} host;

/* Your widget: the partner's own code would draw it from the client token. This one is there at once. */
static void show_widget(host *host, const json_t *init) {
  free(host->client_token);
  host->client_token = strdup(text(init, "client_token"));
  printf("the widget is shown with %s\n", host->client_token);
  json_decref(
      must(hco_element_report, host->checkout, json_pack("{s:s, s:s}", "element", KLARNA, "report", "ready")));
}

static void on_element(host *host, const json_t *event) {
  const char *what = text(event, "what");
  if (strcmp(what, "ready") == 0) {
    int is_ready = json_is_true(json_object_get(event, "isReady"));
    printf("  the Pay button is %s\n", is_ready ? "enabled" : "dimmed");
    host->times_ready += is_ready;
  }
  /* The amount moved: the old data are for another one. */
  if (strcmp(what, "initialized") == 0) show_widget(host, json_object_get(event, "init"));
}

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  host *host = user;
  json_t *event = json_loads(json, 0, NULL);
  (void)checkout;
  if (kind == HCO_EVENT_ELEMENT) on_element(host, event);
  if (kind == HCO_EVENT_PLUGIN) printf("  partner's event: %s\n", text(event, "event"));
  if (kind == HCO_EVENT_RESULT) host->result = json_incref(event);
  if (kind == HCO_EVENT_OUTCOME) host->outcome = json_incref(event);
  json_decref(event);
}

/* The Pay button was pressed: the shopper goes through the widget, which gives what the payment needs. */
static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  host *host = user;
  json_t *question = json_loads(json, 0, NULL);
  const json_t *data = json_object_get(question, "data");
  const char *token = text(json_object_get(data, "init"), "client_token");
  if (kind == HCO_HOOK_STEP && strcmp(text(question, "step"), "prepare") == 0) {
    printf("the shopper confirms %s in the widget\n", euros(number(data, "amount")));
    int is_shown = strcmp(token, host->client_token) == 0;
    answer_ticket(
        checkout, ticket,
        is_shown ? json_pack("{s:{s:{s:s}}}", "ok", "payment_data", "authorization_token", "tok_success_klarna")
                 : json_pack("{s:{s:s}}", "error", "message", "another widget is on the screen"));
  }
  json_decref(question);
}

static void create(host *host, const char *sandbox, const json_t *session) {
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &host->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  /* Without the step the method would be PLUGIN_INCOMPATIBLE, and not on the list. */
  json_t *steps = json_pack("{s:[{s:s, s:[s]}]}", "capabilities", "item", KLARNA, "steps", "prepare");
  json_t *request = create_request(sandbox, merchant_widget_data(session), steps);
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .user = host};
  reply = NULL;
  status = hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply);
  json_decref(reply_of("hco_create", status, reply));
  json_decref(request);
  free(request_text);
}

/* Polls until the call that was just made has its result, which is then yours. */
static json_t *result_of(host *host) {
  while (host->result == NULL) {
    if (hco_runtime_poll(host->runtime, 1000) != HCO_OK) exit(1);
  }
  json_t *result = json_incref(json_object_get(host->result, "result"));
  json_decref(host->result);
  host->result = NULL;
  if (result == NULL) exit(1);
  return result;
}

/* One element a method, opened when the shopper chooses it: Klarna's data are asked for here. */
static void open_widget(host *host) {
  json_decref(must(hco_set_primary, host->checkout, json_pack("{s:s}", "item", KLARNA)));
  json_decref(must(
      hco_element_open, host->checkout,
      json_pack("{s:s, s:s, s:s}", "item", KLARNA, "redirect", "host", "appReturnURL", "kiosk://klarna")));
  json_t *result = result_of(host);
  show_widget(host, json_object_get(result, "init"));
  json_decref(result);
}

static void draw_gift_card_in(host *host) {
  json_t *request =
      json_pack("{s:s, s:s, s:s}", "item", "illicado-giftcard", "number", "6000000100005000", "cvv", "1234");
  json_decref(must(hco_read_secondary, host->checkout, request));
  json_t *result = result_of(host);
  const char *token = text(json_object_get(result, "token"), "id");
  json_t *reply = must(hco_apply_secondary, host->checkout, json_pack("{s:s}", "token", token));
  printf("a gift card pays %s, the widget's data are stale\n", euros(number(reply, "applied")));
  json_decref(reply);
  json_decref(result);
}

int main(int argc, char **argv) {
  host host = {0};
  if (argc < 2) return 1;
  json_t *session = merchant_create_session(argv[1], AMOUNT);
  create(&host, argv[1], session);
  open_widget(&host);
  draw_gift_card_in(&host);
  while (host.times_ready < 2) {
    if (hco_runtime_poll(host.runtime, 1000) != HCO_OK) return 1;
  }

  json_decref(must(hco_submit, host.checkout, json_pack("{s:s}", "element", KLARNA)));
  while (host.outcome == NULL) {
    if (hco_runtime_poll(host.runtime, 1000) != HCO_OK) return 1;
  }
  json_int_t sum = 0;
  int validates = merchant_count_validates(argv[1], session, &sum);
  int is_as_wanted = strcmp(text(host.outcome, "status"), "SUCCESS") == 0 && validates == 1 && sum == AMOUNT;
  printf("outcome: %s %s\n", text(host.outcome, "kind"), text(host.outcome, "status"));

  hco_release(host.checkout);
  hco_runtime_destroy(host.runtime);
  json_decref(host.outcome);
  json_decref(session);
  free(host.client_token);
  if (is_as_wanted) printf("example widget_method: ok\n");
  return is_as_wanted ? 0 : 1;
}
