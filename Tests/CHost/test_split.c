/* Convention 7: amounts; what gift cards take; elements. */
#include <stdio.h>
#include <string.h>

#include "host.h"

static void amounts_that_the_host_may_not_pass(void) {
  static const char *const wrong[] = {
      "1e400",
      "19.999",
      "19.0",
      "1e3",
      "1E3",
      "\"12,50\"",
      "\"1250\"",
      "null",
      "true",
      "[]",
      "{}",
      "9223372036854775808",
      "-9223372036854775809",
      "99999999999999999999999999999999",
      "0.5",
      "-0.0"};
  static const char *const impossible[] = {
      "0",    "-1",   "-9223372036854775808", "9223372036854775807", "9007199254740992", "9007199254740991",
      "3001", "12001"};
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.balance = "30.00";
  char *token = host_read_card(&host, "illicado-giftcard", "6000000100003000");
  char *before = host_state(&host);
  for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    context("%s", wrong[index]);
    json_t *error = ERROR(
        hco_apply_secondary(host.checkout, format("{\"token\":\"%s\",\"amount\":%s}", token, wrong[index]), &reply),
        reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    CHECK_TEXT(text_of(error, "path"), "amount");
    CHECK(number_of(error, "offset") > 0);
  }
  for (size_t index = 0; index < sizeof impossible / sizeof *impossible; index++) {
    context("%s", impossible[index]);
    hco_status status = hco_apply_secondary(
        host.checkout, format("{\"token\":\"%s\",\"amount\":%s}", token, impossible[index]), &reply);
    CHECK(status == HCO_REFUSED || status == HCO_INVALID_ARGUMENT);
    if (status == HCO_REFUSED) {
      ERROR(status, reply, HCO_REFUSED, "INVALID_TAKE_AMOUNT");
    } else {
      hco_free(reply);
    }
    reply = NULL;
  }
  char *after = host_state(&host);
  CHECK_TEXT(after, before);
}

static json_t *apply(host *host, const char *token, long long amount) {
  char *reply = NULL;
  char *request =
      amount < 0 ? format("{\"token\":\"%s\"}", token) : format("{\"token\":\"%s\",\"amount\":%lld}", token, amount);
  return RESULT(hco_apply_secondary(host->checkout, request, &reply), reply);
}

static long long slice(const json_t *reply, size_t index) {
  return number_of(json_array_get(json_object_get(reply, "amountSplit"), index), "amount");
}

// seed: 002:11
// seed: 002:12
// seed: 002:18a
// seed: 002:18b
// seed: 002:18c
// seed: 002:19a
// seed: 002:19c
static void the_split(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.balance = "30.00";
  char *one = host_read_card(&host, "illicado-giftcard", "6000000100003000");
  host.backend.balance = "200.00";
  char *two = host_read_card(&host, "buybox-giftcard", "6000000200020000");
  json_t *applied = apply(&host, one, -1);
  CHECK_NUMBER(number_of(applied, "applied"), 3000);
  CHECK_NUMBER(number_of(applied, "amountLoss"), 0);
  CHECK_NUMBER(number_of(applied, "remainingAmountToPay"), 9000);
  applied = apply(&host, two, 4000);
  CHECK_NUMBER(number_of(applied, "remainingAmountToPay"), 5000);
  context("replaced in place");
  applied = apply(&host, one, 1000);
  CHECK_NUMBER(slice(applied, 0), 1000);
  CHECK_NUMBER(slice(applied, 1), 4000);
  json_t *split = RESULT(hco_set_primary(host.checkout, "{\"item\":\"hipay-bancontact\"}", &reply), reply);
  CHECK_NUMBER(json_array_size(json_object_get(split, "amountSplit")), 3);
  CHECK_NUMBER(slice(split, 2), 7000);
  CHECK(json_is_true(json_object_get(split, "isPaymentFulfilled")));
  CHECK_NUMBER(json_array_size(json_object_get(split, "submitBlockers")), 0);
  context("all covered: the primary stays chosen and sends no slice");
  applied = apply(&host, two, -1);
  CHECK_NUMBER(number_of(applied, "applied"), 11000);
  CHECK_NUMBER(number_of(applied, "remainingAmountToPay"), 0);
  json_t *state = taken(host_state(&host));
  CHECK_TEXT(text_of(json_object_get(state, "primary"), "item"), "hipay-bancontact");
  CHECK_NUMBER(json_array_size(json_object_get(state, "amountSplit")), 2);
  CHECK(json_is_true(json_object_get(state, "isPaymentFulfilled")));
  context("removed");
  split = RESULT(hco_remove_secondary(host.checkout, format("{\"token\":\"%s\"}", one), &reply), reply);
  CHECK_NUMBER(number_of(split, "remainingAmountToPay"), 1000);
  CHECK_NUMBER(json_array_size(json_object_get(taken(host_state(&host)), "secondaryTokens")), 2);
  applied = apply(&host, two, -1);
  CHECK_NUMBER(number_of(applied, "applied"), 12000);
  host_submit(&host);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK(json_is_null(json_object_get(OUTCOME(&host), "element")));
  json_t *body = json_loads(text_of(host.backend.last_validate, "body"), 0, NULL);
  CHECK_NUMBER(json_array_size(body), 1);
}

static void choosing_what_is_not_there(void) {
  static const struct {
    hco_status (*call)(hco_checkout *, const char *, char **);
    const char *text, *code;
  } table[] = {
      {hco_set_primary, "{\"item\":\"nobody-nothing\"}", "PAYMENT_METHOD_NOT_FOUND"},
      {hco_set_primary, "{\"item\":\"\"}", "PAYMENT_METHOD_NOT_FOUND"},
      {hco_set_primary, "{\"item\":\"illicado-giftcard\"}", "PAYMENT_METHOD_NOT_FOUND"},
      {hco_set_primary, "{\"token\":\"nobody\"}", "PAYMENT_METHOD_NOT_FOUND"},
      {hco_read_secondary, "{\"item\":\"purse-creditcard\",\"number\":\"6000000100003000\"}",
       "PAYMENT_METHOD_NOT_FOUND"},
      {hco_read_secondary, "{\"item\":\"nobody\",\"number\":\"6000000100003000\"}", "PAYMENT_METHOD_NOT_FOUND"},
      {hco_read_secondary, "{\"item\":\"illicado-giftcard\",\"number\":\"\"}", "SECONDARY_METHOD_WRONG_PAN_FORMAT"},
      {hco_read_secondary, "{\"item\":\"illicado-giftcard\",\"number\":\" - \"}", "SECONDARY_METHOD_WRONG_PAN_FORMAT"},
      {hco_read_secondary,
       "{\"item\":\"illicado-giftcard\",\"number\":"
       "\"600000010000300060000001000030006000000100003000600000010000300060000001\"}",
       "SECONDARY_METHOD_WRONG_PAN_FORMAT"},
      {hco_apply_secondary, "{\"token\":\"gc99\"}", "MISSING_TOKEN"},
      {hco_apply_secondary, "{\"token\":\"\"}", "MISSING_TOKEN"},
      {hco_remove_secondary, "{\"token\":\"gc99\"}", "MISSING_TOKEN"},
      {hco_element_open, "{\"item\":\"nobody\"}", "PAYMENT_METHOD_NOT_FOUND"},
      {hco_element_open, "{\"item\":\"purse-creditcard\",\"appReturnURL\":\"javascript:alert(1)\"}",
       "INVALID_INIT_PARAMS"},
      {hco_element_open, "{\"item\":\"purse-creditcard\",\"appReturnURL\":\"\"}", "INVALID_INIT_PARAMS"},
      {hco_element_open, "{\"item\":\"purse-creditcard\",\"appReturnURL\":\"http://shop.example/\"}",
       "INVALID_INIT_PARAMS"},
      {hco_element_report, "{\"element\":\"hipay-bancontact\",\"report\":\"ready\"}", "MISSING_TOKEN"},
      {hco_element_close, "{\"element\":\"hipay-bancontact\"}", "MISSING_TOKEN"},
      {hco_redirect_report, "{\"presentation\":\"p1\",\"canceled\":true}", "TICKET_CLOSED"},
      {hco_redirect_report, "{\"presentation\":\"p99\",\"url\":null}", "TICKET_CLOSED"},
  };
  host host;
  char *reply = NULL;
  host_open(&host);
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    context("%s", table[index].text);
    char *before = host_state(&host);
    ERROR(table[index].call(host.checkout, table[index].text, &reply), reply, HCO_REFUSED, table[index].code);
    char *after = host_state(&host);
    CHECK_TEXT(after, before);
    hco_free(before);
    hco_free(after);
  }
}

static void null_counts_as_left_out(void) {
  static const creation nulls = {
      .hooks = "null", .capabilities = "null", .more = "\"disabledMethods\":null,\"redirectHosts\":null"};
  host host;
  char *reply = NULL;
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, NULL, &nulls);
  json_t *state = RESULT(hco_state(host.checkout, "{\"keys\":null}", &reply), reply);
  CHECK(json_object_get(state, "sessionState") != NULL && json_object_get(state, "waitingFor") != NULL);
  static const char read[] =
      "{\"item\":\"illicado-giftcard\",\"number\":\"6000000100003000\",\"cvv\":null,\"tag\":null}";
  json_t *call = RESULT(hco_read_secondary(host.checkout, read, &reply), reply);
  CHECK(number_of(call, "call") > 0);
}

static void requests_that_contradict_themselves(void) {
  static const struct {
    hco_status (*call)(hco_checkout *, const char *, char **);
    const char *text;
  } table[] = {
      {hco_set_primary, "{\"item\":\"purse-creditcard\",\"token\":\"saved-1\"}"},
      {hco_set_primary, "{\"none\":false}"},
      {hco_set_primary, "{\"item\":\"purse-creditcard\",\"none\":true}"},
      {hco_set_primary, "{\"item\":null}"},
      {hco_state, "{\"keys\":[\"nothing\"]}"},
      {hco_split, "{\"keys\":[\"\"]}"},
      {hco_element_open, "{\"item\":\"purse-creditcard\",\"redirect\":\"maybe\"}"},
      {hco_element_open, "{\"item\":\"purse-creditcard\",\"token\":\"saved-1\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"thunder\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"formValidity\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"ready\",\"valid\":true}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"partnerError\",\"message\":\"m\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"initFailed\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"brands\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"brands\",\"brands\":\"VISA\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"brands\",\"brands\":[1]}"},
      {hco_element_report,
       "{\"element\":\"purse-creditcard\",\"report\":\"brands\",\"brands\":[\"4111 1111 1111 1111\"]}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"brandSelected\"}"},
      {hco_element_report,
       "{\"element\":\"purse-creditcard\",\"report\":\"brandSelected\",\"brand\":\"4111111111111111\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"approved\",\"payment_data\":\"x\"}"},
      {hco_element_report, "{\"element\":\"purse-creditcard\",\"report\":\"redirect\",\"url\":\"https://x\"}"},
      {hco_element_open, "{\"token\":\"saved-1\",\"securityCode\":\"123\"}"},
      {hco_abort, "{\"attempt\":1,\"call\":1}"},
      {hco_abort, "{\"attempt\":1.0}"},
      {hco_redirect_report, "{\"presentation\":\"p1\"}"},
      {hco_redirect_report, "{\"presentation\":\"p1\",\"canceled\":false}"},
      {hco_redirect_report, "{\"presentation\":\"p1\",\"url\":null,\"canceled\":true}"},
      {hco_redirect_report, "{\"presentation\":\"p1\",\"failed\":null}"},
  };
  host host;
  char *reply = NULL;
  host_open(&host);
  host_choose_card(&host);
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    context("%s", table[index].text);
    char *before = host_state(&host);
    ERROR(table[index].call(host.checkout, table[index].text, &reply), reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    char *after = host_state(&host);
    CHECK_TEXT(after, before);
  }
}

static void gift_cards_that_are_refused(void) {
  static const struct {
    const char *init, *code;
  } table[] = {
      {"CARD_EXPIRED", "FAILED_TO_INIT_SECONDARY_TOKEN"},
      {"WRONG_CARD_DATA", "FAILED_TO_INIT_SECONDARY_TOKEN"},
      {"DUPLICATED_TRANSACTION", NULL}};
  host host;
  char *reply = NULL;
  for (int index = 0; index < 3; index++) {
    context("%s", table[index].init);
    host_open(&host);
    host.backend.init_code = table[index].init;
    RESULT(
        hco_read_secondary(
            host.checkout, "{\"item\":\"illicado-giftcard\",\"number\":\"6000000100003000\",\"cvv\":\"1234\"}", &reply),
        reply);
    host_pump(&host);
    const json_t *error = json_object_get(last_of(host.events, "result"), "error");
    check_error_shape(error, __FILE__, __LINE__);
    if (table[index].code != NULL) CHECK_TEXT(text_of(error, "code"), table[index].code);
    CHECK_TEXT(text_of(error, "moved"), "no");
    CHECK_TEXT(host_session_state(&host), "ready");
  }
  context("empty");
  host_open(&host);
  host.backend.balance = "0.00";
  RESULT(
      hco_read_secondary(
          host.checkout, "{\"item\":\"illicado-giftcard\",\"number\":\"6000000100003000\",\"cvv\":\"1234\"}", &reply),
      reply);
  host_pump(&host);
  CHECK_TEXT(
      text_of(json_object_get(last_of(host.events, "result"), "error"), "code"), "SECONDARY_TOKEN_EMPTY_BALANCE");
  context("balances that are none");
  static const char *const balances[] = {"-1", "1e400", "\"much\"", "19.999", "null", "90071992547409.92"};
  for (size_t index = 0; index < sizeof balances / sizeof *balances; index++) {
    context("balance %s", balances[index]);
    host_open(&host);
    host.backend.balance = balances[index];
    RESULT(
        hco_read_secondary(
            host.checkout, "{\"item\":\"illicado-giftcard\",\"number\":\"6000000100003000\",\"cvv\":\"1234\"}", &reply),
        reply);
    host_pump(&host);
    check_error_shape(json_object_get(last_of(host.events, "result"), "error"), __FILE__, __LINE__);
  }
}

/* All or nothing: what the order does not need is lost with the card. */
static void a_card_that_gives_all(void) {
  host host;
  char *reply = NULL;
  session loyal = {
      .protocols = "{\"maxxing\":{\"loyaltycard\":{\"configurations\":{\"labels\":[\"secondary\"],\"settings\":{}}}}}"};
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, &loyal, NULL);
  host_pump(&host);
  host.backend.balance = "200.00";
  char *token = host_read_card(&host, "maxxing-loyaltycard", "6000000100020000");
  char *part = format("{\"token\":\"%s\",\"amount\":5000}", token);
  ERROR(hco_apply_secondary(host.checkout, part, &reply), reply, HCO_REFUSED, "SECONDARY_METHOD_TAKE_POLICY_VIOLATED");
  json_t *applied = apply(&host, token, -1);
  CHECK_NUMBER(number_of(applied, "applied"), 12000);
  CHECK_NUMBER(number_of(applied, "amountLoss"), 8000);
  CHECK_NUMBER(number_of(applied, "remainingAmountToPay"), 0);
}

/* A primary whose bounds the remainder leaves: disabled, and the gate says so. */
// seed: 002:42b
static void bounds_of_the_remainder(void) {
  host host;
  char *reply = NULL;
  session bounded = {
      .protocols =
          "{\"a\":{\"b\":{\"configurations\":{\"labels\":[\"primary\"],\"settings\":{\"payment_min_amount\":100.00}}}},"
          "\"buybox\":{\"giftcard\":{\"configurations\":{\"labels\":[\"secondary\"],\"settings\":{}}}}}"};
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, &bounded, NULL);
  host_pump(&host);
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"a-b\"}", &reply), reply);
  char *token = host_read_card(&host, "buybox-giftcard", "6000000100005000");
  apply(&host, token, 3000);
  json_t *state = taken(host_state(&host));
  json_t *disabled = json_object_get(json_array_get(json_object_get(state, "paymentMethods"), 0), "disabled");
  CHECK_TEXT(text_of(disabled, "code"), "MIN_AMOUNT_NOT_MET");
  CHECK_NUMBER(number_of(json_object_get(disabled, "details"), "minAmount"), 10000);
  CHECK_NUMBER(number_of(json_object_get(disabled, "details"), "restToPay"), 9000);
  ERROR(hco_submit(host.checkout, NULL, &reply), reply, HCO_REFUSED, "METHOD_DISABLED");
  RESULT(hco_set_primary(host.checkout, "{\"none\":true}", &reply), reply);
  ERROR(hco_set_primary(host.checkout, "{\"item\":\"a-b\"}", &reply), reply, HCO_REFUSED, "METHOD_DISABLED");
  apply(&host, token, 2000);
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"a-b\"}", &reply), reply);
  host_submit(&host);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
}

static void the_usage_limit(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.balance = "10.00";
  char *tokens[4];
  for (int index = 0; index < 4; index++) {
    tokens[index] = host_read_card(&host, "illicado-giftcard", format("600000%02d00001000", index));
    if (index < 3) apply(&host, tokens[index], -1);
  }
  ERROR(
      hco_apply_secondary(host.checkout, format("{\"token\":\"%s\"}", tokens[3]), &reply), reply, HCO_REFUSED,
      "USAGE_LIMIT_ERROR");
  CHECK_NUMBER(number_of(taken(host_state(&host)), "remainingAmountToPay"), 9000);
}

// seed: 001:33b
static void what_a_page_may_do(void) {
  static const struct {
    const char *url;
    int32_t verdict;
  } table[] = {
      {"https://bank.example/3ds?x=1#y", HCO_VERDICT_ALLOW},
      {"https://bank.example:443/", HCO_VERDICT_ALLOW},
      {"http://bank.example/", HCO_VERDICT_BLOCK},
      {"http://127.0.0.1:8080/", HCO_VERDICT_BLOCK},
      {"javascript:alert(1)", HCO_VERDICT_BLOCK},
      {"data:text/html,x", HCO_VERDICT_BLOCK},
      {"file:///etc/passwd", HCO_VERDICT_BLOCK},
      {"about:blank", HCO_VERDICT_BLOCK},
      {"intent://x#Intent;end", HCO_VERDICT_BLOCK},
      {"", HCO_VERDICT_BLOCK},
      {"https://", HCO_VERDICT_BLOCK},
      {"https:///x", HCO_VERDICT_BLOCK},
      {"https:bank.example", HCO_VERDICT_BLOCK},
      {"https://user@bank.example/", HCO_VERDICT_BLOCK},
      {"https://user:pw@bank.example/", HCO_VERDICT_BLOCK},
      {"https://bank.example\\@evil.example/", HCO_VERDICT_BLOCK},
      {"https:\\\\bank.example/", HCO_VERDICT_BLOCK},
      {"https://bank%2eexample/", HCO_VERDICT_BLOCK},
      {"https://b\xC3\xA4nk.example/", HCO_VERDICT_BLOCK},
      {"https://bank.example:8443/", HCO_VERDICT_BLOCK},
      {"https://bank.example:99999/", HCO_VERDICT_BLOCK},
      {"https://bank .example/", HCO_VERDICT_BLOCK},
      {"https://bank.example/\n", HCO_VERDICT_BLOCK},
      {" https://bank.example/", HCO_VERDICT_BLOCK},
      {"https://0x7f.1/", HCO_VERDICT_BLOCK},
      {"https://2130706433/", HCO_VERDICT_BLOCK},
      {"test-shop://return", HCO_VERDICT_RETURN},
      {"test-shop://return?x=1", HCO_VERDICT_RETURN},
      {"TEST-SHOP://return/done", HCO_VERDICT_RETURN},
      {"test-shop://returned", HCO_VERDICT_BLOCK},
      {"test-shopping://return", HCO_VERDICT_BLOCK},
      {"test-shop://other", HCO_VERDICT_BLOCK},
      {"\xFF", HCO_VERDICT_BLOCK},
  };
  host host;
  host_open(&host);
  host_choose_card(&host);
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    char *reply = NULL;
    int32_t verdict = 0x5A5A5A5A;
    context("%s", table[index].url);
    char *before = host_state(&host);
    hco_status status = hco_redirect_check(host.checkout, table[index].url, &verdict, &reply);
    CHECK_NUMBER(verdict, table[index].verdict);
    CHECK(status == HCO_OK || (table[index].url[0] == '\xFF' && status == HCO_INVALID_ARGUMENT));
    json_decref(taken(reply));
    char *after = host_state(&host);
    CHECK_TEXT(after, before);
  }
}

static void open_a_page(host *host) {
  host_open(host);
  host->backend.redirect_url = "https://bank.example/3ds";
  host->backend.global_status = "WAITING";
  host_pay(host);
}

// seed: 001:27a
// seed: 002:36
// seed: 002:37
static void how_a_page_ends(void) {
  static const struct {
    const char *end, *kind, *code, *state, *reason;
  } table[] = {
      {"\"url\":\"test-shop://return?a=1\"", "returnedFromRedirect", "", "submitted", "returned"},
      {"\"url\":null", "returnedFromRedirect", "", "submitted", "returned"},
      {"\"canceled\":true", "canceled", "", "submitted", "canceled"},
      {"\"failed\":\"no web view\"", "failed", "POST_VALIDATE_FAILED", "error", "failed"},
  };
  for (int index = 0; index < 4; index++) {
    host host;
    char *reply = NULL;
    context("%s", table[index].end);
    open_a_page(&host);
    json_t *page = last_of(host.events, "redirect");
    CHECK_TEXT(text_of(page, "state"), "open");
    json_t *action = json_object_get(page, "action");
    CHECK_TEXT(text_of(action, "kind"), "get");
    CHECK_TEXT(text_of(action, "url"), "https://bank.example/3ds");
    CHECK_TEXT(text_of(action, "returnURLPrefix"), "test-shop://return");
    CHECK_NUMBER(json_array_size(json_object_get(action, "surfaces")), 3);
    const char *presentation = text_of(page, "presentation");
    char *wrong = format("{\"presentation\":\"%s\",\"url\":\"https://bank.example/\"}", presentation);
    ERROR(hco_redirect_report(host.checkout, wrong, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
    reply = NULL;
    char *report = format("{\"presentation\":\"%s\",%s}", presentation, table[index].end);
    json_t *result = RESULT(hco_redirect_report(host.checkout, report, &reply), reply);
    CHECK(json_is_false(json_object_get(result, "late")));
    host_pump(&host);
    CHECK_TEXT(text_of(OUTCOME(&host), "kind"), table[index].kind);
    CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "code"), table[index].code);
    CHECK_TEXT(host_session_state(&host), table[index].state);
    if (index == 2) CHECK(json_is_true(json_object_get(OUTCOME(&host), "spent")));
    json_t *closed = last_of(host.events, "redirect");
    CHECK_TEXT(text_of(closed, "state"), "closed");
    CHECK_TEXT(text_of(closed, "reason"), table[index].reason);
    reply = NULL;
    ERROR(hco_redirect_report(host.checkout, report, &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
    ERROR(hco_submit(host.checkout, NULL, &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
    CHECK_NUMBER(count_of(host.events, "outcome"), 1);
    CHECK_NUMBER(host.backend.validates, 1);
    host_close(&host);
  }
}

// seed: 002:37
static void a_canceled_page_opens_again(void) {
  host host;
  char *reply = NULL;
  open_a_page(&host);
  const char *first = text_of(last_of(host.events, "redirect"), "presentation");
  RESULT(
      hco_redirect_report(host.checkout, format("{\"presentation\":\"%s\",\"canceled\":true}", first), &reply), reply);
  host_pump(&host);
  RESULT(hco_redirect_present(host.checkout, "{\"attempt\":1,\"tag\":\"again\"}", &reply), reply);
  host_pump(&host);
  json_t *result = last_of(host.events, "result");
  CHECK_TEXT(text_of(result, "tag"), "again");
  const char *second = text_of(json_object_get(result, "result"), "presentation");
  CHECK(second[0] != '\0' && strcmp(first, second) != 0);
  json_t *late = RESULT(
      hco_redirect_report(
          host.checkout, format("{\"presentation\":\"%s\",\"url\":\"test-shop://return\"}", second), &reply),
      reply);
  CHECK(json_is_true(json_object_get(late, "late")));
  host_pump(&host);
  CHECK_TEXT(text_of(last_of(host.events, "redirect"), "reason"), "late");
  CHECK_NUMBER(count_of(host.events, "outcome"), 1);
  CHECK_NUMBER(host.backend.validates, 1);
  context("nothing to present");
  host_close(&host);
  host_open(&host);
  host_pay(&host);
  RESULT(hco_redirect_present(host.checkout, "{\"attempt\":1}", &reply), reply);
  host_pump(&host);
  CHECK(json_is_true(json_object_get(json_object_get(last_of(host.events, "result"), "result"), "ignored")));
}

// seed: 001:23a
// seed: 001:23b
static void a_page_of_a_host_without_pages(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.redirect_url = "https://bank.example/3ds";
  host.backend.global_status = "WAITING";
  host_choose_card(&host);
  RESULT(hco_element_open(host.checkout, "{\"item\":\"purse-creditcard\",\"redirect\":\"none\"}", &reply), reply);
  host_submit(&host);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK_TEXT(text_of(OUTCOME(&host), "verdict"), "pending");
  CHECK_NUMBER(count_of(host.questions, "redirection"), 0);
  CHECK(last_of(host.events, "redirect") == NULL);
  context("shown later, with the hook");
  reply = NULL;
  RESULT(hco_redirect_present(host.checkout, "{\"attempt\":1}", &reply), reply);
  host_pump(&host);
  CHECK_NUMBER(count_of(host.questions, "redirection"), 1);
  const char *presentation = text_of(last_of(host.events, "redirect"), "presentation");
  CHECK_TEXT(text_of(json_object_get(last_of(host.events, "result"), "result"), "presentation"), presentation);
  reply = NULL;
  char *report = format("{\"presentation\":\"%s\",\"url\":null}", presentation);
  json_t *late = RESULT(hco_redirect_report(host.checkout, report, &reply), reply);
  CHECK(json_is_true(json_object_get(late, "late")));
  host_pump(&host);
  CHECK_NUMBER(count_of(host.events, "outcome"), 1);
  CHECK_NUMBER(host.backend.validates, 1);
}

/* A link knows at most what it was sent with: an id of another page ends nothing. */
static void forged_ids(void) {
  host host;
  open_a_page(&host);
  const char *id = text_of(last_of(host.events, "redirect"), "presentation");
  REQUIRE(strlen(id) == strlen("p1-") + 16);
  char *before = host_state(&host);
  for (size_t index = 0; index < strlen(id) + 4; index++) {
    char *reply = NULL, *forged = format("%s", id);
    if (index < strlen(id)) forged[index] ^= 1;
    const char *others[] = {"", "p1", "p1-", format("%s0", id)};
    if (index >= strlen(id)) forged = format("%s", others[index - strlen(id)]);
    char *report = format("{\"presentation\":\"%s\",\"url\":\"test-shop://return\"}", forged);
    ERROR(hco_redirect_report(host.checkout, report, &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  }
  host_pump(&host);
  char *after = host_state(&host);
  CHECK_TEXT(after, before);
  CHECK_NUMBER(count_of(host.events, "outcome"), 0);
  host_close(&host);
}

// seed: 001:33b
static void pages_that_the_policy_blocks(void) {
  static const char *const urls[] = {
      "http://bank.example/", "javascript:alert(1)", "https://a@b.example/", "test-shop://return"};
  for (int index = 0; index < 4; index++) {
    host host;
    context("%s", urls[index]);
    host_open(&host);
    host.backend.redirect_url = urls[index];
    host.backend.global_status = "WAITING";
    host_pay(&host);
    CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "code"), "POST_VALIDATE_FAILED");
    CHECK_TEXT(host_session_state(&host), "error");
    CHECK(last_of(host.events, "redirect") == NULL);
    CHECK_NUMBER(count_of(host.events, "outcome"), 1);
    host_close(&host);
  }
}

/* A decided payment is completed, whatever page comes with it. */
static void a_decided_payment_shows_no_page(void) {
  static const char *const statuses[] = {"SUCCESS", "FAILED", "ERROR"};
  for (int index = 0; index < 3; index++) {
    host host;
    context("%s", statuses[index]);
    host_open(&host);
    host.backend.redirect_url = "https://bank.example/3ds";
    host.backend.global_status = statuses[index];
    host_pay(&host);
    CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
    CHECK_TEXT(text_of(OUTCOME(&host), "status"), statuses[index]);
    CHECK(last_of(host.events, "redirect") == NULL);
    host_close(&host);
  }
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(amounts_that_the_host_may_not_pass),
      TEST(the_split),
      TEST(choosing_what_is_not_there),
      TEST(null_counts_as_left_out),
      TEST(requests_that_contradict_themselves),
      TEST(gift_cards_that_are_refused),
      TEST(the_usage_limit),
      TEST(a_card_that_gives_all),
      TEST(bounds_of_the_remainder),
      TEST(what_a_page_may_do),
      TEST(how_a_page_ends),
      TEST(a_canceled_page_opens_again),
      TEST(a_page_of_a_host_without_pages),
      TEST(forged_ids),
      TEST(pages_that_the_policy_blocks),
      TEST(a_decided_payment_shows_no_page),
  };
  return RUN_TESTS("split", tests);
}
