/*
 * Splitting: gift cards drawn in, changed in place, taken out again, until two of them cover everything.
 *
 *   gift_card_split http://127.0.0.1:PORT
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

typedef struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *result;
  json_t *outcome;
} host;

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  host *host = user;
  (void)checkout;
  if (kind == HCO_EVENT_RESULT) host->result = json_loads(json, 0, NULL);
  if (kind == HCO_EVENT_OUTCOME) host->outcome = json_loads(json, 0, NULL);
}

static void create(host *host, const char *sandbox, const json_t *session) {
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &host->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  json_t *request = create_request(sandbox, merchant_widget_data(session), NULL);
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .user = host};
  reply = NULL;
  status = hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply);
  json_decref(reply_of("hco_create", status, reply));
  json_decref(request);
  free(request_text);
}

/* Reads a card's balance and gives the name under which it can be drawn in. To be freed. */
static char *read_card(host *host, const char *item, const char *number_on_card) {
  json_t *request = json_pack("{s:s, s:s, s:s}", "item", item, "number", number_on_card, "cvv", "1234");
  json_decref(must(hco_read_secondary, host->checkout, request));
  while (host->result == NULL) {
    if (hco_runtime_poll(host->runtime, 1000) != HCO_OK) exit(1);
  }
  json_t *token = json_object_get(json_object_get(host->result, "result"), "token");
  char *name = strdup(text(token, "id"));
  printf("%s %s holds %s\n", item, text(token, "mask"), euros(number(token, "balance")));
  json_decref(host->result);
  host->result = NULL;
  return name;
}

static void expect(const char *what, json_int_t got, json_int_t wanted) {
  printf("  %-34s %s\n", what, euros(got));
  if (got == wanted) return;
  fprintf(stderr, "expected %s\n", euros(wanted));
  exit(1);
}

/* With no amount a card gives all it can. */
static void draw(host *host, const char *token, json_int_t amount, json_int_t loss, json_int_t remaining) {
  json_t *request = json_pack("{s:s}", "token", token);
  if (amount > 0) json_object_set_new(request, "amount", json_integer(amount));
  json_t *reply = must(hco_apply_secondary, host->checkout, request);
  printf("draw %s: %s\n", token, euros(number(reply, "applied")));
  expect("lost with the card", number(reply, "amountLoss"), loss);
  expect("left to pay", number(reply, "remainingAmountToPay"), remaining);
  json_decref(reply);
}

static void take_out(host *host, const char *token, json_int_t remaining) {
  json_t *reply = must(hco_remove_secondary, host->checkout, json_pack("{s:s}", "token", token));
  printf("take out %s\n", token);
  expect("left to pay", number(reply, "remainingAmountToPay"), remaining);
  json_decref(reply);
}

int main(int argc, char **argv) {
  host host = {0};
  if (argc < 2) return 1;
  json_t *session = merchant_create_session(argv[1], AMOUNT);
  create(&host, argv[1], session);

  char *small = read_card(&host, "buybox-giftcard", "6000000100005000");
  char *large = read_card(&host, "easy2play-giftcard", "6000000200020000");
  draw(&host, small, 3000, 0, 9000);
  draw(&host, large, 0, 0, 0);        /* it holds 200.00: what is left of them stays on the card */
  draw(&host, large, 4000, 0, 5000);  /* again: its slice is replaced where it stands */
  take_out(&host, small, 8000);       /* the card is still known, and can be drawn in again */
  draw(&host, small, 0, 0, 3000);
  draw(&host, large, 7000, 0, 0);

  json_decref(must(hco_submit, host.checkout, json_object())); /* covered by gift cards: no primary is needed */
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
  free(small);
  free(large);
  if (is_as_wanted) printf("example gift_card_split: ok\n");
  return is_as_wanted ? 0 : 1;
}
