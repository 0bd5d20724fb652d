/*
 * Over real HTTP, against the sandbox at SANDBOX_URL: what libcurl's transport makes of a back end that breaks off, and
 * that a payment request leaves once.
 */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../examples/merchant.h"
#include "harness.h"

typedef struct customer {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *session, *outcome, *result;
  const char *form_token;
  json_t *page;
  int outcomes;
} customer;

static const char *sandbox(void) {
  const char *url = getenv("SANDBOX_URL");
  REQUIRE(url != NULL);
  return url;
}

static char *exchange_text;

static size_t keep(char *bytes, size_t size, size_t count, void *user) {
  (void)user;
  exchange_text = format("%s%.*s", exchange_text == NULL ? "" : exchange_text, (int)(size * count), bytes);
  return size * count;
}

static void send_to_sandbox(const char *method, const char *path, const char *body) {
  CURL *curl = curl_easy_init();
  struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
  long status = 0;
  curl_easy_setopt(curl, CURLOPT_URL, format("%s%s", sandbox(), path));
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
  if (body != NULL) curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  REQUIRE(curl_easy_perform(curl) == CURLE_OK);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  REQUIRE(status / 100 == 2);
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
}

static void fault(const char *body) {
  send_to_sandbox("DELETE", "/sandbox/faults", NULL);
  if (body != NULL) send_to_sandbox("POST", "/sandbox/faults", body);
}

static void listen_to(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  customer *customer = user;
  json_t *event = seen(json);
  (void)checkout;
  if (kind == HCO_EVENT_OUTCOME) customer->outcome = event;
  if (kind == HCO_EVENT_OUTCOME) customer->outcomes += 1;
  if (kind == HCO_EVENT_RESULT) customer->result = event;
  if (kind == HCO_EVENT_REDIRECT && strcmp(text_of(event, "state"), "open") == 0) customer->page = event;
}

static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  customer *customer = user;
  json_decref(seen(json));
  if (kind != HCO_HOOK_STEP) return;
  char *answer = format("{\"ok\":{\"vault_form_token\":\"%s\",\"selected_network\":\"VISA\"}}", customer->form_token);
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
      "{\"widgetData\":\"%s\",\"apiPaths\":{\"payment\":\"%s\",\"datetime\":\"%s\"},\"capabilities\":[{\"item\":"
      "\"purse-creditcard\","
      "\"steps\":[\"collect\"]}]}",
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
  exchange_text = NULL;
  send_to_sandbox("GET", "/sandbox/requests", NULL);
  json_t *journal = json_loads(exchange_text, 0, NULL);
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
  send_to_sandbox("DELETE", "/sandbox/requests", NULL);
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
static void every_gift_card_pays(void) {
  static const char *const items[] = {"illicado-giftcard", "easy2play-giftcard", "buybox-giftcard"};
  for (int index = 0; index < 3; index++) {
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
      TEST(sigpipe_does_not_reach_the_host),
  };
  return RUN_TESTS("sandbox", tests);
}
