#include "host.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_place(host *host) {
  if (host->is_polled_elsewhere) return;
  CHECK(host->is_polling);
  CHECK(pthread_equal(host->poller, pthread_self()));
}

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  static const char *const names[] = {"",       "change",   "element", "outcome",
                                      "result", "redirect", "ticket",  "plugin"};
  host *host = user;
  check_place(host);
  if (host->spy != NULL) host->spy(host, kind, 0, json);
  json_t *event = seen(json);
  REQUIRE(kind >= 1 && kind <= HCO_EVENT_PLUGIN);
  CHECK_TEXT(text_of(event, "type"), names[kind]);
  CHECK(checkout != NULL);
  CHECK(json_is_integer(json_object_get(event, "seq")));
  json_array_append_new(host->events, event);
}

static const char *answer_to(host *host, int32_t kind, const json_t *question) {
  if (kind != HCO_HOOK_STEP) return host->answers[kind - HCO_HOOK_CHECKPOINT];
  return host->step_answers[strcmp(text_of(question, "step"), "collect") == 0 ? 0 : 1];
}

static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  static const char *const names[] = {"checkpoint", "step", "beforeValidate", "afterValidate", "redirection", "http"};
  host *host = user;
  check_place(host);
  if (host->spy != NULL) host->spy(host, kind, ticket, json);
  REQUIRE(kind >= HCO_HOOK_CHECKPOINT && kind <= HCO_HOOK_HTTP);
  json_t *question = seen(json);
  CHECK_TEXT(text_of(question, "type"), names[kind - HCO_HOOK_CHECKPOINT]);
  json_object_set_new(question, "ticket", json_integer((json_int_t)ticket));
  json_array_append(host->questions, question);
  if (kind == HCO_HOOK_HTTP) {
    CHECK(checkout == NULL);
    backend_asked(&host->backend, ticket, json);
    return;
  }
  CHECK(checkout != NULL);
  const char *answer = answer_to(host, kind, question);
  if (ticket == 0 || answer == NULL) return;
  char *reply = NULL;
  hco_status status = hco_answer(checkout, ticket, answer, &reply);
  if (host->backend.may_be_late && status == HCO_REFUSED) {
    error_of(status, reply, HCO_REFUSED, NULL, __FILE__, __LINE__);
  } else {
    RESULT(status, reply);
  }
}

static void release_runtime(void *user) {
  host *host = user;
  host->runtime_released += 1;
}

static void release_checkout(void *user) {
  host *host = user;
  if (!host->may_release_outside) check_place(host);
  host->checkout_released += 1;
}

void host_init(host *host) {
  memset(host, 0, sizeof *host);
  host->events = json_array();
  host->questions = json_array();
  for (int index = 0; index < HOOK_KINDS; index++) host->answers[index] = "{\"ok\":{}}";
  host->answers[HCO_HOOK_REDIRECTION - HCO_HOOK_CHECKPOINT] = "{\"ok\":{\"takeOver\":false}}";
  host->step_answers[0] =
      "{\"ok\":{\"vault_form_token\":\"tok_success_00000000000000000000\",\"selected_network\":\"VISA\"}}";
  host->step_answers[1] = "{\"ok\":{}}";
}

hco_callbacks host_callbacks(host *host) {
  return (hco_callbacks){.listener = listen, .hook = ask, .release = release_checkout, .user = host};
}

hco_callbacks host_runtime_callbacks(host *host) {
  return (hco_callbacks){.hook = ask, .release = release_runtime, .user = host};
}

void host_start(host *host, const char *more) {
  char *reply = NULL;
  char *options =
      format("{\"transport\":\"host\",\"clock\":\"manual\"%s%s}", more == NULL ? "" : ",", more == NULL ? "" : more);
  hco_callbacks callbacks = host_runtime_callbacks(host);
  hco_status status = hco_runtime_create(HCO_ABI_VERSION, options, &callbacks, &host->runtime, &reply);
  RESULT(status, reply);
  REQUIRE(status == HCO_OK && host->runtime != NULL);
  host->backend.runtime = host->runtime;
}

static char *common_text(const creation *wanted) {
  const char *hooks = "[\"checkpoint\",\"beforeValidate\",\"afterValidate\",\"redirection\"]";
  const char *capabilities = "[{\"item\":\"purse-creditcard\",\"steps\":[\"collect\"]}]";
  if (wanted != NULL && wanted->hooks != NULL) hooks = wanted->hooks;
  if (wanted != NULL && wanted->capabilities != NULL) capabilities = wanted->capabilities;
  const char *more = wanted == NULL || wanted->more == NULL ? "" : format(",%s", wanted->more);
  return format(
      "\"hooks\":%s,\"capabilities\":%s,"
      "\"apiPaths\":{\"payment\":\"https://backend.test/pay\",\"datetime\":\"https://backend.test/time\"}%s",
      hooks, capabilities, more);
}

char *create_text(const char *data, const creation *wanted) {
  return format("{\"widgetData\":\"%s\",%s}", data, common_text(wanted));
}

char *restore_text(const creation *wanted) { return format("{%s}", common_text(wanted)); }

json_t *host_create(host *host, const session *wanted, const creation *creation) {
  session none = {0};
  char *reply = NULL;
  char *request = create_text(widget_data(wanted == NULL ? &none : wanted), creation);
  hco_callbacks callbacks = host_callbacks(host);
  hco_status status = hco_create(host->runtime, request, &callbacks, &host->checkout, &reply);
  json_t *result = RESULT(status, reply);
  REQUIRE(status == HCO_OK && host->checkout != NULL);
  return result;
}

void host_open(host *host) {
  host_init(host);
  host_start(host, NULL);
  host_create(host, NULL, NULL);
  host_pump(host);
}

void host_close(host *host) {
  if (host->checkout != NULL) hco_release(host->checkout);
  if (host->runtime == NULL) return;
  if (host->checkout != NULL) host_pump(host);
  host->may_release_outside = true;
  hco_runtime_destroy(host->runtime);
  CHECK_NUMBER(host->runtime_released, 1);
  if (host->checkout != NULL) CHECK_NUMBER(host->checkout_released, 1);
  host->runtime = NULL;
  host->checkout = NULL;
}

static bool is_readable(int descriptor) {
  struct pollfd one = {.fd = descriptor, .events = POLLIN};
  return poll(&one, 1, 0) == 1 && (one.revents & POLLIN) != 0;
}

void host_pump(host *host) {
  int quiet = 0, rounds = 0;
  host->poller = pthread_self();
  while (quiet < 2 && rounds++ < 1000) {
    host->is_polling = true;
    CHECK_NUMBER(hco_runtime_poll(host->runtime, 0), HCO_OK);
    host->is_polling = false;
    quiet = is_readable(hco_runtime_fd(host->runtime)) ? 0 : quiet + 1;
  }
  CHECK(rounds < 1000);
}

void host_advance(host *host, long long milliseconds) {
  char *reply = NULL;
  RESULT(hco_runtime_notify(host->runtime, format("{\"advanceMs\":%lld}", milliseconds), &reply), reply);
  host->backend.ahead += milliseconds / 1000;
  host_pump(host);
}

/* The result of a call without which the test makes no sense. */
#define DONE(call, reply)                             \
  ({                                                  \
    hco_status done_status = (call);                  \
    json_t *done_result = RESULT(done_status, reply); \
    REQUIRE(done_status == HCO_OK);                   \
    done_result;                                      \
  })

void host_choose_card(host *host) {
  char *reply = NULL;
  const char *valid = "{\"element\":\"purse-creditcard\",\"report\":\"formValidity\",\"valid\":true}";
  DONE(hco_set_primary(host->checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  DONE(hco_element_open(host->checkout, "{\"item\":\"purse-creditcard\",\"redirect\":\"host\"}", &reply), reply);
  DONE(hco_element_report(host->checkout, valid, &reply), reply);
  host_pump(host);
}

long long host_submit(host *host) {
  char *reply = NULL;
  json_t *result = DONE(hco_submit(host->checkout, NULL, &reply), reply);
  return number_of(result, "attempt");
}

long long host_pay(host *host) {
  host_choose_card(host);
  long long attempt = host_submit(host);
  host_pump(host);
  return attempt;
}

char *host_read_card(host *host, const char *item, const char *number) {
  char *reply = NULL;
  char *request = format("{\"item\":\"%s\",\"number\":\"%s\",\"cvv\":\"1234\"}", item, number);
  DONE(hco_read_secondary(host->checkout, request, &reply), reply);
  host_pump(host);
  json_t *event = last_of(host->events, "result");
  const char *id = text_of(json_object_get(json_object_get(event, "result"), "token"), "id");
  REQUIRE(id[0] != '\0');
  return format("%s", id);
}

char *host_state(host *host) {
  char *reply = NULL;
  CHECK_NUMBER(hco_state(host->checkout, NULL, &reply), HCO_OK);
  return reply;
}

const char *host_session_state(host *host) {
  char *reply = NULL;
  hco_status status = hco_state(host->checkout, "{\"keys\":[\"sessionState\"]}", &reply);
  return text_of(RESULT(status, reply), "sessionState");
}

bool host_is_unknown(host *host) {
  char *reply = NULL;
  hco_status status = hco_state(host->checkout, "{\"keys\":[\"outcomeUnknown\"]}", &reply);
  json_t *result = RESULT(status, reply);
  return json_is_true(json_object_get(result, "outcomeUnknown"));
}

json_t *last_of(const json_t *where, const char *type) {
  for (size_t index = json_array_size(where); index > 0; index--) {
    json_t *one = json_array_get(where, index - 1);
    if (strcmp(text_of(one, "type"), type) == 0) return one;
  }
  return NULL;
}

int count_of(const json_t *where, const char *type) {
  int count = 0;
  for (size_t index = 0; index < json_array_size(where); index++) {
    if (strcmp(text_of(json_array_get(where, index), "type"), type) == 0) count += 1;
  }
  return count;
}
