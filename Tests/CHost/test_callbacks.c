/* Conventions 3, 4, 5 and 9: release, where and when callbacks run, and what may be called from them. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "functions.h"
#include "host.h"

/* ---------------------------------------------------------------------------------------------------------- release */

static void c1_release_of_a_failed_create(void) {
  host host;
  session none = {0};
  session expired = {.expires = "2020-01-01T00:00:00Z"};
  char *fine = create_text(widget_data(&none), NULL);
  struct {
    const char *what;
    const char *request;
    hco_runtime *runtime;
  } failing[] = {
      {"NULL runtime", fine, NULL},
      {"forged runtime", fine, (void *)fine},
      {"not JSON", "{", NULL},
      {"invalid UTF-8", "{\"widgetData\":\"\xFF\"}", NULL},
      {"unknown key", "{\"widgetData\":\"x\",\"odd\":1}", NULL},
      {"NULL request", NULL, NULL},
      {"malformed session", "{\"widgetData\":\"!!!\"}", NULL},
      {"expired session", create_text(widget_data(&expired), NULL), NULL},
      {"other environment",
       create_text(widget_data(&none), &(creation){.more = "\"lockedEnvironment\":\"production\""}), NULL},
      {"other provider", create_text(widget_data(&none), &(creation){.more = "\"provider\":\"nobody\""}), NULL},
  };
  for (size_t which = 0; which < sizeof failing / sizeof *failing; which++) {
    context("%s", failing[which].what);
    host_init(&host);
    host_start(&host, NULL);
    host.may_release_outside = true;
    hco_callbacks callbacks = host_callbacks(&host);
    hco_checkout *checkout = (void *)&checkout;
    hco_runtime *runtime = which < 2 ? failing[which].runtime : host.runtime;
    CHECK(hco_create(runtime, failing[which].request, &callbacks, &checkout, NULL) != HCO_OK);
    CHECK(checkout == NULL);
    host_pump(&host);
    CHECK_NUMBER(host.checkout_released, 1);
    if (which != 7) {
      checkout = (void *)&checkout;
      CHECK(hco_restore(runtime, "{}", failing[which].request, &callbacks, &checkout, NULL) != HCO_OK);
      CHECK(checkout == NULL);
      host_pump(&host);
      CHECK_NUMBER(host.checkout_released, 2);
    }
    host.may_release_outside = true;
    hco_runtime_destroy(host.runtime);
    CHECK_NUMBER(host.checkout_released, which != 7 ? 2 : 1);
    CHECK_NUMBER(host.runtime_released, 1);
  }
  context("no place for the handle");
  host_init(&host);
  host_start(&host, NULL);
  host.may_release_outside = true;
  hco_callbacks callbacks = host_callbacks(&host);
  CHECK(hco_create(host.runtime, fine, &callbacks, NULL, NULL) != HCO_OK);
  CHECK_NUMBER(host.checkout_released, 1);
  CHECK(hco_restore(host.runtime, "{}", "{}", &callbacks, NULL, NULL) != HCO_OK);
  CHECK_NUMBER(host.checkout_released, 2);
  callbacks = host_runtime_callbacks(&host);
  CHECK(hco_runtime_create(HCO_ABI_VERSION, NULL, &callbacks, NULL, NULL) != HCO_OK);
  CHECK_NUMBER(host.runtime_released, 1);
}

static void c4_release_runs_in_a_later_poll(void) {
  host host;
  host_open(&host);
  hco_release(host.checkout);
  CHECK_NUMBER(host.checkout_released, 0);
  host_pump(&host);
  CHECK_NUMBER(host.checkout_released, 1);
  host_pump(&host);
  host.checkout = NULL;
  host_close(&host);
  CHECK_NUMBER(host.checkout_released, 1);
}

static void c4_release_waits_for_the_outcome(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  CHECK_NUMBER(host.backend.validates, 1);
  hco_release(host.checkout);
  host_pump(&host);
  CHECK_NUMBER(host.checkout_released, 0);
  CHECK(OUTCOME(&host) == NULL);
  host.backend.way = ANSWERED;
  RESULT(backend_answer_validate(&host.backend, &reply), reply);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK_NUMBER(host.checkout_released, 1);
  size_t count = json_array_size(host.events);
  host_pump(&host);
  CHECK_NUMBER(json_array_size(host.events), count);
}

static void c4_destroy_runs_nothing_but_release(void) {
  host host;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  size_t events = json_array_size(host.events), questions = json_array_size(host.questions);
  host.may_release_outside = true;
  hco_runtime_destroy(host.runtime);
  CHECK_NUMBER(host.checkout_released, 1);
  CHECK_NUMBER(host.runtime_released, 1);
  CHECK_NUMBER(json_array_size(host.events), events);
  CHECK_NUMBER(json_array_size(host.questions), questions);
}

static void c4_callbacks_may_all_be_null(void) {
  host host;
  session none = {0};
  char *reply = NULL;
  host_init(&host);
  host.is_polled_elsewhere = true;
  host_start(&host, NULL);
  hco_callbacks nothing = {0};
  hco_checkout *checkout = NULL;
  hco_status status = hco_create(host.runtime, create_text(widget_data(&none), NULL), &nothing, &checkout, &reply);
  RESULT(status, reply);
  hco_release(checkout);
  /* With no listener and no hook what is told waits for hco_runtime_next. */
  for (int32_t kind = 1, rounds = 0; kind != 0 && rounds < 20; rounds++) {
    uint64_t ticket;
    char *json;
    host.is_polling = true;
    CHECK_NUMBER(hco_runtime_next(host.runtime, 0, &checkout, &kind, &ticket, &json), HCO_OK);
    host.is_polling = false;
    hco_free(json);
  }
  for (int rounds = 0; rounds < 5; rounds++) CHECK_NUMBER(hco_runtime_poll(host.runtime, 0), HCO_OK);
  hco_runtime *bare = NULL;
  CHECK_NUMBER(hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":\"host\"}", &nothing, &bare, NULL), HCO_OK);
  hco_runtime_destroy(bare);
  host_close(&host);
}

/* ------------------------------------------------------------------------------------------------------- reentrancy */

/* From every kind of callback: every function, none of which may hang, crash or do harm; poll and next are refused. */
static int callbacks_seen[200];

/* Nothing, but for a submit, which would pay. */
static const char *harmless_text(const function *function) {
  return strcmp(function->name, "hco_submit") == 0 ? "{\"element\":\"nobody\"}" : NULL;
}

static void call_everything(host *host, int32_t kind, uint64_t ticket, const char *json) {
  static bool is_busy;
  (void)ticket;
  (void)json;
  if (is_busy) return;
  is_busy = true;
  callbacks_seen[kind] += 1;
  for (int index = 0; index < function_count; index++) {
    const function *function = &functions[index];
    context("%s inside callback %d", function->name, kind);
    if (strcmp(function->name, "hco_teardown") == 0) continue;
    outs outs;
    char *reply = NULL;
    void *handle = function->owner == OF_RUNTIME ? (void *)host->runtime : (void *)host->checkout;
    if (handle == NULL) continue;
    hco_status status = function->call(handle, harmless_text(function), &reply, &outs);
    CHECK(outs.are_clear || status == HCO_OK);
    if (reply != NULL) json_decref(taken(reply));
    bool pumps = strcmp(function->name, "hco_runtime_poll") == 0 || strcmp(function->name, "hco_runtime_next") == 0;
    if (pumps) CHECK_NUMBER(status, HCO_REENTRANT);
    CHECK(pumps || status == HCO_OK || status == HCO_REFUSED || status == HCO_INVALID_ARGUMENT);
  }
  CHECK(hco_runtime_fd(host->runtime) >= 0);
  CHECK_TEXT(hco_version(), HCO_VERSION_TEXT);
  context("%s", "");
  is_busy = false;
}

static void c4_every_function_from_every_callback(void) {
  host host;
  char *reply = NULL;
  host_init(&host);
  host.spy = call_everything;
  host_start(&host, NULL);
  host_create(
      &host, NULL,
      &(creation){.capabilities = "[{\"item\":\"purse-creditcard\",\"steps\":[\"collect\",\"postValidate\"]}]"});
  host_pump(&host);
  char *token = host_read_card(&host, "illicado-giftcard", "6000000100003000");
  RESULT(hco_apply_secondary(host.checkout, format("{\"token\":\"%s\",\"amount\":1000}", token), &reply), reply);
  host.backend.redirect_url = "https://bank.example/3ds";
  host.backend.global_status = "WAITING";
  host_pay(&host);
  json_t *page = last_of(host.events, "redirect");
  REQUIRE(page != NULL);
  char *report = format("{\"presentation\":\"%s\",\"url\":\"test-shop://return?x=1\"}", text_of(page, "presentation"));
  RESULT(hco_redirect_report(host.checkout, report, &reply), reply);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "returnedFromRedirect");
  CHECK_NUMBER(host.backend.validates, 1);
  CHECK_NUMBER(count_of(host.events, "outcome"), 1);
  int kinds[] = {1, 2, 3, 4, 5, 101, 102, 103, 104, 105, 106};
  for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++) {
    context("kind %d", kinds[index]);
    CHECK(callbacks_seen[kinds[index]] > 0);
  }
  context("%s", "");
  host.spy = NULL;
  host_close(&host);
}

static int32_t deadly_kind;
static int blows;

static void release_inside(host *host, int32_t kind, uint64_t ticket, const char *json) {
  (void)ticket;
  (void)json;
  if (kind != deadly_kind || blows++ > 0) return;
  hco_release(host->checkout);
  CHECK_NUMBER(hco_state(host->checkout, NULL, NULL), HCO_INVALID_HANDLE);
}

static void tear_down_inside(host *host, int32_t kind, uint64_t ticket, const char *json) {
  (void)ticket;
  (void)json;
  if (kind != deadly_kind || blows++ > 0) return;
  CHECK_NUMBER(hco_teardown(host->checkout, NULL), HCO_OK);
}

static void destroy_inside(host *host, int32_t kind, uint64_t ticket, const char *json) {
  (void)ticket;
  (void)json;
  if (kind != deadly_kind || blows++ > 0) return;
  hco_runtime_destroy(host->runtime);
  host->backend.is_gone = true;
}

/* Late answers find their tickets closed, or the handle gone, and that is all. */
static void pay_while(host *host, host_spy *spy, int32_t kind) {
  host_open(host);
  host_choose_card(host);
  for (int index = 0; index < HOOK_KINDS; index++) host->answers[index] = NULL;
  host->step_answers[0] = NULL;
  deadly_kind = kind;
  blows = 0;
  host->spy = spy;
  host->may_release_outside = true;
}

static void answer_what_is_open(host *host) {
  json_t *question = json_array_get(host->questions, json_array_size(host->questions) - 1);
  const char *type = text_of(question, "type");
  if (number_of(question, "ticket") <= 0 || strcmp(type, "http") == 0) return;
  const char *answer = strcmp(type, "step") == 0
                           ? "{\"ok\":{\"vault_form_token\":\"tok_success_00000000000000000000\"}}"
                       : strcmp(type, "redirection") == 0 ? "{\"ok\":{\"takeOver\":false}}"
                                                          : "{\"ok\":{}}";
  hco_answer(host->checkout, (uint64_t)number_of(question, "ticket"), answer, NULL);
}

static const int32_t kinds_in_a_payment[] = {HCO_EVENT_CHANGE,    HCO_HOOK_STEP, HCO_HOOK_BEFORE_VALIDATE,
                                             HCO_HOOK_CHECKPOINT, HCO_HOOK_HTTP, HCO_HOOK_AFTER_VALIDATE,
                                             HCO_EVENT_OUTCOME};
enum { PAYMENT_KINDS = sizeof kinds_in_a_payment / sizeof *kinds_in_a_payment };

static void c4_release_inside_every_callback(void) {
  for (int which = 0; which < PAYMENT_KINDS; which++) {
    host host;
    context("release in kind %d", kinds_in_a_payment[which]);
    pay_while(&host, release_inside, kinds_in_a_payment[which]);
    host_submit(&host);
    for (int round = 0; round < 12; round++) {
      host_pump(&host);
      answer_what_is_open(&host);
    }
    CHECK(blows > 0);
    CHECK_NUMBER(host.checkout_released, 1);
    CHECK_NUMBER(count_of(host.events, "outcome"), 1);
    hco_runtime_destroy(host.runtime);
    CHECK_NUMBER(host.checkout_released, 1);
    CHECK_NUMBER(host.runtime_released, 1);
  }
}

static void c4_teardown_inside_every_callback(void) {
  for (int which = 0; which < PAYMENT_KINDS; which++) {
    host host;
    context("teardown in kind %d", kinds_in_a_payment[which]);
    pay_while(&host, tear_down_inside, kinds_in_a_payment[which]);
    host_submit(&host);
    for (int round = 0; round < 12; round++) {
      host_pump(&host);
      answer_what_is_open(&host);
    }
    CHECK(blows > 0);
    CHECK_NUMBER(count_of(host.events, "outcome"), 1);
    CHECK(host.backend.validates <= 1);
    bool has_left = host.backend.validates == 1;
    const json_t *outcome = OUTCOME(&host);
    if (!has_left) CHECK_TEXT(text_of(json_object_get(outcome, "error"), "code"), "CHECKOUT_TORN_DOWN");
    if (!has_left) CHECK_TEXT(text_of(json_object_get(outcome, "error"), "moved"), "no");
    if (has_left) CHECK_TEXT(text_of(outcome, "kind"), "completed");
    host_close(&host);
  }
}

static void c4_destroy_inside_every_callback(void) {
  for (int which = 0; which < PAYMENT_KINDS; which++) {
    host host;
    context("destroy in kind %d", kinds_in_a_payment[which]);
    pay_while(&host, destroy_inside, kinds_in_a_payment[which]);
    host_submit(&host);
    host.poller = pthread_self();
    for (int round = 0; round < 12 && blows == 0; round++) {
      host.is_polling = true;
      CHECK_NUMBER(hco_runtime_poll(host.runtime, 0), HCO_OK);
      host.is_polling = false;
      if (blows == 0) answer_what_is_open(&host);
    }
    CHECK(blows > 0);
    CHECK_NUMBER(host.checkout_released, 1);
    CHECK_NUMBER(host.runtime_released, 1);
    CHECK_NUMBER(hco_runtime_poll(host.runtime, 0), HCO_INVALID_HANDLE);
    CHECK_NUMBER(hco_state(host.checkout, NULL, NULL), HCO_INVALID_HANDLE);
  }
}

static void create_inside(host *host, int32_t kind, uint64_t ticket, const char *json) {
  static session none;
  (void)ticket;
  (void)json;
  if (kind != HCO_EVENT_OUTCOME || blows++ > 0) return;
  hco_checkout *fresh = NULL;
  char *reply = NULL;
  hco_callbacks callbacks = host_callbacks(host);
  RESULT(hco_create(host->runtime, create_text(widget_data(&none), NULL), &callbacks, &fresh, &reply), reply);
  hco_release(fresh);
}

static void c4_create_and_release_inside_a_callback(void) {
  host host;
  host_open(&host);
  blows = 0;
  host.spy = create_inside;
  host_pay(&host);
  CHECK_NUMBER(blows, 1);
  CHECK_NUMBER(host.checkout_released, 1);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static void *poll_for_ever(void *user) {
  host *host = user;
  host->poller = pthread_self();
  host->is_polling = true;
  hco_status status = hco_runtime_poll(host->runtime, 20000);
  host->is_polling = false;
  return (void *)(intptr_t)status;
}

static void wait_until_polling(host *host) {
  for (int tries = 0; tries < 2000 && !*(volatile bool *)&host->is_polling; tries++) usleep(1000);
  usleep(100000);
}

static void c4_busy(void) {
  host host;
  pthread_t thread;
  void *result = NULL;
  hco_checkout *checkout = (void *)&checkout;
  int32_t kind = 77;
  uint64_t ticket = 77;
  char *json = (void *)&json;
  host_open(&host);
  pthread_create(&thread, NULL, poll_for_ever, &host);
  wait_until_polling(&host);
  CHECK_NUMBER(hco_runtime_poll(host.runtime, 0), HCO_BUSY);
  CHECK_NUMBER(hco_runtime_poll(host.runtime, -1), HCO_BUSY);
  CHECK_NUMBER(hco_runtime_next(host.runtime, 0, &checkout, &kind, &ticket, &json), HCO_BUSY);
  CHECK(checkout == NULL && kind == 0 && ticket == 0 && json == NULL);
  /* Everything else works meanwhile. */
  char *state = host_state(&host);
  CHECK(state != NULL);
  hco_free(state);
  CHECK_NUMBER(hco_runtime_wake(host.runtime), HCO_OK);
  pthread_join(thread, &result);
  CHECK_NUMBER((intptr_t)result, HCO_OK);
  host_pump(&host);
}

static atomic_bool is_over;
static host shared;

static void *hammer(void *user) {
  unsigned seed = (unsigned)(uintptr_t)user;
  while (!atomic_load(&is_over)) {
    const function *function = &functions[rand_r(&seed) % function_count];
    bool pumps = strcmp(function->name, "hco_runtime_poll") == 0 || strcmp(function->name, "hco_runtime_next") == 0;
    bool ends = strcmp(function->name, "hco_teardown") == 0;
    if (pumps || ends) continue;
    outs outs;
    char *reply = NULL;
    void *handle = function->owner == OF_RUNTIME ? (void *)shared.runtime : (void *)shared.checkout;
    function->call(handle, harmless_text(function), &reply, &outs);
    hco_free(reply);
  }
  return NULL;
}

/* Payments go on, one after the other, while other threads call whatever there is. */
static void c4_calls_from_other_threads(void) {
  pthread_t threads[3];
  host_open(&shared);
  for (int index = 0; index < 3; index++) pthread_create(&threads[index], NULL, hammer, (void *)(uintptr_t)(index + 1));
  for (int round = 0; round < 20; round++) {
    session none = {0};
    char *reply = NULL;
    int before = shared.backend.validates;
    host_pay(&shared);
    CHECK_NUMBER(shared.backend.validates, before + 1);
    CHECK_NUMBER(count_of(shared.events, "outcome"), round + 1);
    char *request = format("{\"widgetData\":\"%s\"}", widget_data(&none));
    RESULT(hco_set_session(shared.checkout, request, &reply), reply);
  }
  atomic_store(&is_over, true);
  for (int index = 0; index < 3; index++) pthread_join(threads[index], NULL);
  host_pump(&shared);
  host_close(&shared);
}

static void *answer_later(void *user) {
  host *host = user;
  json_t *question = NULL;
  usleep(20000);
  question = last_of(host->questions, "beforeValidate");
  CHECK_NUMBER(hco_answer(host->checkout, (uint64_t)number_of(question, "ticket"), "{\"ok\":{}}", NULL), HCO_OK);
  return NULL;
}

/* An answer from another thread wakes the poll that waits. */
static void c6_answer_from_another_thread_wakes_poll(void) {
  host host;
  pthread_t thread;
  host_open(&host);
  host.answers[HCO_HOOK_BEFORE_VALIDATE - HCO_HOOK_CHECKPOINT] = NULL;
  host_pay(&host);
  CHECK_NUMBER(host.backend.validates, 0);
  pthread_create(&thread, NULL, answer_later, &host);
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  host.poller = pthread_self();
  for (int round = 0; round < 20 && OUTCOME(&host) == NULL; round++) {
    host.is_polling = true;
    hco_runtime_poll(host.runtime, 5000);
    host.is_polling = false;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  pthread_join(thread, NULL);
  CHECK(OUTCOME(&host) != NULL);
  CHECK(end.tv_sec - start.tv_sec < 3);
}

/* A runtime destroyed from another thread while it is polled goes when that poll returns. */
static void *destroy_soon(void *user) {
  host *host = user;
  usleep(50000);
  hco_runtime_destroy(host->runtime);
  return NULL;
}

static void c4_destroy_while_another_thread_polls(void) {
  host host;
  pthread_t thread;
  host_open(&host);
  host.may_release_outside = true;
  pthread_create(&thread, NULL, destroy_soon, &host);
  host.poller = pthread_self();
  host.is_polling = true;
  hco_status status = HCO_OK;
  for (int round = 0; round < 10 && status == HCO_OK; round++) status = hco_runtime_poll(host.runtime, 3000);
  CHECK_NUMBER(status, HCO_INVALID_HANDLE);
  pthread_join(thread, NULL);
  CHECK_NUMBER(host.checkout_released, 1);
  CHECK_NUMBER(host.runtime_released, 1);
}

static void destroy_and_wake(host *host, int32_t kind, uint64_t ticket, const char *json) {
  (void)kind, (void)ticket, (void)json;
  hco_runtime_destroy(host->runtime);
  CHECK_NUMBER(hco_runtime_wake(host->runtime), HCO_INVALID_HANDLE);
}

/* It still runs the poll that will end it, and is gone for everyone else. */
static void c4_wake_of_what_is_destroyed_in_a_callback(void) {
  host host;
  host_open(&host);
  host_choose_card(&host);
  host_submit(&host);
  host.may_release_outside = true;
  host.spy = destroy_and_wake;
  host.is_polling = true;
  host.poller = pthread_self();
  hco_status status = HCO_OK;
  for (int round = 0; round < 10 && status == HCO_OK; round++) status = hco_runtime_poll(host.runtime, 100);
  CHECK_NUMBER(status, HCO_INVALID_HANDLE);
  CHECK_NUMBER(host.runtime_released, 1);
}

/* Two runtimes in one process know nothing of each other. */
static void c4_two_runtimes(void) {
  host one, two;
  char *reply = NULL;
  host_open(&one);
  host_open(&two);
  one.backend.way = HELD;
  host_pay(&one);
  host_pay(&two);
  CHECK_NUMBER(two.backend.validates, 1);
  CHECK_TEXT(text_of(OUTCOME(&two), "kind"), "completed");
  CHECK(OUTCOME(&one) == NULL);
  long long foreign = (long long)one.backend.held_validate;
  hco_status status = hco_runtime_answer_http(
      two.runtime, (uint64_t)foreign, "{\"ok\":{\"status\":200,\"headers\":{}}}", "{}", 2, &reply);
  ERROR(status, reply, HCO_REFUSED, "TICKET_CLOSED");
  host_close(&two);
  one.backend.way = ANSWERED;
  reply = NULL;
  RESULT(backend_answer_validate(&one.backend, &reply), reply);
  host_pump(&one);
  CHECK_TEXT(text_of(OUTCOME(&one), "kind"), "completed");
  host_close(&one);
}

/* A runtime may be polled inside a callback of another. */
static host inner;

static void poll_the_other(host *host, int32_t kind, uint64_t ticket, const char *json) {
  (void)host;
  (void)kind;
  (void)ticket;
  (void)json;
  host_pump(&inner);
}

static void c4_other_runtime_is_polled_inside_a_callback(void) {
  host outer;
  host_open(&inner);
  host_open(&outer);
  host_choose_card(&inner);
  host_submit(&inner);
  outer.spy = poll_the_other;
  host_pay(&outer);
  CHECK(OUTCOME(&outer) != NULL);
  CHECK(OUTCOME(&inner) != NULL);
}

/* -------------------------------------------------------------------------------------------------- 5 and 9: events */

static void c5_changes_come_first_and_seq_rises(void) {
  host host;
  host_open(&host);
  host_pay(&host);
  long long last = 0;
  size_t index;
  json_t *event;
  const char *state = "";
  json_array_foreach(host.events, index, event) {
    CHECK(number_of(event, "seq") > last);
    last = number_of(event, "seq");
    const char *changed = text_of(json_object_get(event, "changed"), "sessionState");
    if (changed[0] != '\0') state = changed;
    if (strcmp(text_of(event, "type"), "outcome") == 0) CHECK_TEXT(state, "submitted");
  }
  CHECK(json_array_size(host.events) > 2);
  /* What was told adds up to what is read. */
  json_t *told = json_object();
  json_array_foreach(host.events, index, event) json_object_update(told, json_object_get(event, "changed"));
  json_t *now = taken(host_state(&host));
  const char *key;
  json_t *value;
  json_object_foreach(told, key, value) {
    context("%s", key);
    CHECK(json_equal(value, json_object_get(now, key)));
  }
}

/* --------------------------------------------------------------------------------------------- 5: partners' events */

static json_t *when_told;

static void read_the_state(host *host, int32_t kind, uint64_t ticket, const char *json) {
  (void)ticket, (void)json;
  if (kind == HCO_EVENT_PLUGIN) when_told = taken(host_state(host));
}

static const char *card_is_disabled(const json_t *state) {
  size_t index;
  json_t *method;
  json_array_foreach(json_object_get(state, "paymentMethods"), index, method) {
    if (strcmp(text_of(method, "id"), "purse-creditcard") != 0) continue;
    return text_of(json_object_get(method, "disabled"), "code");
  }
  return "not listed";
}

/* seed: 004:34 */
/* seed: 004:51a */
static void c5_a_partners_event_is_told_when_the_checkout_has_reacted(void) {
  static const struct {
    const char *report, *code, *session;
  } rows[] = {
      {"\"report\":\"partnerError\",\"message\":\"m\",\"recoverable\":true", "PARTNER_UI_RECOVERABLE_ERROR",
       "ready"},
      {"\"report\":\"ready\"", "", "ready"},
      {"\"report\":\"clientError\",\"message\":\"m\"", "PARTNER_UI_FATAL_ERROR", "ready"},
      {"\"report\":\"endOfSession\"", "PARTNER_UI_FATAL_ERROR", "terminated"},
  };
  host host;
  host_open(&host);
  host_choose_card(&host);
  host_pump(&host);
  host.spy = read_the_state;
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    context("%s", rows[index].report);
    char *reply = NULL, *report = format("{\"element\":\"purse-creditcard\",%s}", rows[index].report);
    when_told = NULL;
    RESULT(hco_element_report(host.checkout, report, &reply), reply);
    host_pump(&host);
    REQUIRE(when_told != NULL);
    CHECK_TEXT(card_is_disabled(when_told), rows[index].code);
    CHECK_TEXT(text_of(when_told, "sessionState"), rows[index].session);
  }
  host.spy = NULL;
}

/* seed: 004:36 */
static void c5_who_listens_from_later_on_misses_no_partners_event(void) {
  host host;
  session none = {0};
  hco_checkout *checkout = NULL, *told = NULL;
  uint64_t ticket = 0;
  int32_t kind = 0;
  char *reply = NULL, *json = NULL;
  host_init(&host);
  host.is_polled_elsewhere = true;
  host_start(&host, NULL);
  char *request = create_text(widget_data(&none), &(creation){.hooks = "[]"});
  RESULT(hco_create(host.runtime, request, NULL, &checkout, &reply), reply);
  RESULT(hco_element_open(checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  const char *report = "{\"element\":\"purse-creditcard\",\"report\":\"initFailed\",\"message\":\"m\"}";
  RESULT(hco_element_report(checkout, report, &reply), reply);
  int heard = 0;
  for (int rounds = 0; rounds < 20; rounds++) {
    host.is_polling = true;
    CHECK_NUMBER(hco_runtime_next(host.runtime, 0, &told, &kind, &ticket, &json), HCO_OK);
    host.is_polling = false;
    if (json == NULL) continue;
    json_t *event = taken(json);
    if (kind == HCO_EVENT_PLUGIN && strcmp(text_of(event, "event"), "initFailed") == 0) heard++;
  }
  CHECK_NUMBER(heard, 1);
  hco_release(checkout);
}

static void c9_one_result_a_call(void) {
  host host;
  char *reply = NULL;
  char tag[65];
  host_open(&host);
  memset(tag, 't', 64);
  tag[64] = '\0';
  const char *requests[] = {
      format("{\"item\":\"purse-creditcard\",\"tag\":\"%s\"}", tag),
      "{\"item\":\"purse-creditcard\"}",
      "{\"item\":\"hipay-bancontact\",\"tag\":\"\"}",
      "{\"item\":\"purse-creditcard\",\"tag\":\"\xC3\xA9\"}",
  };
  for (int index = 0; index < 4; index++) {
    context("%s", requests[index]);
    int before = count_of(host.events, "result");
    json_t *accepted = RESULT(hco_element_open(host.checkout, requests[index], &reply), reply);
    CHECK_NUMBER(number_of(accepted, "call"), index + 1);
    CHECK_NUMBER(count_of(host.events, "result"), before);
    host_pump(&host);
    CHECK_NUMBER(count_of(host.events, "result"), before + 1);
    json_t *event = last_of(host.events, "result");
    CHECK_NUMBER(number_of(event, "call"), index + 1);
    json_t *wanted_tag = json_object_get(accepted, "tag");
    CHECK(
        wanted_tag == NULL ? json_is_null(json_object_get(event, "tag"))
                           : json_equal(wanted_tag, json_object_get(event, "tag")));
    CHECK(json_is_object(json_object_get(event, "result")) && json_object_get(event, "error") == NULL);
  }
  int before = count_of(host.events, "result");
  context("a tag that is too long");
  reply = NULL;
  ERROR(
      hco_element_open(host.checkout, format("{\"item\":\"purse-creditcard\",\"tag\":\"%sx\"}", tag), &reply), reply,
      HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
  ERROR(
      hco_element_open(host.checkout, "{\"item\":\"nothing-here\",\"tag\":\"t\"}", &reply), reply, HCO_REFUSED,
      "PAYMENT_METHOD_NOT_FOUND");
  host_pump(&host);
  CHECK_NUMBER(count_of(host.events, "result"), before);
}

static void c9_open_reads_end_once(void) {
  static const char *const cards[] = {"6000000100003000", "6000000200003000", "6000000300003000"};
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.holds_inits = true;
  for (int index = 0; index < 3; index++) {
    char *request = format("{\"item\":\"buybox-giftcard\",\"number\":\"%s\",\"cvv\":\"1234\"}", cards[index]);
    RESULT(hco_read_secondary(host.checkout, request, &reply), reply);
  }
  ERROR(
      hco_read_secondary(host.checkout, "{\"item\":\"buybox-giftcard\",\"number\":\"6000 0001-0000 3000\"}", &reply),
      reply, HCO_REFUSED, "TOKEN_ALREADY_EXISTS");
  host_pump(&host);
  CHECK_NUMBER(host.backend.inits, 3);
  RESULT(hco_abort(host.checkout, "{\"call\":1}", &reply), reply);
  host_pump(&host);
  CHECK_NUMBER(count_of(host.events, "result"), 1);
  CHECK_TEXT(
      text_of(json_object_get(last_of(host.events, "result"), "error"), "code"), "SECONDARY_METHOD_REQUEST_ABORTED");
  CHECK(hco_abort(host.checkout, "{\"call\":1}", NULL) != HCO_OK);
  RESULT(hco_teardown(host.checkout, &reply), reply);
  host_pump(&host);
  CHECK_NUMBER(count_of(host.events, "result"), 3);
  CHECK_TEXT(text_of(json_object_get(last_of(host.events, "result"), "error"), "code"), "CHECKOUT_TORN_DOWN");
  /* The issuer's late answer changes nothing. */
  hco_status status = backend_answer_init(&host.backend, &reply);
  if (status != HCO_OK) ERROR(status, reply, HCO_REFUSED, "TICKET_CLOSED");
  host_pump(&host);
  CHECK_NUMBER(count_of(host.events, "result"), 3);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(c1_release_of_a_failed_create),
      TEST(c4_release_runs_in_a_later_poll),
      TEST(c4_release_waits_for_the_outcome),
      TEST(c4_destroy_runs_nothing_but_release),
      TEST(c4_callbacks_may_all_be_null),
      TEST(c4_every_function_from_every_callback),
      TEST(c4_release_inside_every_callback),
      TEST(c4_teardown_inside_every_callback),
      TEST(c4_destroy_inside_every_callback),
      TEST(c4_create_and_release_inside_a_callback),
      TEST(c4_busy),
      TEST(c4_calls_from_other_threads),
      TEST(c6_answer_from_another_thread_wakes_poll),
      TEST(c4_destroy_while_another_thread_polls),
      TEST(c4_wake_of_what_is_destroyed_in_a_callback),
      TEST(c4_two_runtimes),
      TEST(c4_other_runtime_is_polled_inside_a_callback),
      TEST(c5_changes_come_first_and_seq_rises),
      TEST(c5_a_partners_event_is_told_when_the_checkout_has_reacted),
      TEST(c5_who_listens_from_later_on_misses_no_partners_event),
      TEST(c9_one_result_a_call),
      TEST(c9_open_reads_end_once),
  };
  return RUN_TESTS("callbacks", tests);
}
