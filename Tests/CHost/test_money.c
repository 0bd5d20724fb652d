/* What happens to money: the table of answers, the gate, aborts, resolves. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static void check_error(const json_t *outcome, const char *code, const char *moved) {
  const json_t *error = json_object_get(outcome, "error");
  CHECK_TEXT(text_of(outcome, "kind"), "failed");
  CHECK_TEXT(text_of(error, "code"), code);
  CHECK_TEXT(text_of(error, "moved"), moved);
  check_error_shape(error, __FILE__, __LINE__);
}

static void check_second_submit(host *host, bool may_pay_again) {
  char *reply = NULL;
  if (may_pay_again) {
    host->backend.status = 200;
    host->backend.body = NULL;
    host->backend.way = ANSWERED;
    host->backend.global_status = NULL;
    host_submit(host);
    host_pump(host);
    CHECK_TEXT(text_of(OUTCOME(host), "kind"), "completed");
    CHECK_NUMBER(count_of(host->events, "outcome"), 2);
    return;
  }
  int before = host->backend.validates;
  json_t *error = ERROR(hco_submit(host->checkout, NULL, &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
  CHECK(json_array_size(json_object_get(json_object_get(error, "details"), "submitBlockers")) > 0);
  host_pump(host);
  CHECK_NUMBER(host->backend.validates, before);
  CHECK_NUMBER(count_of(host->events, "outcome"), 1);
}

// seed: 002:35a
// seed: 002:35b
static void readable_answers(void) {
  static const struct {
    const char *status, *verdict;
  } table[] = {
      {"SUCCESS", "success"},        {"WAITING", "pending"}, {"UNCERTAIN", "pending"},
      {"NEVER_HEARD_OF", "pending"}, {"FAILED", "declined"}, {"ERROR", "declined"},
  };
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    static const int statuses[] = {200, 201, 202, 299};
    for (int which = 0; which < 4; which++) {
      host host;
      context("%d %s", statuses[which], table[index].status);
      host_open(&host);
      host.backend.global_status = table[index].status;
      host.backend.status = statuses[which];
      long long attempt = host_pay(&host);
      const json_t *outcome = OUTCOME(&host);
      CHECK_TEXT(text_of(outcome, "kind"), "completed");
      CHECK_NUMBER(number_of(outcome, "attempt"), attempt);
      CHECK_TEXT(text_of(outcome, "element"), "purse-creditcard");
      CHECK_TEXT(text_of(outcome, "status"), table[index].status);
      CHECK_TEXT(text_of(outcome, "verdict"), table[index].verdict);
      CHECK(json_is_true(json_object_get(outcome, "isSuccess")) == (strcmp(table[index].verdict, "success") == 0));
      CHECK_NUMBER(json_array_size(json_object_get(outcome, "results")), 1);
      CHECK_TEXT(host_session_state(&host), "submitted");
      CHECK(!host_is_unknown(&host));
      CHECK_NUMBER(host.backend.validates, 1);
      check_second_submit(&host, false);
      host_close(&host);
    }
  }
}

// seed: 002:38
// seed: 002:5b
static void refusals(void) {
  static const int statuses[] = {400, 401, 403, 404, 413, 415, 422, 429};
  for (size_t index = 0; index < sizeof statuses / sizeof *statuses; index++) {
    host host;
    context("%d", statuses[index]);
    host_open(&host);
    host.backend.status = statuses[index];
    host.backend.body = "{\"code\":\"SOMETHING\",\"message\":\"said the back end\"}";
    host_pay(&host);
    check_error(OUTCOME(&host), "VALIDATE_FAILED", "no");
    CHECK(strstr(json_dumps(OUTCOME(&host), 0), "said the back end") == NULL);
    CHECK_TEXT(host_session_state(&host), "ready");
    CHECK_NUMBER(host.backend.validates, 1);
    check_second_submit(&host, true);
    CHECK_NUMBER(host.backend.validates, 2);
    host_close(&host);
  }
}

static void refusals_that_speak_of_an_earlier_payment(void) {
  static const char *const bodies[] = {
      "{\"code\":\"SESSION_ALREADY_SUBMITTED\"}", "{\"error\":{\"code\":\"SESSION_ALREADY_SUBMITTED\"}}"};
  static const int statuses[] = {400, 403, 422};
  for (int which = 0; which < 3; which++) {
    for (int body = 0; body < 1; body++) {
      host host;
      context("%d %s", statuses[which], bodies[body]);
      host_open(&host);
      host.backend.status = statuses[which];
      host.backend.body = bodies[body];
      host_pay(&host);
      check_error(OUTCOME(&host), "OUTCOME_UNKNOWN", "unknown");
      CHECK(host_is_unknown(&host));
      check_second_submit(&host, false);
      host_close(&host);
    }
  }
}

// seed: 002:40
static void unknown_outcomes(void) {
  static const struct {
    const char *what;
    way way;
    int status;
    const char *body;
  } table[] = {
      {"2xx, empty", ANSWERED, 200, ""},
      {"2xx, no JSON", ANSWERED, 200, "<html>"},
      {"2xx, array", ANSWERED, 200, "[]"},
      {"2xx, no status", ANSWERED, 200, "{\"results\":[],\"redirection\":{}}"},
      {"2xx, status of the wrong type", ANSWERED, 200, "{\"results\":[],\"redirection\":{},\"global_status\":1}"},
      {"2xx, half", ANSWERED, 200, "{\"results\":[],\"global_status\":\"SUCC"},
      {"2xx, invalid UTF-8", ANSWERED, 200, "{\"results\":[],\"redirection\":{},\"global_status\":\"\xFF\"}"},
      {"2xx, duplicate key", ANSWERED, 200,
       "{\"results\":[],\"global_status\":\"FAILED\",\"global_status\":\"SUCCESS\"}"},
      {"204", ANSWERED, 204, ""},
      {"100", ANSWERED, 100, ""},
      {"301", ANSWERED, 301, "{}"},
      {"302", ANSWERED, 302, "{}"},
      {"304", ANSWERED, 304, ""},
      {"307", ANSWERED, 307, "{}"},
      {"308", ANSWERED, 308, "{}"},
      {"402", ANSWERED, 402, "{}"},
      {"405", ANSWERED, 405, "{}"},
      {"408", ANSWERED, 408, "{}"},
      {"409", ANSWERED, 409, "{}"},
      {"410", ANSWERED, 410, "{}"},
      {"418", ANSWERED, 418, "{}"},
      {"425", ANSWERED, 425, "{}"},
      {"499", ANSWERED, 499, "{}"},
      {"500", ANSWERED, 500, "{}"},
      {"502", ANSWERED, 502, ""},
      {"503", ANSWERED, 503, "{}"},
      {"504", ANSWERED, 504, ""},
      {"599", ANSWERED, 599, ""},
      {"left, no answer", FAILED_LEFT, 0, NULL},
      {"failed, left or not is not said", FAILED_SILENT, 0, NULL},
  };
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    host host;
    context("%s", table[index].what);
    host_open(&host);
    host.backend.way = table[index].way;
    host.backend.status = table[index].status;
    host.backend.body = table[index].body;
    host_pay(&host);
    check_error(OUTCOME(&host), "OUTCOME_UNKNOWN", "unknown");
    CHECK(json_is_false(json_object_get(json_object_get(OUTCOME(&host), "error"), "retryable")));
    CHECK_TEXT(host_session_state(&host), "submitted");
    CHECK(host_is_unknown(&host));
    json_t *state = taken(host_state(&host));
    json_t *pending = json_object_get(state, "pendingAttempt");
    CHECK_NUMBER(number_of(pending, "attempt"), 1);
    CHECK_TEXT(text_of(pending, "moved"), "unknown");
    CHECK_NUMBER(host.backend.validates, 1);
    check_second_submit(&host, false);
    host_close(&host);
  }
}

static void never_left(void) {
  host host;
  host_open(&host);
  host.backend.way = FAILED_NOT_LEFT;
  host_pay(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "failed");
  CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "moved"), "no");
  CHECK_TEXT(host_session_state(&host), "ready");
  check_second_submit(&host, true);
}

/* What the payment request is, as the host's transport sees it. */
static void the_request(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  char *token = host_read_card(&host, "illicado-giftcard", "6000000100005000");
  RESULT(hco_apply_secondary(host.checkout, format("{\"token\":\"%s\",\"amount\":3005}", token), &reply), reply);
  host_pay(&host);
  json_t *question = host.backend.last_validate;
  CHECK_TEXT(text_of(question, "method"), "POST");
  CHECK_TEXT(text_of(question, "money"), "opens");
  CHECK(
      strncmp(
          text_of(question, "url"), "https://backend.test/pay/c0ffee00-0000-4000-8000-000000000001/sessions/", 71) ==
      0);
  const char *body = text_of(question, "body");
  CHECK(strstr(body, "\"amount\":30.05") != NULL);
  CHECK(strstr(body, "\"amount\":89.95") != NULL);
  json_t *items = json_loads(body, JSON_REJECT_DUPLICATES, NULL);
  CHECK_NUMBER(json_array_size(items), 2);
  CHECK_TEXT(text_of(json_array_get(items, 0), "partner"), "illicado");
  CHECK_TEXT(text_of(json_array_get(items, 1), "partner"), "purse");
  json_t *data = json_object_get(json_array_get(items, 1), "payment_data");
  CHECK_TEXT(text_of(data, "vault_form_token"), "tok_success_00000000000000000000");
  CHECK_TEXT(text_of(data, "selected_network"), "VISA");
  bool has_key = false, has_type = false;
  const char *name;
  json_t *value;
  json_object_foreach(json_object_get(question, "headers"), name, value) {
    if (strcasecmp(name, "x-api-key") == 0) has_key = strcmp(json_string_value(value), "key-1") == 0;
    if (strcasecmp(name, "content-type") == 0)
      has_type = strncmp(json_string_value(value), "application/json", 16) == 0;
  }
  CHECK(has_key && has_type);
}

/* The order of the hooks, with what each is given. */
// seed: 001:8
// seed: 001:19a
// seed: 001:20a
// seed: 001:20b
static void hooks_in_order(void) {
  static const char *const wanted[] = {"step:collect",        "beforeValidate:", "checkpoint:beforeSend", "http:",
                                       "checkpoint:answered", "afterValidate:",  "checkpoint:outcome"};
  host host;
  host_open(&host);
  size_t start = json_array_size(host.questions);
  host_pay(&host);
  CHECK_NUMBER(json_array_size(host.questions) - start, 7);
  long long revision = 0;
  for (size_t index = 0; index < 7; index++) {
    const json_t *question = json_array_get(host.questions, start + index);
    const char *type = text_of(question, "type");
    CHECK_TEXT(format("%s:%s%s", type, text_of(question, "step"), text_of(question, "reason")), wanted[index]);
    if (strcmp(type, "checkpoint") != 0) continue;
    CHECK(number_of(question, "revision") > revision);
    revision = number_of(question, "revision");
    CHECK(json_is_boolean(json_object_get(question, "marked")));
    CHECK(number_of(question, "savedAt") > 1700000000);
    CHECK((number_of(question, "ticket") != 0) == (index == 2));
    json_t *snapshot = seen(text_of(question, "snapshot"));
    CHECK_NUMBER(number_of(snapshot, "revision"), revision);
    CHECK_NUMBER(number_of(snapshot, "savedAt"), number_of(question, "savedAt"));
    CHECK(json_equal(json_object_get(snapshot, "marked"), json_object_get(question, "marked")));
    if (index == 2) CHECK(json_is_true(json_object_get(question, "marked")));
    if (index == 6) CHECK(json_is_false(json_object_get(question, "marked")));
  }
  json_t *step = json_array_get(host.questions, start);
  json_t *data = json_object_get(step, "data");
  CHECK_TEXT(text_of(data, "tenantId"), "t-1");
  CHECK_NUMBER(number_of(data, "amount"), 12000);
  CHECK_TEXT(text_of(data, "currency"), "EUR");
  CHECK_NUMBER(json_array_size(json_object_get(data, "brands")), 2);
  json_t *slices = json_object_get(json_array_get(host.questions, start + 1), "split");
  CHECK_NUMBER(number_of(json_array_get(slices, 0), "amount"), 12000);
}

/* --------------------------------------------------------------------------------------------------------- the gate */

// seed: 002:20b
// seed: 002:22
// seed: 002:54
// seed: 002:55
// seed: 000:24a
// seed: 000:24b
// seed: 000:32e
static void the_gate(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  context("nothing chosen");
  ERROR(hco_submit(host.checkout, NULL, &reply), reply, HCO_REFUSED, "PAYMENT_NOT_FULFILLED_ON_SUBMIT");
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  context("the form is not filled");
  json_t *error = ERROR(hco_submit(host.checkout, NULL, &reply), reply, HCO_REFUSED, "ELEMENT_NOT_FULFILLED");
  CHECK_NUMBER(json_array_size(json_object_get(json_object_get(error, "details"), "submitBlockers")), 1);
  host_choose_card(&host);
  context("another source than the primary");
  ERROR(
      hco_submit(host.checkout, "{\"element\":\"hipay-bancontact\"}", &reply), reply, HCO_REFUSED,
      "PAYMENT_METHOD_NOT_FOUND");
  ERROR(hco_submit(host.checkout, "{\"token\":\"saved-1\"}", &reply), reply, HCO_REFUSED, "PAYMENT_METHOD_NOT_FOUND");
  context("both");
  ERROR(
      hco_submit(host.checkout, "{\"element\":\"purse-creditcard\",\"token\":\"purse-creditcard\"}", &reply), reply,
      HCO_INVALID_ARGUMENT, NULL);
  host_pump(&host);
  CHECK_NUMBER(host.backend.validates, 0);
  CHECK_NUMBER(count_of(host.events, "outcome"), 0);
  context("in flight");
  host.backend.way = HELD;
  host_submit(&host);
  CHECK_TEXT(host_session_state(&host), "submitting");
  host_pump(&host);
  static const struct {
    hco_status (*call)(hco_checkout *, const char *, char **);
    const char *text;
  } choosing[] = {
      {hco_submit, "{}"},
      {hco_set_primary, "{\"none\":true}"},
      {hco_set_primary, "{\"item\":\"hipay-bancontact\"}"},
      {hco_read_secondary, "{\"item\":\"illicado-giftcard\",\"number\":\"6000000100003000\",\"cvv\":\"1234\"}"},
      {hco_apply_secondary, "{\"token\":\"gc1\"}"},
      {hco_remove_secondary, "{\"token\":\"gc1\"}"},
  };
  char *before = host_state(&host);
  for (size_t index = 0; index < sizeof choosing / sizeof *choosing; index++) {
    context("in flight: %s", choosing[index].text);
    ERROR(choosing[index].call(host.checkout, choosing[index].text, &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
  }
  session another = {0};
  ERROR(
      hco_set_session(host.checkout, format("{\"widgetData\":\"%s\"}", widget_data(&another)), &reply), reply,
      HCO_REFUSED, "SUBMIT_BLOCKED");
  char *after = host_state(&host);
  CHECK_TEXT(after, before);
  host.backend.way = ANSWERED;
  RESULT(backend_answer_validate(&host.backend, &reply), reply);
  host_pump(&host);
  context("submitted");
  for (size_t index = 0; index < sizeof choosing / sizeof *choosing; index++) {
    context("submitted: %s", choosing[index].text);
    ERROR(choosing[index].call(host.checkout, choosing[index].text, &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
  }
  CHECK_NUMBER(host.backend.validates, 1);
}

// seed: 002:55
static void one_submit_of_many_threads(void);

// seed: 002:5a
// seed: 002:42f
// seed: 000:13
static void every_item_is_submitting(void) {
  host host;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  json_t *state = taken(host_state(&host));
  size_t index;
  json_t *method;
  json_array_foreach(json_object_get(state, "paymentMethods"), index, method) {
    CHECK_TEXT(text_of(json_object_get(method, "disabled"), "code"), "SUBMITTING");
  }
}

/* -------------------------------------------------------------------------------------------------- abort and close */

// seed: 002:37
static void abort_before_and_after(void) {
  static const struct {
    int32_t kind;
    const char *type;
  } open[] = {
      {HCO_HOOK_STEP, "step"}, {HCO_HOOK_BEFORE_VALIDATE, "beforeValidate"}, {HCO_HOOK_CHECKPOINT, "checkpoint"}};
  for (int how = 0; how < 2; how++) {
    for (int index = 0; index < 3; index++) {
      host host;
      char *reply = NULL;
      context("%s while %s is asked", how == 0 ? "abort" : "close", open[index].type);
      host_init(&host);
      host.answers[open[index].kind - HCO_HOOK_CHECKPOINT] = NULL;
      if (index == 0) host.step_answers[0] = NULL;
      host_start(&host, NULL);
      host_create(&host, NULL, NULL);
      host_pump(&host);
      host_pay(&host);
      if (how == 0) RESULT(hco_abort(host.checkout, "{\"attempt\":1}", &reply), reply);
      if (how == 1) RESULT(hco_element_close(host.checkout, "{\"element\":\"purse-creditcard\"}", &reply), reply);
      host_pump(&host);
      CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "canceled");
      CHECK(json_is_false(json_object_get(OUTCOME(&host), "spent")));
      CHECK_TEXT(host_session_state(&host), "ready");
      CHECK_NUMBER(host.backend.validates, 0);
      ERROR(hco_abort(host.checkout, "{\"attempt\":1}", &reply), reply, HCO_REFUSED, "TOO_LATE");
      host_close(&host);
    }
    host host;
    char *reply = NULL;
    context("%s after it left", how == 0 ? "abort" : "close");
    host_open(&host);
    host.backend.way = HELD;
    host_pay(&host);
    if (how == 0) ERROR(hco_abort(host.checkout, "{\"attempt\":1}", &reply), reply, HCO_REFUSED, "TOO_LATE");
    if (how == 1) RESULT(hco_element_close(host.checkout, "{\"element\":\"purse-creditcard\"}", &reply), reply);
    host_pump(&host);
    CHECK(OUTCOME(&host) == NULL);
    host.backend.way = ANSWERED;
    reply = NULL;
    RESULT(backend_answer_validate(&host.backend, &reply), reply);
    host_pump(&host);
    CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
    CHECK_NUMBER(count_of(host.events, "outcome"), 1);
    host_close(&host);
  }
}

static void abort_of_what_is_not_there(void) {
  static const char *const wrong[] = {
      "{\"attempt\":0}",
      "{\"attempt\":-1}",
      "{\"attempt\":9}",
      "{\"attempt\":9223372036854775807}",
      "{\"call\":0}",
      "{\"call\":7}",
      "{\"call\":-9223372036854775808}"};
  host host;
  host_open(&host);
  for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    char *reply = NULL;
    context("%s", wrong[index]);
    hco_status status = hco_abort(host.checkout, wrong[index], &reply);
    CHECK(status == HCO_REFUSED || status == HCO_INVALID_ARGUMENT);
    check_error_shape(taken(reply), __FILE__, __LINE__);
  }
}

/* What the host reports of an element ends an attempt of which nothing has left, and waits once it has. */
// seed: 004:42
static void reports_in_flight(void) {
  static const struct {
    const char *report, *kind, *code, *state;
  } table[] = {
      {"\"report\":\"canceled\"", "canceled", "", "ready"},
      {"\"report\":\"initFailed\",\"message\":\"m\"", "failed", "PARTNER_UI_ERROR", "ready"},
      {"\"report\":\"clientError\",\"message\":\"m\"", "failed", "PARTNER_UI_ERROR", "ready"},
      {"\"report\":\"partnerError\",\"message\":\"m\",\"recoverable\":true", "failed", "PARTNER_UI_ERROR", "ready"},
      {"\"report\":\"partnerError\",\"message\":\"m\",\"recoverable\":false", "failed", "PARTNER_UI_ERROR", "ready"},
      {"\"report\":\"endOfSession\"", "failed", "PARTNER_UI_ERROR", "terminated"},
  };
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    host host;
    char *reply = NULL;
    char *report = format("{\"element\":\"purse-creditcard\",%s}", table[index].report);
    context("before it left: %s", table[index].report);
    host_open(&host);
    host.answers[HCO_HOOK_BEFORE_VALIDATE - HCO_HOOK_CHECKPOINT] = NULL;
    host_pay(&host);
    RESULT(hco_element_report(host.checkout, report, &reply), reply);
    host_pump(&host);
    CHECK_TEXT(text_of(OUTCOME(&host), "kind"), table[index].kind);
    CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "code"), table[index].code);
    CHECK_TEXT(host_session_state(&host), table[index].state);
    CHECK_NUMBER(host.backend.validates, 0);
    host_close(&host);

    context("after it left: %s", table[index].report);
    host_open(&host);
    host.backend.way = HELD;
    host_pay(&host);
    reply = NULL;
    RESULT(hco_element_report(host.checkout, report, &reply), reply);
    host_pump(&host);
    CHECK(OUTCOME(&host) == NULL);
    host.backend.way = ANSWERED;
    reply = NULL;
    RESULT(backend_answer_validate(&host.backend, &reply), reply);
    host_pump(&host);
    CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
    CHECK_TEXT(host_session_state(&host), "submitted");
    host_close(&host);
  }
}

/* ------------------------------------------------------------------------------------------------------- checkpoint */

static void checkpoint_refused(void) {
  host host;
  host_open(&host);
  host.answers[0] = "{\"error\":{\"message\":\"the disk is full\"}}";
  host_pay(&host);
  check_error(OUTCOME(&host), "CHECKPOINT_REFUSED", "no");
  CHECK_TEXT(host_session_state(&host), "ready");
  CHECK_NUMBER(host.backend.validates, 0);
  json_t *last = last_of(host.questions, "checkpoint");
  CHECK_TEXT(text_of(last, "reason"), "outcome");
  CHECK(json_is_false(json_object_get(last, "marked")));
  host.answers[0] = "{\"ok\":{}}";
  check_second_submit(&host, true);
}

/* ---------------------------------------------------------------------------------------------------------- resolve */

static void make_unknown(host *host) {
  host_open(host);
  host->backend.way = FAILED_LEFT;
  host_pay(host);
  CHECK(host_is_unknown(host));
}

// seed: 002:5d
static void resolve_verdicts(void) {
  static const struct {
    const char *verdict, *state;
    bool may_pay;
  } table[] = {
      {"paid", "submitted", false},
      {"declined", "submitted", false},
      {"abandoned", "submitted", false},
      {"notCreated", "ready", true}};
  for (int index = 0; index < 4; index++) {
    host host;
    char *reply = NULL;
    session another = {0};
    context("%s", table[index].verdict);
    make_unknown(&host);
    RESULT(
        hco_resolve(host.checkout, format("{\"attempt\":1,\"verdict\":\"%s\"}", table[index].verdict), &reply), reply);
    host_pump(&host);
    CHECK_TEXT(host_session_state(&host), table[index].state);
    CHECK(!host_is_unknown(&host));
    CHECK_NUMBER(count_of(host.events, "outcome"), 1);
    CHECK_TEXT(text_of(last_of(host.questions, "checkpoint"), "reason"), "resolved");
    ERROR(
        hco_resolve(host.checkout, "{\"attempt\":1,\"verdict\":\"paid\"}", &reply), reply, HCO_REFUSED,
        "SUBMIT_BLOCKED");
    if (table[index].may_pay) {
      host_choose_card(&host);
      check_second_submit(&host, true);
    } else {
      check_second_submit(&host, false);
      reply = NULL;
      char *request = format("{\"widgetData\":\"%s\"}", widget_data(&another));
      RESULT(hco_set_session(host.checkout, request, &reply), reply);
      CHECK_TEXT(host_session_state(&host), "ready");
      host_pay(&host);
    }
    host_close(&host);
  }
}

static void resolve_refused(void) {
  static const char *const wrong[] = {
      "{\"attempt\":2,\"verdict\":\"paid\"}", "{\"attempt\":0,\"verdict\":\"notCreated\"}",
      "{\"attempt\":-1,\"verdict\":\"notCreated\"}"};
  host host;
  char *reply = NULL;
  context("nothing to resolve");
  host_open(&host);
  ERROR(
      hco_resolve(host.checkout, "{\"attempt\":1,\"verdict\":\"paid\"}", &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
  host_pay(&host);
  ERROR(hco_resolve(host.checkout, "{\"attempt\":1,\"verdict\":\"notCreated\"}", &reply), reply, HCO_REFUSED, NULL);
  host_close(&host);
  make_unknown(&host);
  for (int index = 0; index < 3; index++) {
    context("%s", wrong[index]);
    hco_status status = hco_resolve(host.checkout, wrong[index], &reply);
    CHECK(status == HCO_REFUSED || status == HCO_INVALID_ARGUMENT);
    hco_free(reply);
    reply = NULL;
  }
  context("another verdict");
  ERROR(hco_resolve(host.checkout, "{\"attempt\":1,\"verdict\":\"maybe\"}", &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  CHECK(host_is_unknown(&host));
  context("in flight");
  host_close(&host);
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  CHECK(hco_resolve(host.checkout, "{\"attempt\":1,\"verdict\":\"notCreated\"}", NULL) != HCO_OK);
}

/* A request repeated after notCreated: a refusal says nothing of the first one. */
static void refusals_after_not_created(void) {
  static const struct {
    int status;
    bool is_known;
  } table[] = {{401, true},  {403, true},  {429, true},  {400, false}, {404, false},
               {409, false}, {413, false}, {415, false}, {422, false}, {500, false}};
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    host host;
    char *reply = NULL;
    context("%d after notCreated", table[index].status);
    make_unknown(&host);
    const char *first_key =
        format("%s", json_dumps(json_object_get(host.backend.last_validate, "headers"), JSON_SORT_KEYS));
    RESULT(hco_resolve(host.checkout, "{\"attempt\":1,\"verdict\":\"notCreated\"}", &reply), reply);
    host.backend.way = ANSWERED;
    host.backend.status = table[index].status;
    host.backend.body = "{}";
    host_choose_card(&host);
    host_submit(&host);
    host_pump(&host);
    CHECK_NUMBER(host.backend.validates, 2);
    CHECK_TEXT(json_dumps(json_object_get(host.backend.last_validate, "headers"), JSON_SORT_KEYS), first_key);
    check_error(
        OUTCOME(&host), table[index].is_known ? "VALIDATE_FAILED" : "OUTCOME_UNKNOWN",
        table[index].is_known ? "no" : "unknown");
    host_close(&host);
  }
}

static void idempotency_header(void) {
  host host;
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, NULL, &(creation){.more = "\"idempotencyHeader\":\"X-Once\""});
  host_pump(&host);
  host_pay(&host);
  const char *key = text_of(json_object_get(host.backend.last_validate, "headers"), "X-Once");
  CHECK(strlen(key) >= 16);
  host_close(&host);
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, NULL, &(creation){.more = "\"idempotencyHeader\":null"});
  host_pump(&host);
  host_pay(&host);
  CHECK(json_object_get(json_object_get(host.backend.last_validate, "headers"), "Idempotency-Key") == NULL);
  host_close(&host);
  static const char *const wrong[] = {"\"\"", "\"a b\"", "\"a:b\"", "\"a\\r\\nX: y\"", "1", "\"\\u00e9\""};
  for (int index = 0; index < 6; index++) {
    session none = {0};
    hco_checkout *checkout = NULL;
    char *reply = NULL;
    context("%s", wrong[index]);
    host_init(&host);
    host_start(&host, NULL);
    char *more = format("\"idempotencyHeader\":%s", wrong[index]);
    ERROR(
        hco_create(host.runtime, create_text(widget_data(&none), &(creation){.more = more}), NULL, &checkout, &reply),
        reply, HCO_INVALID_ARGUMENT, NULL);
  }
}

/* One of two threads' submits is taken. */
static host raced;
static int accepted;

static void *submit_once(void *user) {
  (void)user;
  if (hco_submit(raced.checkout, NULL, NULL) == HCO_OK) __atomic_add_fetch(&accepted, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

static void one_submit_of_many_threads(void) {
  for (int round = 0; round < 20; round++) {
    pthread_t threads[4];
    host_open(&raced);
    host_choose_card(&raced);
    accepted = 0;
    for (int index = 0; index < 4; index++) pthread_create(&threads[index], NULL, submit_once, NULL);
    for (int index = 0; index < 4; index++) pthread_join(threads[index], NULL);
    host_pump(&raced);
    CHECK_NUMBER(accepted, 1);
    CHECK_NUMBER(raced.backend.validates, 1);
    CHECK_NUMBER(count_of(raced.events, "outcome"), 1);
    host_close(&raced);
  }
}

/* A saved card needs no form; a redirection method is initialised at submit. */
// seed: 002:13
// seed: 002:30b
static void other_sources(void) {
  host host;
  char *reply = NULL;
  context("saved card");
  host_open(&host);
  RESULT(hco_set_primary(host.checkout, "{\"token\":\"saved-1\"}", &reply), reply);
  RESULT(hco_submit(host.checkout, "{\"token\":\"saved-1\"}", &reply), reply);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK(strstr(text_of(host.backend.last_validate, "body"), "wallet-value-1") != NULL);
  host_close(&host);
  context("redirection method");
  host_open(&host);
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"hipay-bancontact\"}", &reply), reply);
  host_submit(&host);
  host_pump(&host);
  CHECK_NUMBER(host.backend.inits, 1);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  host_close(&host);
  context("redirection method whose init is refused");
  host_open(&host);
  host.backend.init_code = "TECHNICAL_ERROR";
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"hipay-bancontact\"}", &reply), reply);
  host_submit(&host);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "failed");
  CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "moved"), "no");
  CHECK_TEXT(host_session_state(&host), "ready");
  CHECK_NUMBER(host.backend.validates, 0);
}

/* From here on the kernel refuses this process its random numbers; false when it cannot be made to. */
static bool take_randomness_away(void) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  char byte;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 &&
         getrandom(&byte, 1, 0) < 0;
}

enum { REFUSED_AS_WANTED = 41, NOT_TO_BE_HAD = 42 };

static int pay_without_randomness(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host_choose_card(&host);
  if (!take_randomness_away()) return NOT_TO_BE_HAD;
  /* What the runtime had asked for ahead is used up. */
  for (int draws = 0; draws < 32; draws++) host_session_state(&host);
  json_t *error = ERROR(hco_submit(host.checkout, NULL, &reply), reply, HCO_INTERNAL, "INTERNAL");
  CHECK_TEXT(text_of(error, "moved"), "no");
  host_pump(&host);
  bool is_right = host.backend.validates == 0 && strcmp(host_session_state(&host), "ready") == 0 &&
                  strcmp(text_of(error, "moved"), "no") == 0 && OUTCOME(&host) == NULL;
  return is_right ? REFUSED_AS_WANTED : 1;
}

/* A key that was not drawn would be every device's key. */
static void no_randomness_no_payment(void) {
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(pay_without_randomness());
  int status = 0;
  CHECK_NUMBER(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status) && (WEXITSTATUS(status) == REFUSED_AS_WANTED || WEXITSTATUS(status) == NOT_TO_BE_HAD));
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(no_randomness_no_payment),
      TEST(readable_answers),
      TEST(refusals),
      TEST(refusals_that_speak_of_an_earlier_payment),
      TEST(unknown_outcomes),
      TEST(never_left),
      TEST(the_request),
      TEST(hooks_in_order),
      TEST(the_gate),
      TEST(every_item_is_submitting),
      TEST(one_submit_of_many_threads),
      TEST(abort_before_and_after),
      TEST(abort_of_what_is_not_there),
      TEST(reports_in_flight),
      TEST(checkpoint_refused),
      TEST(resolve_verdicts),
      TEST(resolve_refused),
      TEST(refusals_after_not_created),
      TEST(idempotency_header),
      TEST(other_sources),
  };
  return RUN_TESTS("money", tests);
}
