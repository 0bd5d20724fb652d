/*
 * Over real HTTP, against the sandbox at SANDBOX_URL: what libcurl's transport makes of a back end that breaks off, and
 * that a payment request leaves once.
 */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../examples/merchant.h"
#include "harness.h"
#include "sandbox.h"

typedef struct customer {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *session, *outcome, *result;
  const char *form_token;
  json_t *page;
  int outcomes, steps, initialized;
} customer;

static void listen_to(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  customer *customer = user;
  json_t *event = seen(json);
  (void)checkout;
  if (kind == HCO_EVENT_OUTCOME) customer->outcome = event;
  if (kind == HCO_EVENT_OUTCOME) customer->outcomes += 1;
  if (kind == HCO_EVENT_RESULT) customer->result = event;
  if (kind == HCO_EVENT_ELEMENT && strcmp(text_of(event, "what"), "initialized") == 0) customer->initialized += 1;
  if (kind == HCO_EVENT_REDIRECT && strcmp(text_of(event, "state"), "open") == 0) customer->page = event;
}

static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  customer *customer = user;
  json_t *question = seen(json);
  if (kind != HCO_HOOK_STEP) return;
  char *answer = format("{\"ok\":{\"vault_form_token\":\"%s\"}}", customer->form_token);
  if (strcmp(text_of(question, "step"), "prepare") == 0) {
    answer = format("{\"ok\":{\"payment_data\":{\"authorization_token\":\"%s\"}}}", customer->form_token);
  }
  customer->steps += 1;
  CHECK_NUMBER(hco_answer(checkout, ticket, answer, NULL), HCO_OK);
}

static void open_with(customer *customer, const char *options, const char *payment) {
  char *reply = NULL;
  memset(customer, 0, sizeof *customer);
  customer->form_token = "tok_success_00000000000000000000";
  customer->session = merchant_create_session(sandbox(), 12000);
  RESULT(hco_runtime_create(HCO_ABI_VERSION, options, NULL, &customer->runtime, &reply), reply);
  hco_callbacks callbacks = {.listener = listen_to, .hook = ask, .user = customer};
  char *request = format(
      "{\"widgetData\":\"%s\",\"apiPaths\":{\"payment\":\"%s\",\"datetime\":\"%s\"},\"capabilities\":["
      "{\"item\":\"purse-creditcard\",\"steps\":[\"collect\"]},{\"item\":\"klarna-paylater\",\"steps\":[\"prepare\"]},"
      "{\"item\":\"adyen-applepay\",\"steps\":[\"prepare\"]},{\"item\":\"paypal-paypal\",\"steps\":[\"prepare\"]}]}",
      merchant_widget_data(customer->session), payment, sandbox());
  reply = NULL;
  hco_status status = hco_create(customer->runtime, request, &callbacks, &customer->checkout, &reply);
  RESULT(status, reply);
  REQUIRE(status == HCO_OK);
}

static void open_customer(customer *customer) { open_with(customer, "{\"allowLoopbackHTTP\":true}", sandbox()); }

static void pump(customer *customer, bool (*is_done)(struct customer *)) {
  for (int round = 0; round < 200 && !is_done(customer); round++) {
    CHECK_NUMBER(hco_runtime_poll(customer->runtime, 100), HCO_OK);
  }
  CHECK(is_done(customer));
}

static bool has_outcome(customer *customer) { return customer->outcome != NULL; }
static bool has_result(customer *customer) { return customer->result != NULL; }
static bool was_initialized_again(customer *customer) { return customer->initialized > 0; }

static void pay(customer *customer) {
  const char *valid = "{\"element\":\"purse-creditcard\",\"report\":\"formValidity\",\"valid\":true}";
  char *reply = NULL;
  RESULT(hco_set_primary(customer->checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  RESULT(hco_element_open(customer->checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  RESULT(hco_element_report(customer->checkout, valid, &reply), reply);
  RESULT(hco_submit(customer->checkout, NULL, &reply), reply);
  pump(customer, has_outcome);
}

static int validates(customer *customer) {
  json_int_t sum = 0;
  return merchant_count_validates(sandbox(), customer->session, &sum);
}

static void close_customer(customer *customer) {
  hco_release(customer->checkout);
  for (int round = 0; round < 3; round++) hco_runtime_poll(customer->runtime, 0);
  hco_runtime_destroy(customer->runtime);
}

static const char *state_of(customer *customer) {
  char *reply = NULL;
  hco_status status = hco_state(customer->checkout, "{\"keys\":[\"sessionState\"]}", &reply);
  return text_of(RESULT(status, reply), "sessionState");
}

/* How many requests the sandbox has received at all. */
static size_t requests(void) {
  json_t *journal = must_exchange("GET", "/sandbox/requests", NULL);
  return json_array_size(json_object_get(journal, "requests"));
}

static void broken_back_ends(void) {
  static const struct {
    const char *fault, *code, *moved, *state;
    int validates;
  } table[] = {
      {"{\"path\":\"validate\",\"fault\":\"dropBeforeReading\"}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"dropAfterReading\"}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"processThenDrop\"}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"reset\"}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"garbage\"}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"truncated\"}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"halfHeader\"}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"redirect3xx\"}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"redirect3xx\",\"status\":302}", "OUTCOME_UNKNOWN", "unknown", "submitted",
       1},
      {"{\"path\":\"validate\",\"fault\":\"status\",\"status\":503}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"status\",\"status\":417}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"status\",\"status\":401}", "VALIDATE_FAILED", "no", "ready", 1},
      {"{\"path\":\"validate\",\"fault\":\"status\",\"status\":407}", "OUTCOME_UNKNOWN", "unknown", "submitted", 1},
      {"{\"path\":\"validate\",\"fault\":\"status\",\"status\":429}", "VALIDATE_FAILED", "no", "ready", 1},
  };
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    customer customer;
    context("%s", table[index].fault);
    open_customer(&customer);
    fault(table[index].fault);
    pay(&customer);
    const json_t *error = json_object_get(customer.outcome, "error");
    CHECK_TEXT(text_of(error, "code"), table[index].code);
    CHECK_TEXT(text_of(error, "moved"), table[index].moved);
    CHECK_TEXT(state_of(&customer), table[index].state);
    for (int round = 0; round < 5; round++) hco_runtime_poll(customer.runtime, 20);
    CHECK_NUMBER(validates(&customer), table[index].validates);
    CHECK_NUMBER(customer.outcomes, 1);
    close_customer(&customer);
  }
  fault(NULL);
}

static void too_slow(void) {
  customer customer;
  open_with(&customer, "{\"allowLoopbackHTTP\":true,\"timeouts\":{\"validateMs\":300}}", sandbox());
  fault("{\"path\":\"validate\",\"fault\":\"delay\",\"delayMs\":2000}");
  pay(&customer);
  CHECK_TEXT(text_of(json_object_get(customer.outcome, "error"), "code"), "OUTCOME_UNKNOWN");
  CHECK_NUMBER(validates(&customer), 1);
  fault(NULL);
}

static void too_large(void) {
  customer customer;
  open_with(&customer, "{\"allowLoopbackHTTP\":true,\"maxResponseBytes\":100}", sandbox());
  pay(&customer);
  CHECK_TEXT(text_of(json_object_get(customer.outcome, "error"), "code"), "OUTCOME_UNKNOWN");
  CHECK_NUMBER(validates(&customer), 1);
}

/* Nobody listens, or there is no such name: it never left, and may be paid again. */
static void never_left(void) {
  static const char *const roots[] = {"http://127.0.0.1:1", "https://127.0.0.1:1", "https://no-such-host.invalid"};
  for (int index = 0; index < 3; index++) {
    customer customer;
    context("%s", roots[index]);
    open_with(&customer, "{\"allowLoopbackHTTP\":true}", roots[index]);
    pay(&customer);
    CHECK_TEXT(text_of(customer.outcome, "kind"), "failed");
    CHECK_TEXT(text_of(json_object_get(customer.outcome, "error"), "moved"), "no");
    CHECK_TEXT(state_of(&customer), "ready");
    close_customer(&customer);
  }
  context("a server that speaks no TLS");
  customer customer;
  open_with(&customer, "{\"allowLoopbackHTTP\":true}", format("https%s", sandbox() + 4));
  pay(&customer);
  CHECK_TEXT(text_of(json_object_get(customer.outcome, "error"), "moved"), "no");
  CHECK_TEXT(state_of(&customer), "ready");
  CHECK_NUMBER(validates(&customer), 0);
}

/* Loopback over http is for those who ask for it. */
static void http_is_refused_unless_allowed(void) {
  customer customer;
  char *reply = NULL;
  memset(&customer, 0, sizeof customer);
  customer.session = merchant_create_session(sandbox(), 12000);
  RESULT(hco_runtime_create(HCO_ABI_VERSION, NULL, NULL, &customer.runtime, &reply), reply);
  hco_callbacks callbacks = {.listener = listen_to, .hook = ask, .user = &customer};
  char *request = format(
      "{\"widgetData\":\"%s\",\"apiPaths\":{\"payment\":\"%s\",\"datetime\":\"%s\"}}",
      merchant_widget_data(customer.session), sandbox(), sandbox());
  must_exchange("DELETE", "/sandbox/requests", NULL);
  if (hco_create(customer.runtime, request, &callbacks, &customer.checkout, NULL) != HCO_OK) return;
  request = "{\"item\":\"buybox-giftcard\",\"number\":\"6000000100001000\",\"cvv\":\"1234\"}";
  RESULT(hco_read_secondary(customer.checkout, request, &reply), reply);
  pump(&customer, has_result);
  CHECK(json_object_get(customer.result, "error") != NULL);
  CHECK_NUMBER(requests(), 0);
}

/* A server that reads the whole request on a kept-alive connection and closes it: one arrival. */
static int listen_on_loopback(int *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  REQUIRE(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 8) == 0);
  getsockname(listener, (struct sockaddr *)&address, &length);
  *port = ntohs(address.sin_port);
  return listener;
}

/* Reads one request whole; false when the connection ended. */
static bool read_request(int connection, char *text, size_t size) {
  size_t have = 0;
  for (;;) {
    ssize_t got = read(connection, text + have, size - have - 1);
    if (got <= 0) return false;
    have += (size_t)got;
    text[have] = '\0';
    const char *end = strstr(text, "\r\n\r\n");
    const char *length = strcasestr(text, "content-length:");
    if (end == NULL) continue;
    size_t body = length == NULL ? 0 : (size_t)atol(length + 15);
    if (have >= (size_t)(end + 4 - text) + body) return true;
  }
}

static void serve(int connection, int report) {
  static char text[1 << 20];
  const char *body =
      "{\"id\":\"i\",\"date\":\"2030-01-01T00:00:00Z\",\"partner\":\"illicado\",\"method\":\"giftcard\",\"step_id\":1,"
      "\"status\":{\"action\":\"INIT\",\"state\":\"SUCCESS\",\"code\":\"SUCCEEDED\"},\"plugin_result\":{\"amount\":10."
      "00,"
      "\"currency_code\":\"EUR\"}}";
  while (read_request(connection, text, sizeof text)) {
    if (strstr(text, "/validate HTTP/1.1") != NULL) {
      if (write(report, "v", 1) != 1) _exit(1);
      break;
    }
    dprintf(
        connection, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", strlen(body),
        body);
  }
  close(connection);
}

static void accept_for_ever(int listener, int report) {
  signal(SIGCHLD, SIG_IGN);
  for (;;) {
    int connection = accept(listener, NULL, NULL);
    if (connection >= 0 && fork() == 0) {
      alarm(30);
      close(listener);
      serve(connection, report);
      _exit(0);
    }
    close(connection);
  }
}

static void a_kept_alive_connection_that_dies(void) {
  int port, channel[2], listener = listen_on_loopback(&port);
  REQUIRE(pipe(channel) == 0);
  pid_t server = fork();
  if (server == 0) {
    alarm(30);
    accept_for_ever(listener, channel[1]);
  }
  close(listener);
  close(channel[1]);
  customer customer;
  char *reply = NULL;
  open_with(&customer, "{\"allowLoopbackHTTP\":true}", format("http://127.0.0.1:%d", port));
  /* First a gift card, so that a connection is there to be used again. */
  RESULT(
      hco_read_secondary(
          customer.checkout, "{\"item\":\"illicado-giftcard\",\"number\":\"6000000100001000\",\"cvv\":\"1234\"}",
          &reply),
      reply);
  pump(&customer, has_result);
  CHECK(json_object_get(customer.result, "result") != NULL);
  pay(&customer);
  CHECK_TEXT(text_of(json_object_get(customer.outcome, "error"), "code"), "OUTCOME_UNKNOWN");
  for (int round = 0; round < 10; round++) hco_runtime_poll(customer.runtime, 50);
  close_customer(&customer);
  kill(server, SIGKILL);
  char arrived[16];
  CHECK_NUMBER(read(channel[0], arrived, sizeof arrived), 1);
}

static void polled_gift_cards(void) {
  customer customer;
  char *reply = NULL;
  open_customer(&customer);
  RESULT(
      hco_read_secondary(
          customer.checkout, "{\"item\":\"illicado-giftcard\",\"number\":\"6100000000000001\",\"cvv\":\"1234\"}",
          &reply),
      reply);
  pump(&customer, has_result);
  check_error_shape(json_object_get(customer.result, "error"), __FILE__, __LINE__);
  CHECK_NUMBER(validates(&customer), 0);
}

/* A gift card of every issuer is read and pays: what the library sends of it is what the sandbox wants. */
// seed: 002:16
static void every_gift_card_pays(void) {
  static const char *const items[] = {
      "illicado-giftcard", "easy2play-giftcard", "buybox-giftcard", "maxxing-loyaltycard"};
  for (int index = 0; index < 4; index++) {
    customer customer;
    char *reply = NULL;
    context("%s", items[index]);
    open_customer(&customer);
    char *request = format("{\"item\":\"%s\",\"number\":\"6000000100020000\",\"cvv\":\"1234\"}", items[index]);
    RESULT(hco_read_secondary(customer.checkout, request, &reply), reply);
    pump(&customer, has_result);
    const char *token = text_of(json_object_get(json_object_get(customer.result, "result"), "token"), "id");
    RESULT(hco_apply_secondary(customer.checkout, format("{\"token\":\"%s\"}", token), &reply), reply);
    RESULT(hco_submit(customer.checkout, NULL, &reply), reply);
    pump(&customer, has_outcome);
    CHECK_TEXT(text_of(customer.outcome, "status"), "SUCCESS");
    CHECK_NUMBER(validates(&customer), 1);
    close_customer(&customer);
  }
}

/* Partners' widgets: opened, reported, paid with; what the library sends is what the sandbox wants. */
// seed: 002:19b
// seed: 002:30a
static void every_widget_pays(void) {
  static const struct {
    const char *item, *init, *report;
    int steps;
  } table[] = {
      {"klarna-paylater", "client_token", NULL, 1},
      {"adyen-applepay", "payment_request", "\"approved\",\"payment_data\":{\"authorization_token\":\"tok_success_x\"}", 0},
      {"adyen-applepay", "payment_request", "\"approved\"", 1},
      {"paypal-paypal", NULL, "\"approved\",\"payment_data\":{\"authorization_token\":\"tok_success_x\"}", 0},
      {"paypal-paypal", NULL, NULL, 1},
  };
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    customer customer;
    char *reply = NULL;
    const char *item = table[index].item;
    context("%s %s", item, table[index].report);
    open_customer(&customer);
    char *open = format("{\"item\":\"%s\",\"appReturnURL\":\"shop://back\"}", item);
    RESULT(hco_element_open(customer.checkout, open, &reply), reply);
    pump(&customer, has_result);
    const json_t *init = json_object_get(json_object_get(customer.result, "result"), "init");
    CHECK((json_object_get(init, table[index].init == NULL ? "" : table[index].init) != NULL) == (table[index].init != NULL));
    char *ready = format("{\"element\":\"%s\",\"report\":\"ready\"}", item);
    RESULT(hco_element_report(customer.checkout, ready, &reply), reply);
    if (table[index].report != NULL) {
      char *approved = format("{\"element\":\"%s\",\"report\":%s}", item, table[index].report);
      CHECK_NUMBER(number_of(RESULT(hco_element_report(customer.checkout, approved, &reply), reply), "attempt"), 1);
    } else {
      RESULT(hco_set_primary(customer.checkout, format("{\"item\":\"%s\"}", item), &reply), reply);
      RESULT(hco_submit(customer.checkout, NULL, &reply), reply);
    }
    pump(&customer, has_outcome);
    CHECK_TEXT(text_of(customer.outcome, "status"), "SUCCESS");
    CHECK_TEXT(text_of(customer.outcome, "element"), item);
    CHECK_NUMBER(customer.steps, table[index].steps);
    CHECK_NUMBER(validates(&customer), 1);
    close_customer(&customer);
  }
}

/* The amount moves under an open widget: it is initialised for the new one, which is what the payment is of. */
// seed: 002:30a
static void a_widget_follows_the_amount(void) {
  customer customer;
  char *reply = NULL;
  open_customer(&customer);
  const char *open = "{\"item\":\"klarna-paylater\",\"appReturnURL\":\"shop://back\"}";
  const char *ready = "{\"element\":\"klarna-paylater\",\"report\":\"ready\"}";
  RESULT(hco_set_primary(customer.checkout, "{\"item\":\"klarna-paylater\"}", &reply), reply);
  RESULT(hco_element_open(customer.checkout, open, &reply), reply);
  pump(&customer, has_result);
  RESULT(hco_element_report(customer.checkout, ready, &reply), reply);
  customer.result = NULL;
  const char *read = "{\"item\":\"illicado-giftcard\",\"number\":\"6000000100005000\",\"cvv\":\"1234\"}";
  RESULT(hco_read_secondary(customer.checkout, read, &reply), reply);
  pump(&customer, has_result);
  RESULT(hco_apply_secondary(customer.checkout, "{\"token\":\"gc1\"}", &reply), reply);
  RESULT(hco_state(customer.checkout, "{\"keys\":[\"elements\"]}", &reply), reply);
  pump(&customer, was_initialized_again);
  RESULT(hco_element_report(customer.checkout, ready, &reply), reply);
  RESULT(hco_submit(customer.checkout, NULL, &reply), reply);
  pump(&customer, has_outcome);
  CHECK_TEXT(text_of(customer.outcome, "status"), "SUCCESS");
  close_customer(&customer);
}

/* A saved card that wants its security code pays with the form's token beside its own. */
// seed: 002:26
static void a_saved_card_with_its_code(void) {
  customer customer;
  char *reply = NULL;
  open_customer(&customer);
  RESULT(hco_state(customer.checkout, "{\"keys\":[\"paymentTokens\"]}", &reply), reply);
  const char *id = "5b1f0a3e-7c55-4f0e-9d11-7a2a6f1c1881";
  char *named = format("{\"token\":\"%s\"}", id);
  RESULT(hco_set_primary(customer.checkout, named, &reply), reply);
  ERROR(hco_submit(customer.checkout, NULL, &reply), reply, HCO_REFUSED, "ELEMENT_NOT_FULFILLED");
  RESULT(hco_element_open(customer.checkout, named, &reply), reply);
  char *valid = format("{\"element\":\"%s\",\"report\":\"formValidity\",\"valid\":true}", id);
  RESULT(hco_element_report(customer.checkout, valid, &reply), reply);
  RESULT(hco_submit(customer.checkout, NULL, &reply), reply);
  pump(&customer, has_outcome);
  CHECK_TEXT(text_of(customer.outcome, "status"), "SUCCESS");
  CHECK_NUMBER(customer.steps, 1);
  close_customer(&customer);
}

/* One that was deleted elsewhere: the back end no longer knows it. */
static void a_saved_card_that_was_deleted(void) {
  customer customer;
  char *reply = NULL;
  open_customer(&customer);
  fault("{\"path\":\"validate\",\"fault\":\"status\",\"status\":422,\"body\":{\"code\":\"UNKNOWN_WALLET_TOKEN\"}}");
  RESULT(hco_set_primary(customer.checkout, "{\"token\":\"5b1f0a3e-7c55-4f0e-9d11-7a2a6f1c4242\"}", &reply), reply);
  RESULT(hco_submit(customer.checkout, NULL, &reply), reply);
  pump(&customer, has_outcome);
  const json_t *error = json_object_get(customer.outcome, "error");
  CHECK_TEXT(text_of(error, "code"), "PAYMENT_TOKEN_NOT_FOUND_IN_SESSION");
  json_t *state = RESULT(hco_state(customer.checkout, NULL, &reply), reply);
  const json_t *token = json_array_get(json_object_get(state, "paymentTokens"), 0);
  CHECK_TEXT(text_of(json_object_get(token, "disabled"), "code"), "TOKEN_DELETED");
  CHECK_TEXT(text_of(state, "sessionState"), "ready");
  close_customer(&customer);
  fault(NULL);
}

static void a_loyalty_card(void) {
  customer customer;
  char *reply = NULL;
  open_customer(&customer);
  const char *read = "{\"item\":\"maxxing-loyaltycard\",\"number\":\"6000000100020000\"}";
  RESULT(hco_read_secondary(customer.checkout, read, &reply), reply);
  pump(&customer, has_result);
  const json_t *token = json_object_get(json_object_get(customer.result, "result"), "token");
  CHECK_NUMBER(number_of(token, "balance"), 20000);
  CHECK_NUMBER(number_of(token, "totalBalance"), 40000);
  ERROR(
      hco_apply_secondary(customer.checkout, "{\"token\":\"gc1\",\"amount\":5000}", &reply), reply, HCO_REFUSED,
      "SECONDARY_METHOD_TAKE_POLICY_VIOLATED");
  json_t *applied = RESULT(hco_apply_secondary(customer.checkout, "{\"token\":\"gc1\"}", &reply), reply);
  CHECK_NUMBER(number_of(applied, "amountLoss"), 8000);
  RESULT(hco_submit(customer.checkout, NULL, &reply), reply);
  pump(&customer, has_outcome);
  CHECK_TEXT(text_of(customer.outcome, "status"), "SUCCESS");
  close_customer(&customer);
}

/* An issuer that waits for its shopper: the three refusals, the last of them after a round. */
static void polling_refusals(void) {
  static const struct {
    const char *number, *code;
  } table[] = {
      {"6300000000000001", "USER_ACTION_REQUEST_ABORTED_BY_CUSTOMER"},
      {"6300000000000002", "USER_ACTION_REQUEST_HAS_EXPIRED"},
      {"6300000100000003", "OTHER_TRANSACTION_PENDING_FOR_ACCOUNT"},
  };
  customer customer;
  open_customer(&customer);
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    char *reply = NULL;
    context("%s", table[index].number);
    customer.result = NULL;
    char *read = format("{\"item\":\"buybox-giftcard\",\"number\":\"%s\",\"cvv\":\"1234\"}", table[index].number);
    RESULT(hco_read_secondary(customer.checkout, read, &reply), reply);
    pump(&customer, has_result);
    CHECK_TEXT(text_of(json_object_get(customer.result, "error"), "code"), table[index].code);
  }
  close_customer(&customer);
}

/* The host that ignores no signal lives on when the server resets. */
static void sigpipe_does_not_reach_the_host(void) {
  signal(SIGPIPE, SIG_DFL);
  for (int round = 0; round < 5; round++) {
    customer customer;
    open_customer(&customer);
    fault("{\"path\":\"validate\",\"fault\":\"reset\"}");
    pay(&customer);
    close_customer(&customer);
  }
  fault(NULL);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(broken_back_ends),
      TEST(too_slow),
      TEST(too_large),
      TEST(never_left),
      TEST(http_is_refused_unless_allowed),
      TEST(a_kept_alive_connection_that_dies),
      TEST(polled_gift_cards),
      TEST(every_gift_card_pays),
      TEST(every_widget_pays),
      TEST(a_widget_follows_the_amount),
      TEST(a_saved_card_with_its_code),
      TEST(a_saved_card_that_was_deleted),
      TEST(a_loyalty_card),
      TEST(polling_refusals),
      TEST(sigpipe_does_not_reach_the_host),
  };
  return RUN_TESTS("sandbox", tests);
}
