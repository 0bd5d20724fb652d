/*
 * What is reported to Purse, and proof that your copy is all of it: pays with a card, prints every message that left, and
 * compares the copies with what the sandbox received.
 *
 *   monitoring_audit http://127.0.0.1:PORT
 *
 * Exit code: 0 when the payment succeeded and both are equal, else 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "merchant.h"

#define CARD "purse-creditcard"

typedef struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *outcome;
  json_t *copies; /* one array of messages a batch */
  int is_released;
} host;

/* Where you would write to a log of your own. */
static void print_message(const json_t *message) {
  const json_t *event = json_object_get(message, "event");
  char *payload = json_dumps(json_object_get(event, "payload"), JSON_COMPACT);
  printf("  %s %-8s %s %s\n", text(event, "dateString"), text(event, "type"), text(event, "code"), payload);
  free(payload);
}

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  host *host = user;
  (void)checkout;
  if (kind == HCO_EVENT_OUTCOME) host->outcome = json_loads(json, 0, NULL);
  if (kind != HCO_EVENT_MONITORING) return;
  json_t *copy = json_loads(json, 0, NULL);
  json_t *messages = json_object_get(copy, "messages"), *message;
  size_t index;
  printf("a batch of %zu leaves\n", json_array_size(messages));
  json_array_foreach(messages, index, message) print_message(message);
  json_array_append(host->copies, messages);
  json_decref(copy);
}

static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  (void)user;
  (void)json;
  if (kind != HCO_HOOK_STEP) return;
  answer_ticket(
      checkout, ticket, json_pack("{s:{s:s}}", "ok", "vault_form_token", "tok_success_00000000000000000000"));
}

/* Runs once everything is told and the last batch has left. */
static void released(void *user) { ((host *)user)->is_released = 1; }

static void create(host *host, const char *sandbox, const json_t *session) {
  const char *options =
      "{\"allowLoopbackHTTP\":true, \"monitoring\":true,"
      " \"device\":{\"osVersion\":\"Debian 12\",\"model\":\"till 7\",\"screen\":\"1920x1080\"}}";
  char *reply = NULL;
  hco_status status = hco_runtime_create(HCO_ABI_VERSION, options, NULL, &host->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  json_t *more = json_pack("{s:[{s:s, s:[s]}]}", "capabilities", "item", CARD, "steps", "collect");
  json_t *request = create_request(sandbox, merchant_widget_data(session), more);
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .release = released, .user = host};
  reply = NULL;
  status = hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply);
  json_decref(reply_of("hco_create", status, reply));
  json_decref(request);
  free(request_text);
}

static void poll_once(host *host) {
  if (hco_runtime_poll(host->runtime, 1000) != HCO_OK) exit(1);
}

static void pay(host *host) {
  json_decref(must(hco_set_primary, host->checkout, json_pack("{s:s}", "item", CARD)));
  json_decref(must(hco_element_open, host->checkout, json_pack("{s:s}", "item", CARD)));
  json_decref(must(
      hco_element_report, host->checkout,
      json_pack("{s:s, s:s, s:b}", "element", CARD, "report", "formValidity", "valid", 1)));
  json_decref(must(hco_submit, host->checkout, json_object()));
  while (host->outcome == NULL) poll_once(host);
}

int main(int argc, char **argv) {
  host host = {0};
  if (argc < 2) return 1;
  host.copies = json_array();
  json_t *session = merchant_create_session(argv[1], 4999);
  create(&host, argv[1], session);
  pay(&host);
  hco_release(host.checkout);
  while (!host.is_released) poll_once(&host);
  hco_runtime_destroy(host.runtime);

  json_t *received = merchant_received_monitoring(argv[1]);
  int is_equal = json_array_size(received) > 0 && merchant_same_batches(host.copies, received);
  int is_paid = strcmp(text(host.outcome, "status"), "SUCCESS") == 0;
  printf("%zu batches arrived; the copies are %s\n", json_array_size(received), is_equal ? "equal" : "DIFFERENT");
  json_decref(received);
  json_decref(host.copies);
  json_decref(host.outcome);
  json_decref(session);
  if (is_equal && is_paid) printf("example monitoring_audit: ok\n");
  return is_equal && is_paid ? 0 : 1;
}
