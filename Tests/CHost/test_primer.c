/* Over real HTTP, against the sandbox at SANDBOX_URL: Primer's session, from its client token to its outcomes. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "sandbox.h"

#define CARD "PAYMENT_CARD"
#define RETURN_URL "test-shop://return"
#define CARD_NUMBER "4242424242424242"

typedef struct shopper {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *session; /* as the merchant received it */
  json_t *results, *outcomes, *pages, *decisions, *checkpoints;
  const char *decision;  /* the answer to beforePayment; NULL leaves the ticket open */
  const char *key;       /* the answer to idempotencyKey */
  const char *page_link; /* the decision on a page; NULL closes it, "" shows none */
  char *told;            /* all texts that came out */
  uint64_t ticket;       /* of the decision that is open */
} shopper;

/* ------------------------------------------------------------------------------------------------------------- host */

static void note(shopper *shopper, const char *text) { shopper->told = format("%s\n%s", shopper->told, text); }

static void listen_to(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  shopper *shopper = user;
  json_t *event = seen(json);
  (void)checkout;
  note(shopper, json);
  if (kind == HCO_EVENT_RESULT) json_array_append(shopper->results, event);
  if (kind == HCO_EVENT_OUTCOME) json_array_append(shopper->outcomes, event);
  if (kind == HCO_EVENT_REDIRECT && strcmp(text_of(event, "state"), "open") == 0) {
    json_array_append(shopper->pages, event);
  }
}

static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  shopper *shopper = user;
  const char *answer = "{\"ok\":{}}";
  json_t *question = seen(json);
  note(shopper, json);
  if (kind == HCO_HOOK_BEFORE_PAYMENT) {
    json_array_append(shopper->decisions, question);
    shopper->ticket = ticket;
    answer = shopper->decision;
  }
  if (kind == HCO_HOOK_IDEMPOTENCY_KEY) answer = shopper->key;
  if (kind == HCO_HOOK_CHECKPOINT) json_array_append(shopper->checkpoints, question);
  if (ticket != 0 && answer != NULL) CHECK_NUMBER(hco_answer(checkout, ticket, answer, NULL), HCO_OK);
}

static void meet(shopper *shopper) {
  memset(shopper, 0, sizeof *shopper);
  shopper->results = json_array();
  shopper->outcomes = json_array();
  shopper->pages = json_array();
  shopper->decisions = json_array();
  shopper->checkpoints = json_array();
  shopper->told = "";
  shopper->decision = "{\"ok\":{}}";
  shopper->key = "{\"ok\":{}}";
  shopper->page_link = "approve";
}

static void start_runtime(shopper *shopper) {
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &shopper->runtime, &reply);
  RESULT(status, reply);
  REQUIRE(status == HCO_OK);
}

/* `more`: further members of the merchant's body and of `sandbox`, each with its comma, or "". */
static void create_session(shopper *shopper, const char *more, const char *wishes) {
  shopper->session = must_exchange(
      "POST", "/client-session",
      format(
          "{\"orderId\":\"O-1\",\"currencyCode\":\"EUR\",\"order\":{\"lineItems\":[{\"itemId\":\"tea\","
          "\"description\":\"Tea\",\"amount\":2500,\"quantity\":2}]}%s,\"sandbox\":{\"pendingPolls\":0,"
          "\"returnURL\":\"" RETURN_URL "\"%s}}",
          more, wishes));
}

static const char *client_token(const shopper *shopper) { return text_of(shopper->session, "clientToken"); }

static hco_status create(shopper *shopper, const char *request, char **reply) {
  hco_callbacks callbacks = {.listener = listen_to, .hook = ask, .user = shopper};
  return hco_create(shopper->runtime, request, &callbacks, &shopper->checkout, reply);
}

static char *create_text(const shopper *shopper, const char *more) {
  return format(
      "{\"provider\":\"primer\",\"clientToken\":\"%s\",\"hooks\":[\"beforePayment\",\"idempotencyKey\"]%s}",
      client_token(shopper), more);
}

/* A checkout of a new session; not started. */
static void open_with(shopper *shopper, const char *more, const char *wishes, const char *options) {
  char *reply = NULL;
  meet(shopper);
  start_runtime(shopper);
  create_session(shopper, more, wishes);
  must_exchange("DELETE", "/sandbox/requests", NULL);
  hco_status status = create(shopper, create_text(shopper, options), &reply);
  RESULT(status, reply);
  REQUIRE(status == HCO_OK);
}

static void close_shopper(shopper *shopper) {
  if (shopper->checkout != NULL) hco_release(shopper->checkout);
  hco_runtime_destroy(shopper->runtime);
}

static json_t *property(shopper *shopper, const char *name) {
  char *reply = NULL;
  hco_status status = hco_state(shopper->checkout, format("{\"keys\":[\"%s\"]}", name), &reply);
  return json_object_get(RESULT(status, reply), name);
}

static const char *state_of(shopper *shopper) { return json_string_value(property(shopper, "sessionState")); }

/* Jansson's own are macros that take their argument twice. */
static bool is_true(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_true(value);
}

static bool holds(shopper *shopper, const char *name) {
  const json_t *value = property(shopper, name);
  return json_is_true(value);
}

static bool is_null(shopper *shopper, const char *name) {
  const json_t *value = property(shopper, name);
  return json_is_null(value);
}

typedef hco_status hco_function(hco_checkout *checkout, const char *request, char **reply);

static json_t *done(shopper *shopper, hco_function *function, const char *request) {
  char *reply = NULL;
  hco_status status = function(shopper->checkout, request, &reply);
  return RESULT(status, reply);
}

static void refused(shopper *shopper, hco_function *function, const char *request, const char *code) {
  char *reply = NULL;
  hco_status status = function(shopper->checkout, request, &reply);
  ERROR(status, reply, HCO_REFUSED, code);
}

/* The event that ends the call. */
static json_t *ended(shopper *shopper, hco_function *function, const char *request) {
  long long call = number_of(done(shopper, function, request), "call");
  for (int round = 0; round < 200; round++) {
    size_t index;
    json_t *event;
    json_array_foreach(shopper->results, index, event) {
      if (number_of(event, "call") == call) return event;
    }
    CHECK_NUMBER(hco_runtime_poll(shopper->runtime, 100), HCO_OK);
  }
  CHECK(!"the call has no result");
  return NULL;
}

static void start(shopper *shopper) {
  json_t *event = ended(shopper, hco_start, NULL);
  CHECK_TEXT(text_of(json_object_get(event, "result"), "phase"), "ready");
  CHECK_TEXT(state_of(shopper), "ready");
}

static const char *failure_of(const json_t *event) {
  const json_t *error = json_object_get(event, "error");
  if (error != NULL) check_error_shape(error, __FILE__, __LINE__);
  return text_of(error, "code");
}

static void open_ready(shopper *shopper) {
  open_with(shopper, "", "", "");
  start(shopper);
}

static bool is_shown(shopper *shopper, const char *request, const char *wanted) {
  const char *text = json_string_value(json_object_get(done(shopper, hco_format_amount, request), "text"));
  return wanted == NULL ? text == NULL : text != NULL && strcmp(text, wanted) == 0;
}

/* ---------------------------------------------------------------------------------------------------------- paying */

static hco_status set_field(shopper *shopper, const char *field, const char *text, char **reply) {
  return hco_element_set_field(shopper->checkout, CARD, field, text, strlen(text), reply);
}

static void type(shopper *shopper, const char *field, const char *text) {
  char *reply = NULL;
  hco_status status = set_field(shopper, field, text, &reply);
  RESULT(status, reply);
}

static void fill(shopper *shopper, const char *number) {
  done(shopper, hco_set_primary, "{\"item\":\"" CARD "\"}");
  ended(
      shopper, hco_element_open,
      "{\"item\":\"" CARD "\",\"redirect\":\"host\",\"appReturnURL\":\"" RETURN_URL "\"}");
  type(shopper, "cardNumber", number);
  type(shopper, "expiryDate", "12/39");
  type(shopper, "cvv", "123");
  type(shopper, "cardholderName", "Sandbox Shopper");
}

/* Shows the page that is open: decides on it, and reports the way back. */
static void show_page(shopper *shopper, const json_t *page) {
  const char *url = text_of(json_object_get(page, "action"), "url");
  const char *presentation = text_of(page, "presentation");
  int32_t verdict = HCO_VERDICT_BLOCK;
  if (shopper->page_link != NULL && shopper->page_link[0] == '\0') return;
  CHECK_NUMBER(hco_redirect_check(shopper->checkout, url, &verdict, NULL), HCO_OK);
  CHECK_NUMBER(verdict, HCO_VERDICT_ALLOW);
  REQUIRE(strncmp(url, sandbox(), strlen(sandbox())) == 0);
  if (shopper->page_link == NULL) {
    done(shopper, hco_redirect_report, format("{\"presentation\":\"%s\",\"canceled\":true}", presentation));
    return;
  }
  CHECK_NUMBER(exchange("GET", format("%s/%s", url + strlen(sandbox()), shopper->page_link), NULL, NULL), 302);
  CHECK_NUMBER(hco_redirect_check(shopper->checkout, RETURN_URL, &verdict, NULL), HCO_OK);
  CHECK_NUMBER(verdict, HCO_VERDICT_RETURN);
  done(
      shopper, hco_redirect_report, format("{\"presentation\":\"%s\",\"url\":\"" RETURN_URL "\"}", presentation));
}

/* Works until there are that many outcomes. */
static json_t *outcome(shopper *shopper, size_t count) {
  size_t shown = json_array_size(shopper->pages);
  for (int round = 0; round < 300 && json_array_size(shopper->outcomes) < count; round++) {
    CHECK_NUMBER(hco_runtime_poll(shopper->runtime, 100), HCO_OK);
    for (; shown < json_array_size(shopper->pages); shown++) show_page(shopper, json_array_get(shopper->pages, shown));
  }
  CHECK_NUMBER(json_array_size(shopper->outcomes), count);
  return json_array_get(shopper->outcomes, count - 1);
}

static json_t *pay(shopper *shopper, const char *number) {
  size_t before = json_array_size(shopper->outcomes);
  fill(shopper, number);
  done(shopper, hco_submit, NULL);
  return outcome(shopper, before + 1);
}

/* The payments that were made for the session. */
static json_t *payments(const shopper *shopper) {
  const char *path = format("/sandbox/payments?sessionId=%s", text_of(shopper->session, "id"));
  return json_object_get(must_exchange("GET", path, NULL), "payments");
}

static json_t *requests(const char *path) {
  return json_object_get(must_exchange("GET", format("/sandbox/requests?path=%s", path), NULL), "requests");
}

/* No request but the pages' was wrong in the eyes of the back end. */
static void check_every_request(const char *may_be_refused) {
  size_t index;
  json_t *request;
  json_array_foreach(requests("*"), index, request) {
    long long status = number_of(request, "answered");
    const char *path = text_of(request, "path");
    bool is_refused = status >= 400 && (may_be_refused == NULL || strstr(path, may_be_refused) == NULL);
    if (is_refused) CHECK_TEXT(path, "");
  }
}

static void check_unknown(shopper *shopper, const json_t *outcome) {
  CHECK_TEXT(text_of(outcome, "kind"), "failed");
  CHECK_TEXT(failure_of(outcome), "OUTCOME_UNKNOWN");
  CHECK_TEXT(text_of(json_object_get(outcome, "error"), "moved"), "unknown");
  CHECK_TEXT(state_of(shopper), "submitted");
  CHECK(holds(shopper, "outcomeUnknown"));
  refused(shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
}

/* ---------------------------------------------------------------------------------------------------------- amounts */

#define EURO "\xE2\x82\xAC"

/* The currency is the loaded order's, and its decimals are those of Primer's table: it has BYR and not CLF. */
static void amounts_are_shown_while_a_session_is_loaded(void) {
  shopper shopper;
  open_with(&shopper, "", "", "");
  CHECK(is_shown(&shopper, "{\"amount\":5000}", NULL));
  CHECK(is_shown(&shopper, "{\"amount\":5000,\"currency\":\"EUR\"}", NULL));
  start(&shopper);
  CHECK(is_shown(&shopper, "{\"amount\":5000}", EURO "50.00"));
  CHECK(is_shown(&shopper, "{\"amount\":5000,\"currency\":\"BYR\",\"locale\":\"de\"}", "5.000BYR"));
  CHECK(is_shown(&shopper, "{\"amount\":5000,\"currency\":\"CLF\"}", NULL));
  done(&shopper, hco_refresh, NULL);
  CHECK(is_shown(&shopper, "{\"amount\":5000}", EURO "50.00"));
  done(&shopper, hco_cancel, NULL);
  CHECK(is_shown(&shopper, "{\"amount\":5000}", NULL));
  start(&shopper);
  CHECK(is_shown(&shopper, "{\"amount\":5000}", EURO "50.00"));
  close_shopper(&shopper);
}

/* -------------------------------------------------------------------------------------------------------- the token */

static const char *base64url(const char *text) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  size_t length = strlen(text);
  char *encoded = calloc(1, (length + 2) / 3 * 4 + 1), *at = encoded;
  for (size_t index = 0; index < length; index += 3) {
    size_t left = length - index;
    unsigned value = (unsigned char)text[index] << 16;
    if (left > 1) value |= (unsigned)(unsigned char)text[index + 1] << 8;
    if (left > 2) value |= (unsigned char)text[index + 2];
    *at++ = letters[value >> 18];
    *at++ = letters[value >> 12 & 63];
    if (left > 1) *at++ = letters[value >> 6 & 63];
    if (left > 2) *at++ = letters[value & 63];
  }
  return encoded;
}

static const char *jwt(const char *payload) {
  return format("%s.%s.sig", base64url("{\"alg\":\"HS256\"}"), base64url(payload));
}

/* Every text that is no client token, or one that leads elsewhere. */
static void tokens_that_are_none(void) {
  static const char *const payloads[] = {
      "",
      "null",
      "[]",
      "{",
      "{}",
      "{\"accessToken\":\"a\"}",
      "{\"configurationUrl\":\"http://127.0.0.1:1/c\"}",
      "{\"accessToken\":1,\"configurationUrl\":\"http://127.0.0.1:1/c\"}",
      "{\"accessToken\":\"a\",\"configurationUrl\":1}",
      "{\"accessToken\":\"a\\r\\nX-Evil: 1\",\"configurationUrl\":\"http://127.0.0.1:1/c\"}",
      "{\"accessToken\":\"a b\",\"configurationUrl\":\"http://127.0.0.1:1/c\"}",
      "{\"accessToken\":\"a\",\"configurationUrl\":\"http://shop.example/c\"}",
      "{\"accessToken\":\"a\",\"configurationUrl\":\"ftp://127.0.0.1/c\"}",
      "{\"accessToken\":\"a\",\"configurationUrl\":\"file:///etc/passwd\"}",
      "{\"accessToken\":\"a\",\"configurationUrl\":\"https://api.primer.io@evil.example/c\"}",
      "{\"accessToken\":\"a\",\"configurationUrl\":\"https://api.primer.io/c\",\"pciUrl\":\"http://evil.example\"}",
      "{\"accessToken\":\"a\",\"configurationUrl\":\"https://api.primer.io/c\",\"coreUrl\":\"javascript:0\"}",
      "{\"accessToken\":\"a\",\"accessToken\":\"b\",\"configurationUrl\":\"https://api.primer.io/c\"}",
  };
  static const char *const texts[] = {
      "", " ", ".", "..", "...", "a", "a.b.c", "a.!!!.c", "eyJhIjoxfQ", ".eyJhIjoxfQ.", "\xC3\xA9.\xC3\xA9.\xC3\xA9",
  };
  shopper shopper;
  size_t count = sizeof payloads / sizeof *payloads, others = sizeof texts / sizeof *texts;
  meet(&shopper);
  start_runtime(&shopper);
  for (size_t index = 0; index < count + others; index++) {
    char *reply = NULL;
    const char *token = index < count ? jwt(payloads[index]) : texts[index - count];
    context("%s", index < count ? payloads[index] : token);
    shopper.checkout = (void *)&shopper;
    json_t *error = ERROR(
        create(&shopper, format("{\"provider\":\"primer\",\"clientToken\":\"%s\"}", token), &reply), reply, HCO_REFUSED,
        "invalid-client-token");
    CHECK(shopper.checkout == NULL);
    CHECK_TEXT(text_of(error, "moved"), "no");
  }
  close_shopper(&shopper);
}

static void requests_that_are_wrong(void) {
  static const struct {
    const char *members, *path;
  } wrong[] = {
      {"\"provider\":\"stripe\",\"clientToken\":\"%s\"", "provider"},
      {"\"provider\":\"Primer\",\"clientToken\":\"%s\"", "provider"},
      {"\"provider\":\"\",\"clientToken\":\"%s\"", "provider"},
      {"\"provider\":1,\"clientToken\":\"%s\"", "provider"},
      {"\"provider\":\"primer\"", "clientToken"},
      {"\"provider\":\"primer\",\"clientToken\":null", "clientToken"},
      {"\"provider\":\"primer\",\"clientToken\":7", "clientToken"},
      {"\"provider\":\"primer\",\"clientToken\":[\"%s\"]", "clientToken"},
      {"\"clientToken\":\"%s\"", "widgetData"},
      {"\"provider\":\"purse\",\"clientToken\":\"%s\"", "widgetData"},
      {"\"provider\":\"primer\",\"clientToken\":\"%s\",\"token\":1", "token"},
      {"\"provider\":\"primer\",\"clientToken\":\"%s\",\"paymentHandling\":\"hand\"", "paymentHandling"},
      {"\"provider\":\"primer\",\"clientToken\":\"%s\",\"ownIdempotencyKey\":1", "ownIdempotencyKey"},
      {"\"provider\":\"primer\",\"clientToken\":\"%s\",\"pollTimeoutMs\":-1", "pollTimeoutMs"},
      {"\"provider\":\"primer\",\"clientToken\":\"%s\",\"pollTimeoutMs\":\"1\"", "pollTimeoutMs"},
      {"\"provider\":\"primer\",\"clientToken\":\"%s\",\"hooks\":[\"beforePay\"]", "hooks"},
  };
  shopper shopper;
  meet(&shopper);
  start_runtime(&shopper);
  create_session(&shopper, "", "");
  for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    char *reply = NULL, *request = format("{%s}", wrong[index].members), *mark = strstr(request, "%s");
    if (mark != NULL) request = format("%.*s%s%s", (int)(mark - request), request, client_token(&shopper), mark + 2);
    context("%s", wrong[index].members);
    shopper.checkout = (void *)&shopper;
    json_t *error = ERROR(create(&shopper, request, &reply), reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    CHECK(strncmp(text_of(error, "path"), wrong[index].path, strlen(wrong[index].path)) == 0);
    CHECK(shopper.checkout == NULL);
  }
  close_shopper(&shopper);
}

/* Its time is over, by the server's clock: the start fails, and nothing is sent that could pay. */
static void a_token_that_has_expired(void) {
  shopper shopper;
  char *reply = NULL;
  meet(&shopper);
  start_runtime(&shopper);
  create_session(&shopper, "", ",\"expiresInS\":-60");
  hco_status status = create(&shopper, create_text(&shopper, ""), &reply);
  RESULT(status, reply);
  CHECK_TEXT(failure_of(ended(&shopper, hco_start, NULL)), "invalid-client-token");
  CHECK(strcmp(state_of(&shopper), "ready") != 0);
  refused(&shopper, hco_submit, NULL, NULL);
  close_shopper(&shopper);
}

/* ------------------------------------------------------------------------------------------------------ its own life */

static void a_session_is_started(void) {
  shopper shopper;
  open_with(&shopper, ",\"customerId\":\"C-1\"", "", "");
  CHECK_TEXT(state_of(&shopper), "idle");
  CHECK_TEXT(json_string_value(property(&shopper, "phase")), "initializing");
  CHECK(is_null(&shopper, "clientSession"));
  refused(&shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
  start(&shopper);
  json_t *session = property(&shopper, "clientSession");
  CHECK_TEXT(text_of(session, "orderId"), "O-1");
  CHECK_TEXT(text_of(session, "customerId"), "C-1");
  CHECK_NUMBER(number_of(session, "totalAmount"), 5000);
  CHECK_TEXT(text_of(json_array_get(json_object_get(session, "lineItems"), 0), "itemDescription"), "Tea");
  CHECK_NUMBER(json_integer_value(property(&shopper, "amount")), 5000);
  CHECK_TEXT(text_of(json_array_get(property(&shopper, "paymentMethods"), 0), "id"), CARD);
  CHECK(is_true(json_object_get(ended(&shopper, hco_start, NULL), "result"), "ignored"));
  CHECK_NUMBER(json_array_size(requests("configuration")), 1);
  CHECK_NUMBER(json_array_size(shopper.outcomes), 0);
  check_every_request(NULL);
  close_shopper(&shopper);
}

static void a_refresh_brings_the_changed_order(void) {
  shopper shopper;
  open_ready(&shopper);
  must_exchange(
      "PATCH", "/client-session",
      format("{\"clientToken\":\"%s\",\"amount\":777,\"orderId\":\"O-2\"}", client_token(&shopper)));
  CHECK_TEXT(text_of(property(&shopper, "clientSession"), "orderId"), "O-1");
  CHECK_TEXT(text_of(json_object_get(ended(&shopper, hco_refresh, NULL), "result"), "phase"), "ready");
  CHECK_TEXT(text_of(property(&shopper, "clientSession"), "orderId"), "O-2");
  CHECK_NUMBER(json_integer_value(property(&shopper, "amount")), 777);
  fault("{\"path\":\"configuration\",\"fault\":\"status\",\"status\":503,\"times\":null}");
  CHECK_TEXT(failure_of(ended(&shopper, hco_refresh, NULL)), "generic-underlying-errors");
  fault(NULL);
  CHECK_TEXT(state_of(&shopper), "ready");
  CHECK_TEXT(text_of(property(&shopper, "clientSession"), "orderId"), "O-2");
  CHECK_TEXT(text_of(pay(&shopper, CARD_NUMBER), "kind"), "completed");
  CHECK_NUMBER(number_of(json_array_get(payments(&shopper), 0), "amount"), 777);
  close_shopper(&shopper);
}

static void a_start_that_fails_may_be_cancelled_and_repeated(void) {
  static const struct {
    const char *fault, *wishes, *code;
  } rows[] = {
      {"\"fault\":\"status\",\"status\":500", "", "generic-underlying-errors"},
      {"\"fault\":\"status\",\"status\":404", "", "generic-underlying-errors"},
      {"\"fault\":\"dropAfterReading\"", "", "generic-underlying-errors"},
      {"\"fault\":\"truncated\"", "", "generic-underlying-errors"},
      {"\"fault\":\"garbage\"", "", "missing-configuration"},
      {"\"fault\":\"status\",\"status\":200,\"body\":{}", "", "missing-configuration"},
      {"\"fault\":\"status\",\"status\":200,\"body\":{\"paymentMethods\":[],\"checkoutModules\":[]}", "",
       "misconfigured-payment-methods"},
      {NULL, ",\"methods\":[\"KLARNA\"]", "missing-configuration"},
      {NULL, ",\"configuration\":{\"clientSession\":null}", "missing-configuration"},
      {NULL, ",\"configuration\":{\"pciUrl\":\"http://evil.example\"}", "missing-configuration"},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    shopper shopper;
    context("%s %s", rows[index].fault == NULL ? "" : rows[index].fault, rows[index].wishes);
    open_with(&shopper, "", rows[index].wishes, "");
    if (rows[index].fault != NULL) fault(format("{\"path\":\"configuration\",\"times\":null,%s}", rows[index].fault));
    CHECK_TEXT(failure_of(ended(&shopper, hco_start, NULL)), rows[index].code);
    fault(NULL);
    CHECK_TEXT(state_of(&shopper), "terminated");
    CHECK(is_null(&shopper, "clientSession"));
    refused(&shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
    done(&shopper, hco_cancel, NULL);
    CHECK_TEXT(state_of(&shopper), "idle");
    if (rows[index].fault != NULL) start(&shopper);
    CHECK_NUMBER(json_array_size(shopper.outcomes), 0);
    close_shopper(&shopper);
  }
}

static void manual_handling_is_refused_at_once(void) {
  shopper shopper;
  open_with(&shopper, "", "", ",\"paymentHandling\":\"manual\"");
  CHECK_TEXT(failure_of(ended(&shopper, hco_start, NULL)), "invalid-value");
  CHECK_NUMBER(json_array_size(requests("configuration")), 0);
  close_shopper(&shopper);
}

static void a_cancelled_session_is_silent_and_starts_again(void) {
  shopper shopper;
  open_ready(&shopper);
  fill(&shopper, CARD_NUMBER);
  for (int round = 0; round < 3; round++) {
    done(&shopper, hco_cancel, NULL);
    CHECK_TEXT(state_of(&shopper), "idle");
    CHECK(is_null(&shopper, "clientSession"));
    CHECK_NUMBER(json_array_size(property(&shopper, "elements")), 0);
  }
  CHECK_NUMBER(json_array_size(shopper.outcomes), 0);
  start(&shopper);
  CHECK_TEXT(text_of(pay(&shopper, CARD_NUMBER), "kind"), "completed");
  CHECK_NUMBER(json_array_size(payments(&shopper)), 1);
  close_shopper(&shopper);
}

static void a_shopper_who_closes_it(void) {
  shopper shopper;
  open_ready(&shopper);
  CHECK(!is_true(done(&shopper, hco_dismiss, NULL), "ignored"));
  json_t *end = outcome(&shopper, 1);
  CHECK_TEXT(text_of(end, "kind"), "canceled");
  CHECK(is_true(end, "dismissed") && json_object_get(end, "attempt") == json_null());
  CHECK_TEXT(state_of(&shopper), "terminated");
  CHECK(is_true(done(&shopper, hco_dismiss, NULL), "ignored"));
  CHECK(is_true(json_object_get(ended(&shopper, hco_refresh, NULL), "result"), "ignored"));
  CHECK_NUMBER(json_array_size(shopper.outcomes), 1);
  done(&shopper, hco_cancel, NULL);
  start(&shopper);
  done(&shopper, hco_dismiss, NULL);
  outcome(&shopper, 2);
  close_shopper(&shopper);
}

/* ----------------------------------------------------------------------------------------------- how payments may end */

typedef struct row {
  const char *number, *kind, *word; /* status or error code */
  const char *state;
  int payments;
} row;

static void check_row(const row *row, const char *more_wishes) {
  shopper shopper;
  context("%s", row->number);
  open_with(&shopper, "", more_wishes, "");
  start(&shopper);
  json_t *end = pay(&shopper, row->number);
  CHECK_TEXT(text_of(end, "kind"), row->kind);
  bool is_failed = strcmp(row->kind, "failed") == 0;
  CHECK_TEXT(is_failed ? failure_of(end) : text_of(end, "status"), row->word);
  CHECK_TEXT(state_of(&shopper), row->state);
  if (strcmp(row->word, "OUTCOME_UNKNOWN") == 0) check_unknown(&shopper, end);
  CHECK_NUMBER(json_array_size(payments(&shopper)), row->payments);
  CHECK_NUMBER(json_array_size(requests("/primer/pci/payments")), 1);
  CHECK(strstr(shopper.told, row->number) == NULL);
  check_every_request(row->payments == 0 ? "/primer/pci/payments" : NULL);
  close_shopper(&shopper);
}

static void every_card_ends_as_it_should(void) {
  static const row rows[] = {
      {"4111110000000005", "completed", "SUCCESS", "submitted", 1},
      {"4111110000000013", "failed", "payment-failed", "ready", 1},
      {"4111110000000021", "failed", "payment-failed", "ready", 1},
      {"4111110000000039", "completed", "PENDING", "submitted", 1},
      {"4111110000000047", "completed", "PENDING", "submitted", 1},
      {"4111110000000054", "failed", "OUTCOME_UNKNOWN", "submitted", 1},
      {"4111110000000062", "completed", "SUCCESS", "submitted", 1},
      {"4111110000000070", "failed", "OUTCOME_UNKNOWN", "submitted", 1},
      {"4111110000000088", "failed", "OUTCOME_UNKNOWN", "submitted", 1},
      {"4111110000000096", "failed", "failed-to-create-payment", "ready", 0},
      {"4111110000000104", "failed", "OUTCOME_UNKNOWN", "submitted", 1},
      {"4111110000000112", "failed", "OUTCOME_UNKNOWN", "submitted", 1},
      {"4111110000000120", "failed", "OUTCOME_UNKNOWN", "submitted", 1},
      {"4111110000000138", "completed", "SUCCESS", "submitted", 1},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) check_row(&rows[index], "");
}

static void every_required_action_ends_as_it_should(void) {
  static const row rows[] = {
      {"4111110000010004", "completed", "SUCCESS", "submitted", 1},
      {"4111110000010012", "completed", "SUCCESS", "submitted", 1},
      {"4111110000010038", "failed", "failed-to-resume-payment", "ready", 1},
      {"4111110000010046", "completed", "SUCCESS", "submitted", 1},
      {"4111110000010053", "failed", "failed-to-resume-payment", "ready", 1},
      {"4111110000010079", "completed", "SUCCESS", "submitted", 1},
      {"4111110000010087", "completed", "PENDING", "submitted", 1},
      {"4111110000010095", "completed", "SUCCESS", "submitted", 1},
      {"4111110000010103", "failed", "OUTCOME_UNKNOWN", "submitted", 1},
      {"4111110000010111", "failed", "OUTCOME_UNKNOWN", "submitted", 1},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) check_row(&rows[index], "");
}

static void a_page_decides(void) {
  static const struct {
    const char *link, *kind, *word, *state;
  } rows[] = {
      {"approve", "completed", "SUCCESS", "submitted"},
      {"decline", "failed", "failed-to-resume-payment", "ready"},
      {"cancel", "failed", "failed-to-resume-payment", "ready"},
      {"pend", "failed", "OUTCOME_UNKNOWN", "submitted"},
      {NULL, "failed", "OUTCOME_UNKNOWN", "submitted"},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    shopper shopper;
    context("%s", rows[index].link == NULL ? "closed" : rows[index].link);
    open_with(&shopper, "", "", ",\"ownIdempotencyKey\":true");
    shopper.page_link = rows[index].link;
    start(&shopper);
    json_t *end = pay(&shopper, "4111110000010079");
    CHECK_TEXT(text_of(end, "kind"), rows[index].kind);
    bool is_failed = strcmp(rows[index].kind, "failed") == 0;
    CHECK_TEXT(is_failed ? failure_of(end) : text_of(end, "status"), rows[index].word);
    CHECK_TEXT(state_of(&shopper), rows[index].state);
    CHECK_NUMBER(json_array_size(payments(&shopper)), 1);
    json_t *data = json_object_get(json_object_get(end, "checkoutData"), "payment");
    CHECK_TEXT(text_of(data, "id"), text_of(json_array_get(payments(&shopper), 0), "paymentId"));
    /* The key stands for the payment's creation alone. */
    json_t *created = json_array_get(requests("/primer/pci/payments"), 0);
    CHECK(text_of(json_object_get(created, "headers"), "x-idempotency-key")[0] != '\0');
    CHECK_NUMBER(json_array_size(requests("resume")), rows[index].link == NULL ? 0 : 1);
    check_every_request(NULL);
    close_shopper(&shopper);
  }
}

static void a_redirected_method_and_a_voucher(void) {
  shopper shopper;
  open_ready(&shopper);
  done(&shopper, hco_set_primary, "{\"item\":\"ADYEN_IDEAL\"}");
  ended(
      &shopper, hco_element_open,
      "{\"item\":\"ADYEN_IDEAL\",\"redirect\":\"host\",\"appReturnURL\":\"" RETURN_URL "\"}");
  done(&shopper, hco_submit, NULL);
  CHECK_TEXT(text_of(outcome(&shopper, 1), "status"), "SUCCESS");
  CHECK_NUMBER(json_array_size(payments(&shopper)), 1);
  check_every_request(NULL);
  close_shopper(&shopper);

  open_ready(&shopper);
  done(&shopper, hco_set_primary, "{\"item\":\"ADYEN_MULTIBANCO\"}");
  ended(
      &shopper, hco_element_open,
      "{\"item\":\"ADYEN_MULTIBANCO\",\"redirect\":\"host\",\"appReturnURL\":\"" RETURN_URL "\"}");
  done(&shopper, hco_submit, NULL);
  json_t *end = outcome(&shopper, 1);
  CHECK_TEXT(text_of(end, "verdict"), "pending");
  CHECK_TEXT(text_of(json_object_get(end, "voucher"), "entity"), "11683");
  CHECK_NUMBER(json_array_size(requests("resume")), 0);
  close_shopper(&shopper);
}

/* A decline is no end: another card, and another payment, of which one succeeds. */
static void a_declined_card_and_another(void) {
  shopper shopper;
  open_ready(&shopper);
  CHECK_TEXT(failure_of(pay(&shopper, "4111110000000013")), "payment-failed");
  CHECK_TEXT(state_of(&shopper), "ready");
  CHECK_TEXT(text_of(pay(&shopper, CARD_NUMBER), "status"), "SUCCESS");
  CHECK_NUMBER(json_array_size(payments(&shopper)), 2);
  CHECK_TEXT(text_of(json_array_get(payments(&shopper), 0), "status"), "FAILED");
  CHECK_TEXT(text_of(json_array_get(payments(&shopper), 1), "status"), "SUCCESS");
  refused(&shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
  close_shopper(&shopper);
}

static void a_create_that_breaks_off(void) {
  static const struct {
    const char *fault;
    int payments;
  } rows[] = {
      {"\"fault\":\"processThenDrop\"", 1},
      {"\"fault\":\"dropAfterReading\"", 0},
      {"\"fault\":\"dropBeforeReading\"", 0},
      {"\"fault\":\"reset\"", 0},
      {"\"fault\":\"halfHeader\"", 1},
      {"\"fault\":\"truncated\"", 1},
      {"\"fault\":\"garbage\"", 1},
      {"\"fault\":\"status\",\"status\":500", 0},
      {"\"fault\":\"status\",\"status\":503,\"process\":true", 1},
      {"\"fault\":\"redirect3xx\"", 0},
      {"\"fault\":\"status\",\"status\":200,\"body\":{},\"process\":true", 1},
      {"\"fault\":\"status\",\"status\":200,\"body\":[],\"process\":true", 1},
      {"\"fault\":\"status\",\"status\":409", 0},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    shopper shopper;
    context("%s", rows[index].fault);
    open_ready(&shopper);
    fault(format("{\"path\":\"/primer/pci/payments\",\"times\":null,%s}", rows[index].fault));
    check_unknown(&shopper, pay(&shopper, CARD_NUMBER));
    fault(NULL);
    CHECK_NUMBER(json_array_size(payments(&shopper)), rows[index].payments);
    CHECK_NUMBER(json_array_size(requests("/primer/pci/payments")), 1);
    /* Neither a new life nor another checkout of the session pays again. */
    done(&shopper, hco_cancel, NULL);
    CHECK(holds(&shopper, "outcomeUnknown"));
    CHECK_TEXT(state_of(&shopper), "submitted");
    char *reply = NULL;
    hco_checkout *kept = shopper.checkout;
    ERROR(create(&shopper, create_text(&shopper, ""), &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
    shopper.checkout = kept;
    done(&shopper, hco_resolve, "{\"attempt\":1,\"verdict\":\"paid\"}");
    refused(&shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
    CHECK_NUMBER(json_array_size(requests("/primer/pci/payments")), 1);
    close_shopper(&shopper);
  }
}

/* What breaks off before the payment harms nobody. */
static void what_fails_before_the_payment(void) {
  static const char *const paths[] = {"actions", "payment-instruments"};
  static const char *const faults[] = {"dropAfterReading", "status", "garbage"};
  for (int path = 0; path < 2; path++) {
    for (int index = 0; index < 3; index++) {
      shopper shopper;
      if (path == 0 && index == 2) continue; /* of its answer nothing is needed */
      context("%s: %s", paths[path], faults[index]);
      open_ready(&shopper);
      /* libcurl by itself asks again where no money is: until the script is deleted. */
      fault(format("{\"path\":\"%s\",\"fault\":\"%s\",\"times\":null}", paths[path], faults[index]));
      json_t *end = pay(&shopper, CARD_NUMBER);
      CHECK_TEXT(text_of(end, "kind"), "failed");
      CHECK_TEXT(text_of(json_object_get(end, "error"), "moved"), "no");
      CHECK_TEXT(state_of(&shopper), "ready");
      CHECK_NUMBER(json_array_size(requests("/primer/pci/payments")), 0);
      fault(NULL);
      CHECK_TEXT(text_of(pay(&shopper, CARD_NUMBER), "status"), "SUCCESS");
      CHECK_NUMBER(json_array_size(payments(&shopper)), 1);
      close_shopper(&shopper);
    }
  }
}

static void a_poll_that_fails_is_asked_again(void) {
  shopper shopper;
  open_ready(&shopper);
  fault("{\"path\":\"status\",\"fault\":\"status\",\"status\":500}");
  CHECK_TEXT(text_of(pay(&shopper, "4111110000010079"), "status"), "SUCCESS");
  fault(NULL);
  CHECK_NUMBER(json_array_size(requests("/primer/pci/payments")), 1);
  CHECK_NUMBER(json_array_size(requests("resume")), 1);
  close_shopper(&shopper);
}

static void a_poll_that_never_ends_is_ended(void) {
  shopper shopper;
  open_with(&shopper, "", "", ",\"pollTimeoutMs\":1500");
  shopper.page_link = "";
  start(&shopper);
  check_unknown(&shopper, pay(&shopper, "4111110000010079"));
  CHECK_NUMBER(json_array_size(payments(&shopper)), 1);
  CHECK_NUMBER(json_array_size(requests("resume")), 0);
  /* The backend undoes the pending payment, and the session can be paid. */
  const char *id = text_of(json_array_get(payments(&shopper), 0), "paymentId");
  must_exchange("POST", format("/payments/%s/cancel", id), "{}");
  done(&shopper, hco_resolve, "{\"attempt\":1,\"verdict\":\"declined\"}");
  CHECK_TEXT(state_of(&shopper), "ready");
  CHECK_TEXT(text_of(pay(&shopper, CARD_NUMBER), "status"), "SUCCESS");
  CHECK_NUMBER(json_array_size(payments(&shopper)), 2);
  close_shopper(&shopper);
}

/* -------------------------------------------------------------------------------------------- the decision and the key */

static const char *sent_key(int place) {
  json_t *created = json_array_get(requests("/primer/pci/payments"), (size_t)place);
  json_t *key = json_object_get(json_object_get(created, "headers"), "x-idempotency-key");
  return key == NULL ? NULL : json_string_value(key);
}

static void keys_by_precedence(void) {
  static const struct {
    const char *decision, *key, *sent;
  } rows[] = {
      {"{\"ok\":{\"idempotencyKey\":\"decided-%d\"}}", "{\"ok\":{\"idempotencyKey\":\"named-%d\"}}", "decided-%d"},
      {"{\"ok\":{}}", "{\"ok\":{\"idempotencyKey\":\"named-%d\"}}", "named-%d"},
      {"{\"unset\":true}", "{\"ok\":{\"idempotencyKey\":\"named-%d\"}}", "named-%d"},
      {"{\"ok\":{}}", "{\"ok\":{}}", NULL},
      {"{\"ok\":{}}", "{\"unset\":true}", NULL},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    shopper shopper;
    int number = (int)index;
    context("row %d", number);
    open_ready(&shopper);
    char *unique = format("%s", text_of(shopper.session, "id"));
    char *decision = format("%s", rows[index].decision), *key = format("%s", rows[index].key), *mark;
    if ((mark = strstr(decision, "%d")) != NULL) {
      decision = format("%.*s%s%s", (int)(mark - decision), decision, unique, mark + 2);
    }
    if ((mark = strstr(key, "%d")) != NULL) key = format("%.*s%s%s", (int)(mark - key), key, unique, mark + 2);
    shopper.decision = decision;
    shopper.key = key;
    CHECK_TEXT(text_of(pay(&shopper, CARD_NUMBER), "status"), "SUCCESS");
    CHECK_TEXT(
        sent_key(0), rows[index].sent == NULL
                         ? NULL
                         : format("%.*s%s", (int)(strlen(rows[index].sent) - 2), rows[index].sent, unique));
    CHECK_TEXT(text_of(json_array_get(shopper.decisions, 0), "paymentMethodType"), CARD);
    close_shopper(&shopper);
  }
}

/* The account knows the key: some payment was made with it, and whether it was this one nobody here can say. */
static void a_key_that_was_used(void) {
  shopper first, second;
  open_ready(&first);
  first.decision = format("{\"ok\":{\"idempotencyKey\":\"%s\"}}", text_of(first.session, "id"));
  CHECK_TEXT(text_of(pay(&first, CARD_NUMBER), "status"), "SUCCESS");
  open_ready(&second);
  second.decision = first.decision;
  json_t *end = pay(&second, CARD_NUMBER);
  check_unknown(&second, end);
  CHECK_NUMBER(json_array_size(payments(&second)), 0);
  close_shopper(&second);
  close_shopper(&first);
}

static void an_abort_starts_nothing(void) {
  static const struct {
    const char *answer, *kind, *code;
  } rows[] = {
      {"{\"error\":{\"message\":\"sold out\"}}", "failed", "merchant-error"},
      {"{\"error\":{}}", "failed", "merchant-error"},
      {"{\"canceled\":true}", "canceled", ""},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    shopper shopper;
    context("%s", rows[index].answer);
    open_ready(&shopper);
    shopper.decision = rows[index].answer;
    json_t *end = pay(&shopper, CARD_NUMBER);
    CHECK_TEXT(text_of(end, "kind"), rows[index].kind);
    CHECK_TEXT(failure_of(end), rows[index].code);
    CHECK_TEXT(state_of(&shopper), "ready");
    CHECK_NUMBER(json_array_size(requests("/primer/pci/payment-instruments")), 0);
    CHECK_NUMBER(json_array_size(payments(&shopper)), 0);
    shopper.decision = "{\"ok\":{}}";
    CHECK_TEXT(text_of(pay(&shopper, CARD_NUMBER), "status"), "SUCCESS");
    close_shopper(&shopper);
  }
}

static void a_decision_is_waited_for(void) {
  shopper shopper;
  open_ready(&shopper);
  shopper.decision = NULL;
  fill(&shopper, CARD_NUMBER);
  done(&shopper, hco_submit, NULL);
  for (int round = 0; round < 3; round++) hco_runtime_poll(shopper.runtime, 50);
  CHECK(holds(&shopper, "awaitingDecision"));
  CHECK(is_true(done(&shopper, hco_dismiss, NULL), "ignored"));
  refused(&shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
  CHECK_NUMBER(json_array_size(requests("/primer/pci/payment-instruments")), 0);
  uint64_t ticket = shopper.ticket;
  CHECK_NUMBER(hco_answer(shopper.checkout, ticket, "{\"ok\":{\"idempotencyKey\":7}}", NULL), HCO_INVALID_ARGUMENT);
  CHECK_NUMBER(hco_answer(shopper.checkout, ticket, "{\"ok\":{\"key\":\"k\"}}", NULL), HCO_INVALID_ARGUMENT);
  CHECK_NUMBER(hco_answer(shopper.checkout, ticket, "{\"ok\":{}}", NULL), HCO_OK);
  CHECK_TEXT(text_of(outcome(&shopper, 1), "status"), "SUCCESS");
  CHECK_NUMBER(hco_answer(shopper.checkout, ticket, "{\"ok\":{}}", NULL), HCO_REFUSED);
  CHECK_NUMBER(json_array_size(payments(&shopper)), 1);
  close_shopper(&shopper);
}

/* The session was left before the answer came: it starts nothing, not even in the session's next life. */
static void a_decision_that_comes_late(void) {
  shopper shopper;
  char *reply = NULL;
  open_ready(&shopper);
  shopper.decision = NULL;
  fill(&shopper, CARD_NUMBER);
  done(&shopper, hco_submit, NULL);
  for (int round = 0; round < 3; round++) hco_runtime_poll(shopper.runtime, 50);
  uint64_t ticket = shopper.ticket;
  REQUIRE(ticket != 0);
  done(&shopper, hco_cancel, NULL);
  CHECK_TEXT(text_of(outcome(&shopper, 1), "kind"), "canceled");
  ERROR(hco_answer(shopper.checkout, ticket, "{\"ok\":{}}", &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  start(&shopper);
  ERROR(hco_answer(shopper.checkout, ticket, "{\"ok\":{}}", &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  for (int round = 0; round < 3; round++) hco_runtime_poll(shopper.runtime, 50);
  CHECK_NUMBER(json_array_size(payments(&shopper)), 0);
  CHECK_NUMBER(json_array_size(shopper.outcomes), 1);
  close_shopper(&shopper);
}

/* Cancelled while the payment is on its way: its answer is the outcome, and no second payment is made meanwhile. */
static void a_cancel_does_not_forget_the_payment(void) {
  shopper shopper;
  open_ready(&shopper);
  fault("{\"path\":\"/primer/pci/payments\",\"fault\":\"delay\",\"delayMs\":1500}");
  fill(&shopper, CARD_NUMBER);
  done(&shopper, hco_submit, NULL);
  for (int round = 0; round < 100 && json_array_size(requests("/primer/pci/payments")) == 0; round++) {
    hco_runtime_poll(shopper.runtime, 20);
  }
  done(&shopper, hco_cancel, NULL);
  refused(&shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
  json_t *end = outcome(&shopper, 1);
  CHECK_TEXT(text_of(end, "kind"), "completed");
  CHECK_TEXT(text_of(end, "status"), "SUCCESS");
  fault(NULL);
  refused(&shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
  CHECK_NUMBER(json_array_size(payments(&shopper)), 1);
  close_shopper(&shopper);
}

/* A process that died with its payment open: what it stored pays nothing a second time. */
static void a_payment_survives_its_process(void) {
  shopper shopper;
  char *reply = NULL;
  meet(&shopper);
  start_runtime(&shopper);
  create_session(&shopper, "", "");
  char *request = format(
      "{\"provider\":\"primer\",\"clientToken\":\"%s\",\"hooks\":[\"checkpoint\",\"beforePayment\"]}",
      client_token(&shopper));
  RESULT(create(&shopper, request, &reply), reply);
  shopper.page_link = "";
  start(&shopper);
  fill(&shopper, "4111110000010079");
  done(&shopper, hco_submit, NULL);
  for (int round = 0; round < 100 && json_array_size(shopper.pages) == 0; round++) {
    hco_runtime_poll(shopper.runtime, 50);
  }
  size_t count = json_array_size(shopper.checkpoints);
  REQUIRE(count > 0);
  char *snapshot = format("%s", text_of(json_array_get(shopper.checkpoints, count - 1), "snapshot"));
  CHECK(strstr(snapshot, "4111110000010079") == NULL);
  hco_runtime_destroy(shopper.runtime);
  must_exchange("DELETE", "/sandbox/requests", NULL);
  start_runtime(&shopper);
  hco_callbacks callbacks = {.listener = listen_to, .hook = ask, .user = &shopper};
  hco_status status = hco_restore(
      shopper.runtime, snapshot, "{\"provider\":\"primer\",\"hooks\":[\"checkpoint\",\"beforePayment\"]}", &callbacks,
      &shopper.checkout, &reply);
  json_t *restored = RESULT(status, reply);
  REQUIRE(status == HCO_OK);
  CHECK_TEXT(text_of(json_object_get(restored, "pendingAttempt"), "moved"), "unknown");
  refused(&shopper, hco_submit, NULL, "SUBMIT_BLOCKED");
  for (int round = 0; round < 5; round++) hco_runtime_poll(shopper.runtime, 50);
  CHECK_NUMBER(json_array_size(requests("/primer/pci/payments")) + json_array_size(requests("resume")), 0);
  CHECK_NUMBER(json_array_size(payments(&shopper)), 1);
  close_shopper(&shopper);
}

/* ------------------------------------------------------------------------------------------------------ the card form */

static void fields_that_are_wrong(void) {
  static const struct {
    const char *field, *text, *path;
  } rows[] = {
      {"", "1", "field"},
      {"number", "4242", "field"},
      {"CARDNUMBER", "4242", "field"},
      {"cardNumber\n", "4242", "field"},
      {"cardNumber", "4242x", "text"},
      {"cardNumber", "4242-4242", "text"},
      {"cardNumber", "\xD9\xA4\xD9\xA2", "text"},
      {"cardNumber", "42424242424242424242424242424242424242424242424242424242424242424242", "text"},
      {"cvv", "12a", "text"},
      {"cvv", "12345", "text"},
      {"cvv", "\xC2\xBD", "text"},
      {"cardholderName", "\xFF\xFE", "text"},
      {"expiryDate", "13/39", "expiryDate"},
      {"expiryDate", "00/39", "expiryDate"},
      {"expiryDate", "12", "expiryDate"},
      {"expiryDate", "1a/39", "expiryDate"},
      {"expiryDate", "12/139", "expiryDate"},
  };
  shopper shopper;
  char *reply = NULL;
  open_ready(&shopper);
  ERROR(set_field(&shopper, "cvv", "123", &reply), reply, HCO_REFUSED, "MISSING_TOKEN");
  fill(&shopper, CARD_NUMBER);
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    context("%s: %s", rows[index].field, rows[index].text);
    json_t *error =
        ERROR(set_field(&shopper, rows[index].field, rows[index].text, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
    CHECK_TEXT(text_of(error, "path"), rows[index].path);
    char *text = json_dumps(error, 0);
    CHECK(strstr(text, rows[index].text) == NULL || strlen(rows[index].text) < 3);
    CHECK_NUMBER(set_field(&shopper, rows[index].field, rows[index].text, NULL), HCO_INVALID_ARGUMENT);
  }
  context("%s", "");
  hco_checkout *checkout = shopper.checkout;
  CHECK_NUMBER(hco_element_set_field(checkout, NULL, "cvv", "123", 3, NULL), HCO_INVALID_ARGUMENT);
  CHECK_NUMBER(hco_element_set_field(checkout, CARD, NULL, "123", 3, NULL), HCO_INVALID_ARGUMENT);
  CHECK_NUMBER(hco_element_set_field(checkout, CARD, "cvv", NULL, 3, NULL), HCO_INVALID_ARGUMENT);
  CHECK_NUMBER(hco_element_set_field(checkout, CARD, "cvv", "1\0" "3", 3, NULL), HCO_INVALID_ARGUMENT);
  CHECK_NUMBER(hco_element_set_field(checkout, CARD, "cvv", "123456", (size_t)-1, NULL), HCO_INVALID_ARGUMENT);
  CHECK_NUMBER(hco_element_set_field(checkout, "nobody", "cvv", "123", 3, NULL), HCO_REFUSED);
  /* What was refused has changed nothing: the card pays. */
  done(&shopper, hco_submit, NULL);
  CHECK_TEXT(text_of(outcome(&shopper, 1), "status"), "SUCCESS");
  close_shopper(&shopper);
}

/* Emptied, half filled, filled again: the form is ready when it is whole, and only then. */
static void a_form_is_ready_when_it_is_whole(void) {
  shopper shopper;
  open_ready(&shopper);
  fill(&shopper, CARD_NUMBER);
  static const char *const fields[][2] = {{"cardNumber", CARD_NUMBER}, {"expiryDate", "12/2039"}, {"cvv", "123"}};
  for (int index = 0; index < 3; index++) {
    context("%s", fields[index][0]);
    type(&shopper, fields[index][0], "");
    refused(&shopper, hco_submit, NULL, "ELEMENT_NOT_FULFILLED");
    type(&shopper, fields[index][0], fields[index][1]);
  }
  CHECK_NUMBER(hco_element_set_field(shopper.checkout, CARD, "cvv", "", 0, NULL), HCO_OK);
  CHECK_NUMBER(hco_element_set_field(shopper.checkout, CARD, "cvv", NULL, 0, NULL), HCO_OK);
  type(&shopper, "cvv", "123");
  done(&shopper, hco_submit, NULL);
  CHECK_TEXT(text_of(outcome(&shopper, 1), "status"), "SUCCESS");
  close_shopper(&shopper);
}

/* Not as a part of an id or a time. */
static bool has_number(const char *text, const char *number) {
  size_t length = strlen(number);
  for (const char *at = text; (at = strstr(at, number)) != NULL; at++) {
    bool begins = at == text || !isalnum((unsigned char)at[-1]);
    if (begins && !isalnum((unsigned char)at[length])) return true;
  }
  return false;
}

/* The number and the code reach the call that wants them, once, and nothing that leaves the library otherwise. */
static void what_was_typed_stays_inside(void) {
  shopper shopper;
  char *snapshot = NULL, *reply = NULL;
  size_t index;
  json_t *request;
  int holders = 0;
  open_ready(&shopper);
  fill(&shopper, "4111 1100 0000 0013");
  type(&shopper, "cvv", "9471");
  CHECK_NUMBER(hco_save_state(shopper.checkout, &snapshot), HCO_OK);
  note(&shopper, snapshot);
  hco_free(snapshot);
  done(&shopper, hco_submit, NULL);
  outcome(&shopper, 1);
  CHECK_NUMBER(hco_state(shopper.checkout, NULL, &reply), HCO_OK);
  note(&shopper, reply);
  hco_free(reply);
  CHECK(strstr(shopper.told, "4111110000000013") == NULL && strstr(shopper.told, "4111 1100") == NULL);
  CHECK(!has_number(shopper.told, "9471") && strstr(shopper.told, "Sandbox Shopper") == NULL);
  json_array_foreach(requests("*"), index, request) {
    char *text = json_dumps(request, 0);
    bool has_it = strstr(text, "4111110000000013") != NULL || has_number(text, "9471");
    if (has_it) CHECK_TEXT(text_of(request, "path"), "/primer/pci/payment-instruments");
    holders += has_it;
    free(text);
  }
  CHECK_NUMBER(holders, 1);
  /* It was sent, and is gone: the form wants it again. */
  refused(&shopper, hco_submit, NULL, "ELEMENT_NOT_FULFILLED");
  close_shopper(&shopper);
}

/* With Purse there is nothing to start, and no form of the library's own. */
static void purse_has_none_of_it(void) {
  shopper shopper;
  char *reply = NULL;
  meet(&shopper);
  start_runtime(&shopper);
  json_t *session = must_exchange(
      "POST", "/payment/v2/client-sessions",
      "{\"entity_id\":\"c0ffee00-0000-4000-8000-000000000001\",\"amount\":1200,\"currency\":\"EUR\","
      "\"shopper_redirection_url\":\"" RETURN_URL "\",\"order\":{}}");
  char *request = format(
      "{\"widgetData\":\"%s\",\"apiPaths\":{\"payment\":\"%s\",\"datetime\":\"%s\"},\"capabilities\":["
      "{\"item\":\"purse-creditcard\",\"steps\":[\"collect\"]}]}",
      text_of(json_object_get(session, "widget"), "data"), sandbox(), sandbox());
  hco_status status = create(&shopper, request, &reply);
  RESULT(status, reply);
  REQUIRE(status == HCO_OK);
  CHECK_TEXT(state_of(&shopper), "ready");
  CHECK(is_true(json_object_get(ended(&shopper, hco_start, NULL), "result"), "ignored"));
  CHECK(is_true(json_object_get(ended(&shopper, hco_refresh, NULL), "result"), "ignored"));
  refused(&shopper, hco_cancel, NULL, "METHOD_NOT_IMPLEMENTED");
  refused(&shopper, hco_dismiss, NULL, "METHOD_NOT_IMPLEMENTED");
  ended(&shopper, hco_element_open, "{\"item\":\"purse-creditcard\"}");
  ERROR(
      hco_element_set_field(shopper.checkout, "purse-creditcard", "cardNumber", CARD_NUMBER, 16, &reply), reply,
      HCO_REFUSED, "METHOD_NOT_IMPLEMENTED");
  CHECK_TEXT(state_of(&shopper), "ready");
  close_shopper(&shopper);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(tokens_that_are_none),
      TEST(requests_that_are_wrong),
      TEST(a_token_that_has_expired),
      TEST(a_session_is_started),
      TEST(amounts_are_shown_while_a_session_is_loaded),
      TEST(a_refresh_brings_the_changed_order),
      TEST(a_start_that_fails_may_be_cancelled_and_repeated),
      TEST(manual_handling_is_refused_at_once),
      TEST(a_cancelled_session_is_silent_and_starts_again),
      TEST(a_shopper_who_closes_it),
      TEST(every_card_ends_as_it_should),
      TEST(every_required_action_ends_as_it_should),
      TEST(a_page_decides),
      TEST(a_redirected_method_and_a_voucher),
      TEST(a_declined_card_and_another),
      TEST(a_create_that_breaks_off),
      TEST(what_fails_before_the_payment),
      TEST(a_poll_that_fails_is_asked_again),
      TEST(a_poll_that_never_ends_is_ended),
      TEST(keys_by_precedence),
      TEST(a_key_that_was_used),
      TEST(an_abort_starts_nothing),
      TEST(a_decision_is_waited_for),
      TEST(a_decision_that_comes_late),
      TEST(a_cancel_does_not_forget_the_payment),
      TEST(a_payment_survives_its_process),
      TEST(fields_that_are_wrong),
      TEST(a_form_is_ready_when_it_is_whole),
      TEST(what_was_typed_stays_inside),
      TEST(purse_has_none_of_it),
  };
  return RUN_TESTS("primer", tests);
}
