/*
 * Over real HTTP, against the sandbox at SANDBOX_URL: saved instruments and their wallet, saved gift cards, save decisions,
 * instalments and sessions that ask for nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "sandbox.h"

#define ENTITY "c0ffee00-0000-4000-8000-000000000001"

typedef struct customer {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *session, *results, *outcome;
  int changes;
} customer;

/* --------------------------------------------------------------------------------------------------------- back end */

/* A wallet session of the shopper's, as the merchant's backend receives it. */
static json_t *wallet_session(const char *owner) {
  static const char *const merchant[] = {"x-merchant-id: shop-1", NULL};
  CHECK_NUMBER(exchange("POST", "/wallet/session", format("{\"owner_reference\":\"%s\"}", owner), merchant), 201);
  return received_json();
}

/* Somebody else, with a wallet session of their own, does that to a token; "" is all of them. */
static void elsewhere(const char *method, const char *owner, const char *token) {
  json_t *session = wallet_session(owner);
  const char *headers[] = {
      "x-merchant-id: shop-1", format("x-wallet-session-id: %s", text_of(session, "session_id")), NULL};
  const char *path = format("/customers/%s/tokens%s%s", owner, token[0] == '\0' ? "" : "/", token);
  CHECK_NUMBER(exchange(method, path, NULL, headers), 204);
}

/* How the shopper's wallet lists a token now; NULL when it does not. */
static json_t *in_wallet(const char *owner, const char *key, const char *value) {
  json_t *session = wallet_session(owner);
  const char *id = text_of(session, "session_id");
  const char *headers[] = {"x-merchant-id: shop-1", format("x-wallet-session-id: %s", id), NULL};
  CHECK_NUMBER(exchange("GET", format("/customers/%s/sessions/%s/tokens", owner, id), NULL, headers), 200);
  json_t *list = received_json(), *token;
  size_t index;
  json_array_foreach(list, index, token) {
    if (strcmp(text_of(token, key), value) == 0) return token;
  }
  return NULL;
}

/* ------------------------------------------------------------------------------------------------------------- host */

static void listen_to(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  customer *customer = user;
  json_t *event = seen(json);
  (void)checkout;
  if (kind == HCO_EVENT_RESULT) json_array_append(customer->results, event);
  if (kind == HCO_EVENT_OUTCOME) customer->outcome = event;
  if (kind == HCO_EVENT_CHANGE) customer->changes += 1;
}

static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  (void)user;
  (void)json;
  const char *answer = "{\"ok\":{\"vault_form_token\":\"tok_success_00000000000000000000\"}}";
  if (kind == HCO_HOOK_STEP) CHECK_NUMBER(hco_answer(checkout, ticket, answer, NULL), HCO_OK);
}

/* `order` replaces amount and the sandbox's wishes: `"amount":12000,"sandbox":{...}`. */
static void open_customer(customer *customer, const char *order) {
  char *reply = NULL;
  memset(customer, 0, sizeof *customer);
  customer->results = json_array();
  CHECK_NUMBER(
      exchange(
          "POST", "/payment/v2/client-sessions",
          format(
              "{\"entity_id\":\"" ENTITY "\",\"currency\":\"EUR\",\"shopper_redirection_url\":\"shop://back\","
              "\"order\":{},%s}",
              order),
          NULL),
      201);
  customer->session = received_json();
  RESULT(
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &customer->runtime, &reply), reply);
  hco_callbacks callbacks = {.listener = listen_to, .hook = ask, .user = customer};
  char *request = format(
      "{\"widgetData\":\"%s\",\"apiPaths\":{\"payment\":\"%s\",\"datetime\":\"%s\",\"wallet\":\"%s\",\"logs\":\"%s\"},"
      "\"capabilities\":[{\"item\":\"purse-creditcard\",\"steps\":[\"collect\"]}]}",
      text_of(json_object_get(customer->session, "widget"), "data"), sandbox(), sandbox(), sandbox(), sandbox());
  reply = NULL;
  hco_status status = hco_create(customer->runtime, request, &callbacks, &customer->checkout, &reply);
  RESULT(status, reply);
  REQUIRE(status == HCO_OK);
}

static char *owned(const char *owner) {
  return format("\"amount\":12000,\"sandbox\":{\"owner\":\"%s\"}", owner);
}

static void close_customer(customer *customer) {
  hco_release(customer->checkout);
  hco_runtime_destroy(customer->runtime);
}

static json_t *property(customer *customer, const char *name) {
  char *reply = NULL;
  hco_status status = hco_state(customer->checkout, format("{\"keys\":[\"%s\"]}", name), &reply);
  return json_object_get(RESULT(status, reply), name);
}

/* A saved instrument by its value's mark, which masks end with. */
static json_t *saved(customer *customer, const char *mask_end) {
  static const char *const lists[] = {"paymentTokens", "savedSecondaryTokens"};
  for (int list = 0; list < 2; list++) {
    json_t *tokens = property(customer, lists[list]), *token;
    size_t index;
    json_array_foreach(tokens, index, token) {
      const char *mask = text_of(token, "mask");
      size_t length = strlen(mask), tail = strlen(mask_end);
      if (length >= tail && strcmp(mask + length - tail, mask_end) == 0) return token;
    }
  }
  return NULL;
}

static const char *id_of(customer *customer, const char *mask_end) {
  json_t *token = saved(customer, mask_end);
  REQUIRE(token != NULL);
  return text_of(token, "id");
}

static const char *state_of(customer *customer, const char *mask_end) {
  return text_of(json_object_get(saved(customer, mask_end), "disabled"), "code");
}

typedef hco_status hco_function(hco_checkout *checkout, const char *request, char **reply);

static json_t *done(customer *customer, hco_function *function, const char *request) {
  char *reply = NULL;
  hco_status status = function(customer->checkout, request, &reply);
  return RESULT(status, reply);
}

static void refused(customer *customer, hco_function *function, const char *request, const char *code) {
  char *reply = NULL;
  hco_status status = function(customer->checkout, request, &reply);
  ERROR(status, reply, HCO_REFUSED, code);
}

/* The event that ends the call. */
static json_t *ended(customer *customer, hco_function *function, const char *request) {
  long long call = number_of(done(customer, function, request), "call");
  for (int round = 0; round < 200; round++) {
    size_t index;
    json_t *event;
    json_array_foreach(customer->results, index, event) {
      if (number_of(event, "call") == call) return event;
    }
    CHECK_NUMBER(hco_runtime_poll(customer->runtime, 100), HCO_OK);
  }
  CHECK(!"the call has no result");
  return NULL;
}

static json_t *succeeded(customer *customer, hco_function *function, const char *request) {
  json_t *event = ended(customer, function, request);
  CHECK(json_object_get(event, "error") == NULL);
  return json_object_get(event, "result");
}

static void failed(customer *customer, hco_function *function, const char *request, const char *code) {
  json_t *error = json_object_get(ended(customer, function, request), "error");
  CHECK_TEXT(text_of(error, "code"), code);
  CHECK_TEXT(text_of(error, "moved"), "no");
  check_error_shape(error, __FILE__, __LINE__);
}

static void wait_for_balances(customer *customer) {
  for (int round = 0; round < 200; round++) {
    json_t *tokens = property(customer, "savedSecondaryTokens"), *token;
    size_t index;
    int open = 0;
    json_array_foreach(tokens, index, token) {
      open += json_is_null(json_object_get(token, "balance")) && json_is_null(json_object_get(token, "disabled"));
    }
    if (open == 0) return;
    CHECK_NUMBER(hco_runtime_poll(customer->runtime, 100), HCO_OK);
  }
  CHECK(!"a balance never came");
}

static const char *pay(customer *customer) {
  customer->outcome = NULL;
  done(customer, hco_submit, NULL);
  for (int round = 0; round < 200 && customer->outcome == NULL; round++) {
    CHECK_NUMBER(hco_runtime_poll(customer->runtime, 100), HCO_OK);
  }
  return text_of(customer->outcome, "verdict");
}

static void choose_card(customer *customer) {
  done(customer, hco_set_primary, "{\"item\":\"purse-creditcard\"}");
  succeeded(customer, hco_element_open, "{\"item\":\"purse-creditcard\"}");
  done(
      customer, hco_element_report,
      "{\"element\":\"purse-creditcard\",\"report\":\"formValidity\",\"valid\":true}");
}

/* ------------------------------------------------------------------------------------------------------------ wallet */

// seed: 002:15a
static void names_and_the_favorite(void) {
  customer customer;
  open_customer(&customer, owned("names"));
  const char *id = id_of(&customer, "0002");
  json_t *result = succeeded(
      &customer, hco_token_update, format("{\"token\":\"%s\",\"name\":\"Caf\\u00e9 \\\"1\\\"\"}", id));
  CHECK_TEXT(text_of(result, "name"), "Caf\xC3\xA9 \"1\"");
  CHECK_TEXT(text_of(saved(&customer, "0002"), "name"), "Caf\xC3\xA9 \"1\"");
  CHECK_TEXT(text_of(in_wallet("names", "id", id), "name"), "Caf\xC3\xA9 \"1\"");
  succeeded(&customer, hco_token_update, format("{\"token\":\"%s\",\"favorite\":true}", id));
  CHECK(json_is_true(json_object_get(saved(&customer, "0002"), "isFavorite")));
  CHECK(json_is_false(json_object_get(saved(&customer, "4242"), "isFavorite")));
  result = succeeded(&customer, hco_token_update, format("{\"token\":\"%s\",\"favorite\":true}", id));
  CHECK(json_is_true(json_object_get(result, "ignored")));
  refused(
      &customer, hco_token_update, format("{\"token\":\"%s\",\"name\":\"Saved card\"}", id), "TOKEN_NAME_EXISTS");
  refused(&customer, hco_token_update, format("{\"token\":\"%s\",\"name\":\" \"}", id), "INVALID_TOKEN_NAME");
  refused(&customer, hco_token_update, "{\"token\":\"nobody\",\"name\":\"x\"}", "MISSING_TOKEN");
  close_customer(&customer);
}

// seed: 002:13
static void the_chosen_one_is_deleted(void) {
  customer customer;
  open_customer(&customer, owned("deletes"));
  const char *id = id_of(&customer, "4242");
  done(&customer, hco_set_primary, format("{\"token\":\"%s\"}", id));
  done(&customer, hco_token_delete, format("{\"token\":\"%s\",\"tag\":\"d\"}", id));
  CHECK(json_is_null(property(&customer, "primary")));
  CHECK_TEXT(state_of(&customer, "4242"), "TOKEN_BEING_DELETED");
  refused(&customer, hco_set_primary, format("{\"token\":\"%s\"}", id), "METHOD_DISABLED");
  refused(&customer, hco_submit, NULL, "PAYMENT_NOT_FULFILLED_ON_SUBMIT");
  for (int round = 0; round < 200 && json_array_size(customer.results) == 0; round++) {
    CHECK_NUMBER(hco_runtime_poll(customer.runtime, 100), HCO_OK);
  }
  json_t *result = json_array_get(customer.results, 0);
  CHECK_TEXT(text_of(result, "tag"), "d");
  CHECK_TEXT(json_string_value(json_array_get(json_object_get(json_object_get(result, "result"), "deleted"), 0)), id);
  CHECK(saved(&customer, "4242") == NULL && in_wallet("deletes", "id", id) == NULL);
  /* The other one pays; a spent session is no reason to keep it. */
  done(&customer, hco_set_primary, format("{\"token\":\"%s\"}", id_of(&customer, "0002")));
  CHECK_TEXT(pay(&customer), "declined");
  json_t *deleted = json_object_get(succeeded(&customer, hco_token_delete, "{\"all\":true}"), "deleted");
  CHECK_NUMBER(json_array_size(deleted), 3);
  CHECK_NUMBER(json_array_size(property(&customer, "paymentTokens")), 0);
  CHECK(json_is_true(json_object_get(succeeded(&customer, hco_token_delete, "{\"all\":true}"), "ignored")));
  close_customer(&customer);
}

static void deleted_elsewhere(void) {
  customer customer;
  open_customer(&customer, owned("elsewhere"));
  const char *first = id_of(&customer, "4242"), *second = id_of(&customer, "0002");
  done(&customer, hco_set_primary, format("{\"token\":\"%s\"}", first));
  elsewhere("DELETE", "elsewhere", first);
  failed(&customer, hco_token_update, format("{\"token\":\"%s\",\"name\":\"x\"}", first), "MISSING_TOKEN");
  CHECK_TEXT(state_of(&customer, "4242"), "TOKEN_DELETED");
  CHECK(json_is_null(property(&customer, "primary")));
  succeeded(&customer, hco_token_delete, format("{\"token\":\"%s\"}", first));
  CHECK(saved(&customer, "4242") == NULL);
  /* Paying with one that is gone moves nothing, and the token says why. */
  done(&customer, hco_set_primary, format("{\"token\":\"%s\"}", second));
  elsewhere("DELETE", "elsewhere", second);
  pay(&customer);
  CHECK_TEXT(text_of(customer.outcome, "kind"), "failed");
  CHECK_TEXT(text_of(json_object_get(customer.outcome, "error"), "code"), "PAYMENT_TOKEN_NOT_FOUND_IN_SESSION");
  CHECK_TEXT(state_of(&customer, "0002"), "TOKEN_DELETED");
  close_customer(&customer);
}

static void a_wallet_that_fails(void) {
  static const char *const faults[] = {
      "{\"path\":\"tokens\",\"fault\":\"status\",\"status\":500,\"method\":\"PATCH\"}",
      "{\"path\":\"tokens\",\"fault\":\"processThenDrop\",\"method\":\"PATCH\"}",
      "{\"path\":\"tokens\",\"fault\":\"dropBeforeReading\",\"method\":\"PATCH\"}",
      "{\"path\":\"tokens\",\"fault\":\"reset\",\"method\":\"PATCH\"}",
  };
  customer customer;
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) {
    context("%s", faults[index]);
    open_customer(&customer, owned("fails"));
    const char *id = id_of(&customer, "4242");
    fault(faults[index]);
    failed(&customer, hco_token_update, format("{\"token\":\"%s\",\"name\":\"N%zu\"}", id, index), "UNKNOWN_ERROR");
    fault(NULL);
    /* The wallet is asked what it has: a name that was written all the same is told. */
    const char *name = text_of(in_wallet("fails", "id", id), "name");
    for (int round = 0; round < 100 && strcmp(text_of(saved(&customer, "4242"), "name"), name) != 0; round++) {
      CHECK_NUMBER(hco_runtime_poll(customer.runtime, 100), HCO_OK);
    }
    CHECK_TEXT(text_of(saved(&customer, "4242"), "name"), name);
    close_customer(&customer);
  }
  context("delete all");
  open_customer(&customer, owned("fails-all"));
  fault("{\"path\":\"tokens\",\"fault\":\"processThenDrop\",\"method\":\"DELETE\"}");
  failed(&customer, hco_token_delete, "{\"all\":true}", "FAILED_TO_DELETE_ALL_TOKENS");
  fault(NULL);
  for (int round = 0; round < 100 && strcmp(state_of(&customer, "4242"), "TOKEN_DELETED") != 0; round++) {
    CHECK_NUMBER(hco_runtime_poll(customer.runtime, 100), HCO_OK);
  }
  CHECK_TEXT(state_of(&customer, "4242"), "TOKEN_DELETED");
  close_customer(&customer);
}

static void a_wallet_session_is_attached(void) {
  customer customer;
  open_customer(&customer, "\"amount\":12000");
  CHECK(json_is_null(property(&customer, "walletSession")));
  const char *known = id_of(&customer, "4242");
  refused(&customer, hco_token_update, format("{\"token\":\"%s\",\"favorite\":true}", known), "MISSING_WALLET_SESSION");
  char *session = json_dumps(wallet_session("arrives"), 0);
  json_t *result =
      succeeded(&customer, hco_set_wallet_session, format("{\"walletSession\":%s,\"tag\":\"w\"}", session));
  CHECK(text_of(json_object_get(result, "walletSession"), "id")[0] != '\0');
  CHECK(json_is_object(property(&customer, "walletSession")));
  CHECK(saved(&customer, "0002") != NULL);
  wait_for_balances(&customer);
  CHECK_NUMBER(number_of(saved(&customer, "00_1"), "balance"), 5000);
  result = succeeded(&customer, hco_set_wallet_session, format("{\"walletSession\":%s}", session));
  CHECK(json_is_true(json_object_get(result, "ignored")));
  failed(
      &customer, hco_set_wallet_session,
      "{\"walletSession\":{\"session_id\":\"w\",\"owner_reference\":\"o\",\"merchant\":\"m\"}}",
      "SET_WALLET_SESSION_FAILED");
  CHECK(json_is_object(property(&customer, "walletSession")));
  /* What was attached pays. */
  done(&customer, hco_set_primary, format("{\"token\":\"%s\"}", id_of(&customer, "0002")));
  CHECK_TEXT(pay(&customer), "declined");
  close_customer(&customer);
}

// seed: 002:14
static void saved_gift_cards_pay(void) {
  customer customer;
  char *snapshot = NULL;
  open_customer(&customer, owned("gifts"));
  const char *gift = id_of(&customer, "00_1");
  refused(&customer, hco_apply_secondary, format("{\"token\":\"%s\"}", gift), "INVALID_TAKE_AMOUNT");
  wait_for_balances(&customer);
  CHECK_NUMBER(number_of(saved(&customer, "00_1"), "balance"), 5000);
  CHECK_NUMBER(number_of(saved(&customer, "34_2"), "balance"), 1234);
  CHECK_NUMBER(json_array_size(property(&customer, "secondaryTokens")), 0);
  json_t *applied = done(&customer, hco_apply_secondary, format("{\"token\":\"%s\"}", gift));
  CHECK_NUMBER(number_of(applied, "applied"), 5000);
  CHECK_NUMBER(number_of(applied, "remainingAmountToPay"), 7000);
  done(&customer, hco_apply_secondary, format("{\"token\":\"%s\",\"amount\":1000}", id_of(&customer, "34_2")));
  CHECK_NUMBER(hco_save_state(customer.checkout, &snapshot), HCO_OK);
  CHECK(strstr(snapshot, "wgc_") == NULL);
  hco_free(snapshot);
  done(&customer, hco_set_primary, format("{\"token\":\"%s\"}", id_of(&customer, "4242")));
  CHECK_TEXT(pay(&customer), "success");
  CHECK_NUMBER(json_array_size(json_object_get(customer.outcome, "results")), 3);
  close_customer(&customer);

  context("one that the issuer blocked");
  open_customer(
      &customer,
      "\"amount\":12000,\"sandbox\":{\"protocols\":{\"illicado\":{\"giftcard\":{\"configurations\":{\"labels\":["
      "\"secondary\"]},\"integrated_tokens\":[{\"id\":\"b\",\"value\":\"wgc_blocked\",\"description\":{"
      "\"masked_pan\":\"**** 6\"}}]}}}}");
  for (int round = 0; round < 100 && state_of(&customer, "6")[0] == '\0'; round++) {
    CHECK_NUMBER(hco_runtime_poll(customer.runtime, 100), HCO_OK);
  }
  CHECK_TEXT(state_of(&customer, "6"), "TOKEN_INIT_FAILED");
  refused(&customer, hco_apply_secondary, "{\"token\":\"b\"}", "METHOD_DISABLED");
  close_customer(&customer);
}

static void what_pays_is_saved(void) {
  customer customer;
  open_customer(&customer, owned("saves"));
  wait_for_balances(&customer);
  choose_card(&customer);
  json_t *reply = done(&customer, hco_register, "{\"item\":\"purse-creditcard\",\"name\":\"Blue\"}");
  CHECK_NUMBER(json_array_size(json_object_get(reply, "registrations")), 1);
  succeeded(
      &customer, hco_read_secondary,
      "{\"item\":\"illicado-giftcard\",\"number\":\"6000000000001234\",\"cvv\":\"1234\"}");
  refused(&customer, hco_token_update, "{\"token\":\"gc1\",\"name\":\"x\"}", "TOKEN_NOT_REGISTERED");
  refused(&customer, hco_token_delete, "{\"token\":\"gc1\"}", "METHOD_NOT_IMPLEMENTED");
  done(&customer, hco_register, "{\"token\":\"gc1\",\"name\":\"Gift\"}");
  done(&customer, hco_apply_secondary, "{\"token\":\"gc1\"}");
  refused(&customer, hco_register, "{\"item\":\"hipay-bancontact\"}", "METHOD_NOT_REGISTERABLE");
  CHECK_TEXT(pay(&customer), "success");
  CHECK(in_wallet("saves", "name", "Blue") != NULL && in_wallet("saves", "name", "Gift") != NULL);
  close_customer(&customer);

  context("silence");
  open_customer(&customer, owned("silence"));
  choose_card(&customer);
  done(&customer, hco_register, "{\"item\":\"purse-creditcard\",\"name\":\"Blue\"}");
  done(&customer, hco_register, "{\"item\":\"purse-creditcard\",\"register\":false}");
  CHECK_TEXT(pay(&customer), "success");
  CHECK(in_wallet("silence", "name", "Blue") == NULL);
  close_customer(&customer);
}

static void instalments_sum_to_the_total(void) {
  customer customer;
  open_customer(&customer, "\"amount\":1000001");
  for (long long amount = 500000; amount < 500040; amount++) {
    json_t *result = succeeded(
        &customer, hco_simulate_loan, format("{\"item\":\"younited-loan\",\"amount\":%lld}", amount));
    json_t *loans = json_object_get(result, "loans"), *loan, *instalment;
    size_t index, place;
    CHECK_NUMBER(json_array_size(loans), 2);
    json_array_foreach(loans, index, loan) {
      long long sum = 0;
      json_array_foreach(json_object_get(loan, "installments"), place, instalment) {
        sum += json_integer_value(instalment);
      }
      CHECK_NUMBER(sum, number_of(loan, "totalAmount"));
      CHECK_NUMBER(sum, amount + number_of(loan, "totalCost"));
    }
  }
  json_t *whole = succeeded(&customer, hco_simulate_loan, "{\"item\":\"younited-loan\",\"tag\":\"t\"}");
  CHECK_NUMBER(number_of(whole, "amount"), 1000001);
  CHECK_TEXT(text_of(json_array_get(json_object_get(whole, "loans"), 1), "aprc"), "0.0649");
  failed(&customer, hco_simulate_loan, "{\"item\":\"younited-loan\",\"amount\":1000}", "INVALID_LOAN_SIMULATION");
  refused(&customer, hco_simulate_loan, "{\"item\":\"purse-creditcard\"}", "METHOD_IS_NOT_SIMULABLE");
  refused(&customer, hco_simulate_loan, "{\"item\":\"nobody\"}", "PAYMENT_METHOD_NOT_FOUND");
  CHECK(json_is_null(property(&customer, "primary")));
  close_customer(&customer);
}

static void a_session_that_asks_for_nothing(void) {
  customer customer;
  open_customer(&customer, "\"sandbox\":{\"informationRequest\":true,\"owner\":\"informs\"}");
  CHECK(json_is_true(property(&customer, "isInformationRequest")));
  CHECK_NUMBER(json_integer_value(property(&customer, "amount")), 0);
  CHECK_NUMBER(json_array_size(property(&customer, "paymentMethods")), 1);
  refused(&customer, hco_submit, NULL, "PAYMENT_NOT_FULFILLED_ON_SUBMIT");
  choose_card(&customer);
  done(&customer, hco_register, "{\"item\":\"purse-creditcard\",\"name\":\"For later\"}");
  CHECK_NUMBER(number_of(json_array_get(property(&customer, "amountSplit"), 0), "amount"), 0);
  CHECK_TEXT(pay(&customer), "success");
  CHECK(in_wallet("informs", "name", "For later") != NULL);
  close_customer(&customer);
}

static void torn_down_in_the_middle(void) {
  customer customer;
  char *reply = NULL;
  open_customer(&customer, owned("torn"));
  fault("{\"path\":\"tokens\",\"fault\":\"delay\",\"delayMs\":1500,\"times\":null}");
  const char *id = id_of(&customer, "4242");
  done(&customer, hco_token_update, format("{\"token\":\"%s\",\"name\":\"Late\"}", id));
  done(&customer, hco_token_delete, format("{\"token\":\"%s\"}", id_of(&customer, "0002")));
  CHECK_NUMBER(hco_runtime_poll(customer.runtime, 100), HCO_OK);
  RESULT(hco_teardown(customer.checkout, &reply), reply);
  CHECK_NUMBER(hco_runtime_poll(customer.runtime, 100), HCO_OK);
  CHECK_NUMBER(json_array_size(customer.results), 2);
  for (int index = 0; index < 2; index++) {
    json_t *error = json_object_get(json_array_get(customer.results, index), "error");
    CHECK_TEXT(text_of(error, "code"), "CHECKOUT_TORN_DOWN");
  }
  fault(NULL);
  refused(&customer, hco_token_delete, "{\"all\":true}", "CHECKOUT_TORN_DOWN");
  close_customer(&customer);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(names_and_the_favorite),
      TEST(the_chosen_one_is_deleted),
      TEST(deleted_elsewhere),
      TEST(a_wallet_that_fails),
      TEST(a_wallet_session_is_attached),
      TEST(saved_gift_cards_pay),
      TEST(what_pays_is_saved),
      TEST(instalments_sum_to_the_total),
      TEST(a_session_that_asks_for_nothing),
      TEST(torn_down_in_the_middle),
  };
  return RUN_TESTS("wallet", tests);
}
