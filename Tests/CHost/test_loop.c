/* The runtime's descriptor, its clock and its loop; pull mode. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

static bool is_readable(host *host) {
  struct pollfd one = {.fd = hco_runtime_fd(host->runtime), .events = POLLIN};
  return poll(&one, 1, 0) == 1;
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void poll_once(host *host, int timeout) {
  host->poller = pthread_self();
  host->is_polling = true;
  CHECK_NUMBER(hco_runtime_poll(host->runtime, timeout), HCO_OK);
  host->is_polling = false;
}

static void descriptor_says_when_there_is_work(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  int descriptor = hco_runtime_fd(host.runtime);
  CHECK(descriptor >= 0);
  CHECK_NUMBER(hco_runtime_fd(host.runtime), descriptor);
  CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  CHECK(!is_readable(&host));
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  CHECK(is_readable(&host));
  host_pump(&host);
  CHECK(last_of(host.events, "change") != NULL);
  CHECK(!is_readable(&host));
  hco_runtime_wake(host.runtime);
  CHECK(is_readable(&host));
  host_pump(&host);
  CHECK(!is_readable(&host));
  RESULT(hco_runtime_notify(host.runtime, "{\"advanceMs\":1}", &reply), reply);
  host_pump(&host);
  CHECK(!is_readable(&host));
}

/* Edge triggered: each new piece of work is an edge, and a poll that left something over makes another. */
static void descriptor_works_edge_triggered(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  int loop = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET};
  CHECK_NUMBER(epoll_ctl(loop, EPOLL_CTL_ADD, hco_runtime_fd(host.runtime), &event), 0);
  while (epoll_wait(loop, &event, 1, 0) > 0) poll_once(&host, 0);
  const char *valid = "{\"element\":\"purse-creditcard\",\"report\":\"formValidity\",\"valid\":true}";
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  RESULT(hco_element_open(host.checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  RESULT(hco_element_report(host.checkout, valid, &reply), reply);
  host_submit(&host);
  for (int rounds = 0; rounds < 100 && OUTCOME(&host) == NULL; rounds++) {
    if (epoll_wait(loop, &event, 1, 2000) == 0) break;
    poll_once(&host, 0);
  }
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  while (epoll_wait(loop, &event, 1, 0) > 0) poll_once(&host, 0);
  for (int round = 0; round < 3; round++) {
    hco_runtime_wake(host.runtime);
    CHECK_NUMBER(epoll_wait(loop, &event, 1, 1000), 1);
    poll_once(&host, 0);
    while (epoll_wait(loop, &event, 1, 0) > 0) poll_once(&host, 0);
  }
  close(loop);
}

static void poll_waits_as_long_as_it_is_told(void) {
  host host;
  host_open(&host);
  long long start = milliseconds();
  poll_once(&host, 0);
  CHECK(milliseconds() - start < 100);
  start = milliseconds();
  for (int round = 0; round < 50 && milliseconds() - start < 150; round++) poll_once(&host, 150);
  CHECK(milliseconds() - start >= 150);
  CHECK(milliseconds() - start < 2000);
}

static void wake_is_sticky_and_coalesces(void) {
  host host;
  host_open(&host);
  for (int round = 0; round < 1000; round++) CHECK_NUMBER(hco_runtime_wake(host.runtime), HCO_OK);
  long long start = milliseconds();
  poll_once(&host, 10000);
  CHECK(milliseconds() - start < 2000);
  start = milliseconds();
  for (int round = 0; round < 50 && milliseconds() - start < 100; round++) poll_once(&host, 100);
  CHECK(milliseconds() - start >= 100);
}

static hco_runtime *to_be_woken;
static volatile sig_atomic_t status_in_handler = -1, handled;

static void wake_from_handler(int signal) {
  (void)signal;
  status_in_handler = hco_runtime_wake(to_be_woken);
  handled += 1;
}

static void start_alarms(long microseconds, bool again) {
  struct sigaction action = {.sa_handler = wake_from_handler};
  struct itimerval timer = {.it_value = {0, microseconds}, .it_interval = {0, again ? microseconds : 0}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void wake_from_a_signal_handler(void) {
  host host;
  host_open(&host);
  to_be_woken = host.runtime;
  start_alarms(50000, false);
  long long start = milliseconds();
  poll_once(&host, 20000);
  CHECK(milliseconds() - start < 5000);
  CHECK_NUMBER(status_in_handler, HCO_OK);
}

/* Signals that land inside any call of the library: no lock is waited for. */
static void wake_from_a_signal_handler_at_any_time(void) {
  host host;
  host_open(&host);
  to_be_woken = host.runtime;
  start_alarms(200, true);
  for (int round = 0; handled < 500 && round < 200000; round++) {
    hco_free(host_state(&host));
    hco_set_primary(host.checkout, "{\"item\":\"purse-creditcard\"}", NULL);
    if (round % 20 == 0) poll_once(&host, 0);
  }
  struct itimerval off = {0};
  setitimer(ITIMER_REAL, &off, NULL);
  CHECK(handled >= 100);
  CHECK_NUMBER(status_in_handler, HCO_OK);
  CHECK_TEXT(host_session_state(&host), "ready");
}

static void wake_of_what_is_gone(void) {
  host host;
  host_open(&host);
  hco_runtime *stale = host.runtime;
  host_close(&host);
  CHECK_NUMBER(hco_runtime_wake(stale), HCO_INVALID_HANDLE);
  host_open(&host);
  CHECK_NUMBER(hco_runtime_wake(stale), HCO_INVALID_HANDLE);
}

/* A signal interrupts the wait and nothing else. */
static void do_nothing(int signal) { (void)signal; }

static void poll_outlives_signals(void) {
  host host;
  host_open(&host);
  struct sigaction action = {.sa_handler = do_nothing};
  struct itimerval timer = {.it_value = {0, 20000}, .it_interval = {0, 20000}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &timer, NULL);
  for (int round = 0; round < 10; round++) poll_once(&host, 30);
  struct itimerval off = {0};
  setitimer(ITIMER_REAL, &off, NULL);
}

/* ------------------------------------------------------------------------------------------------------------ clock */

static void notify(void) {
  static const char *const wrong[] = {
      "{\"app\":\"middle\"}",  "{\"advanceMs\":-1}",   "{\"advanceMs\":1.5}",
      "{\"advanceMs\":\"1\"}", "{\"advanceMs\":1e3}",  "{\"advanceMs\":99999999999999999999}",
      "{\"app\":null}",        "{\"advanceMs\":null}",
  };
  host host;
  char *reply = NULL;
  host_open(&host);
  RESULT(hco_runtime_notify(host.runtime, "{\"app\":\"background\"}", &reply), reply);
  RESULT(hco_runtime_notify(host.runtime, "{\"app\":\"foreground\"}", &reply), reply);
  RESULT(hco_runtime_notify(host.runtime, "{\"advanceMs\":0}", &reply), reply);
  for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    context("%s", wrong[index]);
    ERROR(hco_runtime_notify(host.runtime, wrong[index], &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  }
  context("as far as it goes");
  for (int round = 0; round < 4; round++) {
    hco_status status = hco_runtime_notify(host.runtime, "{\"advanceMs\":9007199254740991}", &reply);
    hco_free(reply);
    reply = NULL;
    CHECK(status == HCO_OK || status == HCO_INVALID_ARGUMENT);
    host_pump(&host);
  }
  hco_status status = hco_runtime_notify(host.runtime, "{\"advanceMs\":9223372036854775807}", &reply);
  CHECK(status == HCO_OK || status == HCO_INVALID_ARGUMENT);
  hco_free(reply);
  reply = NULL;
  host_pump(&host);
  context("the real clock");
  hco_runtime *real = NULL;
  CHECK_NUMBER(hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":\"host\"}", NULL, &real, NULL), HCO_OK);
  CHECK(hco_runtime_notify(real, "{\"advanceMs\":1}", &reply) != HCO_OK);
  hco_free(reply);
  hco_runtime_destroy(real);
}

// seed: 002:5c
// seed: 000:16
// seed: 000:28a
static void expiry_by_the_clock(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host_choose_card(&host);
  host_advance(&host, 1790000);
  CHECK_TEXT(host_session_state(&host), "ready");
  host_advance(&host, 20000);
  CHECK_TEXT(host_session_state(&host), "expired");
  CHECK_TEXT(text_of(json_object_get(last_of(host.events, "change"), "changed"), "sessionState"), "expired");
  json_t *error = ERROR(hco_submit(host.checkout, NULL, &reply), reply, HCO_REFUSED, "EXPIRED_SESSION");
  CHECK(json_is_array(json_object_get(json_object_get(error, "details"), "submitBlockers")));
  CHECK_NUMBER(host.backend.validates, 0);
  session another = {.expires = "2099-01-01T00:00:00Z"};
  RESULT(hco_set_session(host.checkout, format("{\"widgetData\":\"%s\"}", widget_data(&another)), &reply), reply);
  CHECK_TEXT(host_session_state(&host), "ready");
}

/* A hook that is answered late does not let an expired session be paid. */
static void expiry_while_a_hook_is_open(void) {
  static const int32_t kinds[] = {HCO_HOOK_STEP, HCO_HOOK_BEFORE_VALIDATE, HCO_HOOK_CHECKPOINT};
  for (int index = 0; index < 3; index++) {
    host host;
    context("kind %d", kinds[index]);
    host_init(&host);
    host.answers[kinds[index] - HCO_HOOK_CHECKPOINT] = NULL;
    if (kinds[index] == HCO_HOOK_STEP) host.step_answers[0] = NULL;
    host_start(&host, NULL);
    host_create(&host, NULL, NULL);
    host_pump(&host);
    host_pay(&host);
    host_advance(&host, 1900000);
    const json_t *error = json_object_get(OUTCOME(&host), "error");
    CHECK_TEXT(text_of(error, "code"), "EXPIRED_SESSION");
    CHECK_TEXT(text_of(error, "moved"), "no");
    CHECK_TEXT(host_session_state(&host), "expired");
    CHECK_NUMBER(host.backend.validates, 0);
    host_close(&host);
  }
}

/* What has left is not taken back by expiry. */
static void expiry_after_it_left(void) {
  host host;
  char *reply = NULL;
  session soon = {0};
  host_init(&host);
  host_start(&host, "\"timeouts\":{\"validateMs\":7200000}");
  host_create(&host, &soon, NULL);
  host_pump(&host);
  host.backend.way = HELD;
  host_pay(&host);
  host_advance(&host, 1900000);
  CHECK(OUTCOME(&host) == NULL);
  host.backend.way = ANSWERED;
  RESULT(backend_answer_validate(&host.backend, &reply), reply);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK_TEXT(host_session_state(&host), "submitted");
}

/* The back end's clock counts, not the device's. */
// seed: 000:5d
static void the_servers_clock(void) {
  host host;
  context("the server is an hour ahead: expired");
  host_init(&host);
  host.backend.ahead = 3600;
  host_start(&host, NULL);
  host_create(&host, NULL, NULL);
  host_pump(&host);
  CHECK_TEXT(host_session_state(&host), "expired");
  host_close(&host);
  context("the server is an hour behind: payable although the device says it is over");
  host_init(&host);
  host.backend.ahead = -3600;
  host_start(&host, NULL);
  host_create(&host, NULL, NULL);
  host_pump(&host);
  host_advance(&host, 2400000);
  CHECK_TEXT(host_session_state(&host), "ready");
  host_pay(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  host_close(&host);
  context("the time service does not answer: paid all the same");
  host_init(&host);
  host.backend.holds_time = true;
  host_start(&host, NULL);
  host_create(&host, NULL, NULL);
  host_pump(&host);
  host_advance(&host, 10000);
  host_pay(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
}

static const char *const read_buybox =
    "{\"item\":\"buybox-giftcard\",\"number\":\"6000000100003000\",\"cvv\":\"1234\",\"tag\":\"card\"}";

/* A balance that nobody tells in time, and one that the issuer's shopper has to confirm first. */
static void reading_takes_its_time(void) {
  host host;
  char *reply = NULL;
  context("no answer");
  host_open(&host);
  host.backend.holds_inits = true;
  RESULT(hco_read_secondary(host.checkout, read_buybox, &reply), reply);
  host_pump(&host);
  host_advance(&host, 14000);
  CHECK(last_of(host.events, "result") == NULL);
  host_advance(&host, 5000);
  json_t *result = last_of(host.events, "result");
  CHECK_TEXT(text_of(result, "tag"), "card");
  CHECK_TEXT(text_of(json_object_get(result, "error"), "code"), "FAILED_TO_INIT_SECONDARY_TOKEN");
  host_close(&host);

  context("confirmed after a while");
  host_open(&host);
  host.backend.init_code = "WAITING_PARTNER_RESPONSE";
  RESULT(hco_read_secondary(host.checkout, read_buybox, &reply), reply);
  for (int round = 0; round < 5; round++) host_advance(&host, 2000);
  CHECK(host.backend.inits >= 4);
  CHECK(last_of(host.events, "result") == NULL);
  host.backend.init_code = NULL;
  host_advance(&host, 2000);
  CHECK_NUMBER(count_of(host.events, "result"), 1);
  CHECK(json_is_object(json_object_get(json_object_get(last_of(host.events, "result"), "result"), "token")));
  int inits = host.backend.inits;
  host_advance(&host, 10000);
  CHECK_NUMBER(host.backend.inits, inits);
  host_close(&host);

  context("never confirmed");
  host_open(&host);
  host.backend.init_code = "WAITING_PARTNER_RESPONSE";
  RESULT(hco_read_secondary(host.checkout, read_buybox, &reply), reply);
  for (int round = 0; round < 100; round++) host_advance(&host, 2000);
  CHECK_TEXT(
      text_of(json_object_get(last_of(host.events, "result"), "error"), "code"), "USER_ACTION_REQUEST_HAS_EXPIRED");
  CHECK_NUMBER(count_of(host.events, "result"), 1);
  host_close(&host);

  context("aborted while it waits");
  host_open(&host);
  host.backend.init_code = "WAITING_PARTNER_RESPONSE";
  RESULT(hco_read_secondary(host.checkout, read_buybox, &reply), reply);
  host_pump(&host);
  RESULT(hco_abort(host.checkout, "{\"call\":1}", &reply), reply);
  inits = host.backend.inits;
  host_advance(&host, 10000);
  CHECK_NUMBER(host.backend.inits, inits);
  CHECK_NUMBER(count_of(host.events, "result"), 1);
}

/* The deadline of a request that the host's transport never answers. */
static void deadline_of_the_payment_request(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  CHECK_NUMBER(number_of(host.backend.last_validate, "timeoutMs"), 60000);
  host_advance(&host, 59000);
  CHECK(OUTCOME(&host) == NULL);
  host_advance(&host, 5000);
  CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "code"), "OUTCOME_UNKNOWN");
  CHECK(host_is_unknown(&host));
  host.backend.way = ANSWERED;
  ERROR(backend_answer_validate(&host.backend, &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  host_pump(&host);
  CHECK(host_is_unknown(&host));
  CHECK_NUMBER(count_of(host.events, "outcome"), 1);
}

/* ------------------------------------------------------------------------------------------------------------- pull */

typedef struct pulled {
  hco_checkout *checkout;
  int32_t kind;
  uint64_t ticket;
  json_t *json;
} pulled;

static pulled next(host *host, int timeout) {
  pulled one = {0};
  char *json = (void *)&one;
  CHECK_NUMBER(hco_runtime_next(host->runtime, timeout, &one.checkout, &one.kind, &one.ticket, &json), HCO_OK);
  one.json = taken(json);
  CHECK((one.kind == 0) == (one.json == NULL));
  return one;
}

static void pull(void) {
  host host;
  char *reply = NULL;
  session none = {0};
  host_init(&host);
  hco_runtime *runtime = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":\"host\",\"clock\":\"manual\"}", NULL, &runtime, &reply);
  RESULT(status, reply);
  host.runtime = host.backend.runtime = runtime;
  RESULT(hco_create(runtime, create_text(widget_data(&none), NULL), NULL, &host.checkout, &reply), reply);
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  RESULT(hco_element_open(host.checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  RESULT(
      hco_element_report(
          host.checkout, "{\"element\":\"purse-creditcard\",\"report\":\"formValidity\",\"valid\":true}", &reply),
      reply);
  host_submit(&host);
  int counts[200] = {0};
  long long seq = 0;
  for (int round = 0; round < 100; round++) {
    pulled one = next(&host, 0);
    if (one.kind == 0) break;
    counts[one.kind] += 1;
    if (one.kind < 100) {
      CHECK(one.ticket == 0 && one.checkout == host.checkout);
      CHECK(number_of(one.json, "seq") > seq);
      seq = number_of(one.json, "seq");
    } else if (one.kind == HCO_HOOK_HTTP) {
      CHECK(one.checkout == NULL && one.ticket != 0);
      backend_asked(&host.backend, one.ticket, json_dumps(one.json, 0));
    } else if (one.ticket != 0) {
      const char *answer = one.kind == HCO_HOOK_STEP ? host.step_answers[0] : "{\"ok\":{}}";
      RESULT(hco_answer(one.checkout, one.ticket, answer, &reply), reply);
    }
  }
  CHECK_NUMBER(counts[HCO_EVENT_OUTCOME], 1);
  CHECK_NUMBER(counts[HCO_EVENT_RESULT], 1);
  CHECK_NUMBER(counts[HCO_HOOK_BEFORE_VALIDATE], 1);
  CHECK_NUMBER(counts[HCO_HOOK_CHECKPOINT], 3);
  CHECK_NUMBER(host.backend.validates, 1);
  long long start = milliseconds();
  pulled nothing = next(&host, 50);
  CHECK_NUMBER(nothing.kind, 0);
  CHECK(milliseconds() - start < 2000);
  hco_release(host.checkout);
  int left = 0;
  while (next(&host, 0).kind != 0) CHECK(left++ < 5);
  hco_runtime_destroy(runtime);
}

/* Callbacks run in poll only; what is to be pulled waits for next. */
static void pull_beside_callbacks(void) {
  host host;
  char *reply = NULL;
  session none = {0};
  host_open(&host);
  hco_checkout *pulled_one = NULL;
  RESULT(hco_create(host.runtime, create_text(widget_data(&none), NULL), NULL, &pulled_one, &reply), reply);
  RESULT(hco_set_primary(pulled_one, "{\"item\":\"hipay-bancontact\"}", &reply), reply);
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"hipay-bancontact\"}", &reply), reply);
  int before = count_of(host.events, "change");
  for (int round = 0; round < 5; round++) poll_once(&host, 0);
  CHECK_NUMBER(count_of(host.events, "change"), before + 1);
  CHECK(is_readable(&host));
  RESULT(hco_set_primary(host.checkout, "{\"none\":true}", &reply), reply);
  pulled one = next(&host, 0);
  CHECK_NUMBER(one.kind, HCO_EVENT_CHANGE);
  CHECK(one.checkout == pulled_one);
  CHECK_NUMBER(next(&host, 0).kind, 0);
  CHECK_NUMBER(count_of(host.events, "change"), before + 1);
  host_pump(&host);
  CHECK_NUMBER(count_of(host.events, "change"), before + 2);
  CHECK(!is_readable(&host));
}

static void info(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  json_t *info = RESULT(hco_runtime_info(host.runtime, &reply), reply);
  CHECK_TEXT(text_of(info, "version"), hco_version());
  CHECK_NUMBER(number_of(info, "abiVersion"), HCO_ABI_VERSION);
  CHECK(strcmp(text_of(info, "flavour"), "normal") == 0 || strcmp(text_of(info, "flavour"), "embedded") == 0);
  CHECK_TEXT(text_of(info, "transport"), "host");
  CHECK(json_is_null(json_object_get(info, "libcurl")));
  CHECK_NUMBER(number_of(info, "checkouts"), 1);
  CHECK_NUMBER(number_of(info, "waiting"), 0);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(descriptor_says_when_there_is_work),
      TEST(descriptor_works_edge_triggered),
      TEST(poll_waits_as_long_as_it_is_told),
      TEST(wake_is_sticky_and_coalesces),
      TEST(wake_from_a_signal_handler),
      TEST(wake_from_a_signal_handler_at_any_time),
      TEST(wake_of_what_is_gone),
      TEST(poll_outlives_signals),
      TEST(notify),
      TEST(expiry_by_the_clock),
      TEST(the_servers_clock),
      TEST(reading_takes_its_time),
      TEST(expiry_while_a_hook_is_open),
      TEST(expiry_after_it_left),
      TEST(deadline_of_the_payment_request),
      TEST(pull),
      TEST(pull_beside_callbacks),
      TEST(info),
  };
  return RUN_TESTS("loop", tests);
}
