/*
 * What a shopper has saved: the cards and gift cards are listed, one gets a name, one becomes the favorite, one is deleted
 * while it is chosen, and a new card is saved with the payment that it makes.
 *
 *   wallet http://127.0.0.1:PORT
 *
 * Exit code: 0 when all of it went as expected and the new card is on the list of the shopper's next session, else 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "merchant.h"

#define AMOUNT 12000
#define SHOPPER "shopper-of-the-wallet-example"
#define CARD "purse-creditcard"

typedef struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *result;
  json_t *outcome;
} host;

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  host *host = user;
  json_t *event = json_loads(json, 0, NULL);
  (void)checkout;
  if (kind == HCO_EVENT_RESULT) host->result = json_incref(event);
  if (kind == HCO_EVENT_OUTCOME) host->outcome = json_incref(event);
  json_decref(event);
}

/* Your card form: the vault keeps what was typed, and this is its token. */
static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  (void)user;
  (void)json;
  if (kind != HCO_HOOK_STEP) return;
  const char *token = "tok_success_00000000000000000000";
  answer_ticket(checkout, ticket, json_pack("{s:{s:s}}", "ok", "vault_form_token", token));
}

/* The shopper is known, so that your backend names the shopper when it creates the session. */
static void open_checkout(host *host, const char *sandbox) {
  char *reply = NULL;
  json_t *session = merchant_create_session_of(sandbox, AMOUNT, SHOPPER);
  json_t *steps = json_pack("{s:[{s:s, s:[s]}]}", "capabilities", "item", CARD, "steps", "collect");
  json_t *request = create_request(sandbox, merchant_widget_data(session), steps);
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .user = host};
  hco_status status = hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply);
  json_decref(reply_of("hco_create", status, reply));
  json_decref(request);
  json_decref(session);
  free(request_text);
}

static void poll_once(host *host) {
  if (hco_runtime_poll(host->runtime, 1000) != HCO_OK) exit(1);
}

/* Makes a call that ends later, and polls until it has. The result is yours; an error ends the program. */
static json_t *wait_for(host *host, hco_function *function, json_t *request) {
  json_decref(must(function, host->checkout, request));
  while (host->result == NULL) poll_once(host);
  json_t *event = host->result, *result = json_incref(json_object_get(event, "result"));
  host->result = NULL;
  if (result == NULL) {
    const json_t *error = json_object_get(event, "error");
    fprintf(stderr, "%s: %s\n", text(error, "code"), text(error, "message"));
    exit(1);
  }
  json_decref(event);
  return result;
}

/* A published list, yours. */
static json_t *list_of(host *host, const char *name) {
  json_t *state = must(hco_state, host->checkout, json_pack("{s:[s]}", "keys", name));
  json_t *list = json_incref(json_object_get(state, name));
  json_decref(state);
  return list;
}

/* The id of the saved card with that mask, yours; an empty text when there is none. */
static char *card_with(host *host, const char *mask) {
  json_t *cards = list_of(host, "paymentTokens"), *card;
  size_t index;
  char *id = calloc(1, 64);
  json_array_foreach(cards, index, card) {
    if (strcmp(text(card, "mask"), mask) == 0) snprintf(id, 64, "%s", text(card, "id"));
  }
  json_decref(cards);
  return id;
}

static void print_lists(host *host) {
  json_t *cards = list_of(host, "paymentTokens"), *gifts = list_of(host, "savedSecondaryTokens"), *one;
  size_t index;
  json_array_foreach(cards, index, one) {
    const char *name = text(one, "name");
    const char *mark = json_is_true(json_object_get(one, "isFavorite")) ? "*" : " ";
    printf(" %s %-20s %s\n", mark, text(one, "mask"), name[0] == '\0' ? "(no name)" : name);
  }
  json_array_foreach(gifts, index, one) {
    printf("   %-20s %s left\n", text(one, "mask"), euros(number(one, "balance")));
  }
  json_decref(cards);
  json_decref(gifts);
}

/* The balances of saved gift cards are on their way when the checkout is there. */
static void wait_for_balances(host *host) {
  for (int is_waiting = 1; is_waiting;) {
    json_t *gifts = list_of(host, "savedSecondaryTokens"), *gift;
    size_t index;
    is_waiting = 0;
    json_array_foreach(gifts, index, gift) {
      if (json_is_null(json_object_get(gift, "balance"))) is_waiting = 1;
    }
    json_decref(gifts);
    if (is_waiting) poll_once(host);
  }
}

static int is_chosen(host *host) {
  json_t *split = must(hco_split, host->checkout, NULL);
  int is_chosen = json_is_object(json_object_get(split, "primary"));
  json_decref(split);
  return is_chosen;
}

/* Deleted while it is chosen: it pays nothing from the accepted call on. */
static int delete_chosen(host *host, const char *id) {
  json_decref(must(hco_set_primary, host->checkout, json_pack("{s:s}", "token", id)));
  json_decref(must(hco_token_delete, host->checkout, json_pack("{s:s}", "token", id)));
  int was_taken_out = !is_chosen(host);
  while (host->result == NULL) poll_once(host);
  json_t *deleted = json_object_get(json_object_get(host->result, "result"), "deleted");
  int is_gone = json_array_size(deleted) == 1;
  json_decref(host->result);
  host->result = NULL;
  return was_taken_out && is_gone;
}

/* A saved gift card, and a new card that is saved with the payment. */
static int pay(host *host) {
  json_t *gifts = list_of(host, "savedSecondaryTokens");
  const char *gift = text(json_array_get(gifts, 0), "id");
  json_t *applied = must(hco_apply_secondary, host->checkout, json_pack("{s:s}", "token", gift));
  printf("the gift card pays %s\n", euros(number(applied, "applied")));
  json_decref(applied);
  json_decref(gifts);
  json_decref(must(hco_set_primary, host->checkout, json_pack("{s:s}", "item", CARD)));
  json_decref(must(hco_register, host->checkout, json_pack("{s:s, s:s}", "item", CARD, "name", "Holidays")));
  json_decref(wait_for(host, hco_element_open, json_pack("{s:s}", "item", CARD)));
  json_decref(must(
      hco_element_report, host->checkout,
      json_pack("{s:s, s:s, s:b}", "element", CARD, "report", "formValidity", "valid", 1)));
  json_decref(must(hco_submit, host->checkout, NULL));
  while (host->outcome == NULL) poll_once(host);
  int is_paid = strcmp(text(host->outcome, "verdict"), "success") == 0;
  printf("outcome: %s %s\n", text(host->outcome, "kind"), text(host->outcome, "status"));
  json_decref(host->outcome);
  host->outcome = NULL;
  return is_paid;
}

static int was_saved(host *host) {
  json_t *cards = list_of(host, "paymentTokens"), *card;
  size_t index;
  int was_saved = 0;
  json_array_foreach(cards, index, card) was_saved |= strcmp(text(card, "name"), "Holidays") == 0;
  json_decref(cards);
  return was_saved;
}

int main(int argc, char **argv) {
  host host = {0};
  char *reply = NULL;
  if (argc < 2) return 1;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &host.runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  open_checkout(&host, argv[1]);
  wait_for_balances(&host);
  print_lists(&host);

  char *first = card_with(&host, "**** **** **** 4242"), *second = card_with(&host, "**** **** **** 0002");
  json_decref(wait_for(&host, hco_token_update, json_pack("{s:s, s:s}", "token", second, "name", "Office")));
  json_decref(wait_for(&host, hco_token_update, json_pack("{s:s, s:b}", "token", second, "favorite", 1)));
  printf("the second card has a name and is the favorite, the first is deleted\n");
  int was_deleted = delete_chosen(&host, first);
  print_lists(&host);
  int is_paid = pay(&host);
  hco_release(host.checkout);

  open_checkout(&host, argv[1]);
  wait_for_balances(&host);
  printf("the shopper comes back\n");
  print_lists(&host);
  int is_as_wanted = was_deleted && is_paid && was_saved(&host);

  hco_release(host.checkout);
  hco_runtime_destroy(host.runtime);
  free(first);
  free(second);
  if (is_as_wanted) printf("example wallet: ok\n");
  return is_as_wanted ? 0 : 1;
}
