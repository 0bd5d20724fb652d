/* Convention 6: tickets. */
#include <string.h>

#include "host.h"

enum { ANSWER_KINDS = 3 };

/* Pays until the hook of that kind is asked, which is left open. Its ticket. */
static uint64_t pay_until(host *host, int32_t kind, const char *type) {
  host_init(host);
  host->answers[kind - HCO_HOOK_CHECKPOINT] = NULL;
  if (kind == HCO_HOOK_STEP) host->step_answers[0] = NULL;
  host_start(host, NULL);
  host_create(host, NULL, NULL);
  host_pump(host);
  if (kind == HCO_HOOK_REDIRECTION) {
    host->backend.redirect_url = "https://bank.example/3ds";
    host->backend.global_status = "WAITING";
  }
  host_pay(host);
  json_t *question = last_of(host->questions, type);
  REQUIRE(question != NULL);
  CHECK(number_of(question, "ticket") > 0);
  CHECK(OUTCOME(host) == NULL);
  return (uint64_t)number_of(question, "ticket");
}

static const struct {
  int32_t kind;
  const char *type, *ok;
} hooks[] = {
    {HCO_HOOK_CHECKPOINT, "checkpoint", "{\"ok\":{}}"},
    {HCO_HOOK_STEP, "step", "{\"ok\":{\"vault_form_token\":\"tok_success_00000000000000000000\"}}"},
    {HCO_HOOK_BEFORE_VALIDATE, "beforeValidate", "{\"ok\":{}}"},
    {HCO_HOOK_AFTER_VALIDATE, "afterValidate", "{\"ok\":{}}"},
    {HCO_HOOK_REDIRECTION, "redirection", "{\"ok\":{\"takeOver\":true}}"},
};
enum { HOOKS = sizeof hooks / sizeof *hooks };

static const char *waiting(host *host) {
  char *reply = NULL;
  hco_status status = hco_state(host->checkout, "{\"keys\":[\"waitingFor\"]}", &reply);
  json_t *list = json_object_get(RESULT(status, reply), "waitingFor");
  return json_array_size(list) == 0 ? "" : text_of(json_array_get(list, 0), "kind");
}

static void c6_no_answer_is_no_consent(void) {
  for (int index = 0; index < HOOKS; index++) {
    host host;
    context("%s", hooks[index].type);
    pay_until(&host, hooks[index].kind, hooks[index].type);
    bool is_after = hooks[index].kind == HCO_HOOK_AFTER_VALIDATE || hooks[index].kind == HCO_HOOK_REDIRECTION;
    CHECK_TEXT(waiting(&host), hooks[index].type);
    host_advance(&host, 20000);
    host_pump(&host);
    CHECK(OUTCOME(&host) == NULL);
    CHECK_NUMBER(host.backend.validates, is_after ? 1 : 0);
    CHECK_TEXT(waiting(&host), hooks[index].type);
    host_close(&host);
  }
}

static void c6_malformed_answers_leave_the_ticket_open(void) {
  static const char *const wrong[] = {
      "",
      "{",
      "{}",
      "[]",
      "null",
      "\"ok\"",
      "{\"ok\":true}",
      "{\"ok\":null}",
      "{\"ok\":[]}",
      "{\"okay\":{}}",
      "{\"ok\":{},\"canceled\":true}",
      "{\"canceled\":false}",
      "{\"canceled\":1}",
      "{\"unset\":false}",
      "{\"error\":\"no\"}",
      "{\"error\":{\"message\":1}}",
      "{\"error\":{\"message\":\"x\",\"odd\":1}}",
      "{\"ok\":{},\"ok\":{}}",
      "{\"ok\":{}}\xFF",
      "{\"unset\":true,\"canceled\":true}",
  };
  for (int index = 0; index < HOOKS; index++) {
    host host;
    char *reply = NULL;
    uint64_t ticket = pay_until(&host, hooks[index].kind, hooks[index].type);
    char *before = host_state(&host);
    for (size_t which = 0; which < sizeof wrong / sizeof *wrong; which++) {
      context("%s: %s", hooks[index].type, wrong[which]);
      ERROR(hco_answer(host.checkout, ticket, wrong[which], &reply), reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
      reply = NULL;
    }
    context("%s", hooks[index].type);
    char *after = host_state(&host);
    CHECK_TEXT(after, before);
    hco_free(before);
    hco_free(after);
    RESULT(hco_answer(host.checkout, ticket, hooks[index].ok, &reply), reply);
    host_pump(&host);
    CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
    host_close(&host);
  }
}

static void c6_an_answer_counts_once(void) {
  for (int index = 0; index < HOOKS; index++) {
    host host;
    char *reply = NULL;
    context("%s", hooks[index].type);
    uint64_t ticket = pay_until(&host, hooks[index].kind, hooks[index].type);
    RESULT(hco_answer(host.checkout, ticket, hooks[index].ok, &reply), reply);
    ERROR(hco_answer(host.checkout, ticket, "{\"canceled\":true}", &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
    host_pump(&host);
    ERROR(hco_answer(host.checkout, ticket, hooks[index].ok, &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
    CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
    CHECK_NUMBER(count_of(host.events, "outcome"), 1);
    CHECK_NUMBER(host.backend.validates, 1);
    host_close(&host);
  }
}

static void c6_foreign_tickets(void) {
  host one, two;
  char *reply = NULL;
  uint64_t ticket = pay_until(&one, HCO_HOOK_BEFORE_VALIDATE, "beforeValidate");
  host_open(&two);
  uint64_t foreign[] = {0,          ticket + 1, ticket + 1000000,       (uint64_t)1 << 53,
                        UINT64_MAX, INT64_MAX,  (uint64_t)INT64_MAX + 1};
  for (size_t index = 0; index < sizeof foreign / sizeof *foreign; index++) {
    context("ticket %llu", (unsigned long long)foreign[index]);
    ERROR(hco_answer(one.checkout, foreign[index], "{\"ok\":{}}", &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  }
  context("another checkout's");
  ERROR(hco_answer(two.checkout, ticket, "{\"ok\":{}}", &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  ERROR(
      hco_runtime_answer_http(one.runtime, ticket, "{\"ok\":{\"status\":200,\"headers\":{}}}", "{}", 2, &reply), reply,
      HCO_REFUSED, "TICKET_CLOSED");
  RESULT(hco_answer(one.checkout, ticket, "{\"ok\":{}}", &reply), reply);
  host_pump(&one);
  CHECK_TEXT(text_of(OUTCOME(&one), "kind"), "completed");
}

/* What each answer does to the attempt: {"error"}, {"canceled"}, {"unset"}. */
static void c6_what_answers_mean(void) {
  static const char *const answers[ANSWER_KINDS] = {
      "{\"error\":{\"message\":\"no\"}}", "{\"canceled\":true}", "{\"unset\":true}"};
  static const struct {
    int32_t kind;
    const char *type;
    struct {
      const char *outcome, *code, *state;
      int validates;
    } then[ANSWER_KINDS];
  } table[] = {
      {HCO_HOOK_CHECKPOINT,
       "checkpoint",
       {{"failed", "CHECKPOINT_REFUSED", "ready", 0},
        {"failed", "CHECKPOINT_REFUSED", "ready", 0},
        {"completed", "", "submitted", 1}}},
      {HCO_HOOK_STEP,
       "step",
       {{"failed", "PARTNER_UI_ERROR", "ready", 0}, {"canceled", "", "ready", 0}, {NULL, NULL, NULL, 0}}},
      {HCO_HOOK_BEFORE_VALIDATE,
       "beforeValidate",
       {{"failed", "ON_BEFORE_VALIDATE_HOOK_FAILED", "ready", 0},
        {"failed", "ON_BEFORE_VALIDATE_HOOK_FAILED", "ready", 0},
        {"completed", "", "submitted", 1}}},
      {HCO_HOOK_AFTER_VALIDATE,
       "afterValidate",
       {{"completed", "", "submitted", 1}, {"completed", "", "submitted", 1}, {"completed", "", "submitted", 1}}},
      {HCO_HOOK_REDIRECTION,
       "redirection",
       {{"failed", "POST_VALIDATE_FAILED", "submitted", 1}, {NULL, NULL, NULL, 0}, {NULL, NULL, NULL, 0}}},
  };
  for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
    for (int kind = 0; kind < ANSWER_KINDS; kind++) {
      host host;
      char *reply = NULL;
      if (table[row].then[kind].outcome == NULL) continue;
      context("%s %s", table[row].type, answers[kind]);
      uint64_t ticket = pay_until(&host, table[row].kind, table[row].type);
      RESULT(hco_answer(host.checkout, ticket, answers[kind], &reply), reply);
      host_pump(&host);
      const json_t *outcome = OUTCOME(&host);
      CHECK_TEXT(text_of(outcome, "kind"), table[row].then[kind].outcome);
      CHECK_TEXT(text_of(json_object_get(outcome, "error"), "code"), table[row].then[kind].code);
      CHECK_TEXT(host_session_state(&host), table[row].then[kind].state);
      CHECK_NUMBER(host.backend.validates, table[row].then[kind].validates);
      if (host.backend.validates == 0 && outcome != NULL && json_object_get(outcome, "error") != NULL) {
        CHECK_TEXT(text_of(json_object_get(outcome, "error"), "moved"), "no");
      }
      if (strcmp(host_session_state(&host), "ready") == 0) {
        /* Ready again means just that. */
        host.answers[table[row].kind - HCO_HOOK_CHECKPOINT] = hooks[0].ok;
        host.step_answers[0] = hooks[1].ok;
        host_submit(&host);
        host_pump(&host);
        CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
        CHECK_NUMBER(host.backend.validates, 1);
      }
      host_close(&host);
    }
  }
  host host;
  char *reply = NULL;
  context("redirection unset: the page is shown");
  uint64_t ticket = pay_until(&host, HCO_HOOK_REDIRECTION, "redirection");
  RESULT(hco_answer(host.checkout, ticket, "{\"unset\":true}", &reply), reply);
  host_pump(&host);
  CHECK_TEXT(text_of(last_of(host.events, "redirect"), "state"), "open");
  CHECK(OUTCOME(&host) == NULL);
}

/* The library closes what nobody has answered, says so, and an answer that comes later is refused. */
static void c6_closed_by_the_library(void) {
  host host;
  char *reply = NULL;
  uint64_t ticket = pay_until(&host, HCO_HOOK_BEFORE_VALIDATE, "beforeValidate");
  RESULT(hco_abort(host.checkout, "{\"attempt\":1}", &reply), reply);
  host_pump(&host);
  json_t *event = last_of(host.events, "ticket");
  CHECK_NUMBER(number_of(event, "ticket"), (long long)ticket);
  CHECK(text_of(event, "reason")[0] != '\0');
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "canceled");
  ERROR(hco_answer(host.checkout, ticket, "{\"ok\":{}}", &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  host_pump(&host);
  CHECK_NUMBER(host.backend.validates, 0);
  CHECK_NUMBER(count_of(host.events, "outcome"), 1);
}

/* afterValidate always ends after 30 s, postValidate after 60 s; hookTimeoutMs ends the rest. */
// seed: 001:9
static void c6_deadlines(void) {
  host host;
  pay_until(&host, HCO_HOOK_AFTER_VALIDATE, "afterValidate");
  host_advance(&host, 29000);
  CHECK(OUTCOME(&host) == NULL);
  host_advance(&host, 2000);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK_TEXT(host_session_state(&host), "submitted");
  CHECK(last_of(host.events, "ticket") != NULL);
  host_close(&host);

  host_init(&host);
  host.step_answers[1] = NULL;
  host_start(&host, NULL);
  host_create(
      &host, NULL,
      &(creation){.capabilities = "[{\"item\":\"purse-creditcard\",\"steps\":[\"collect\",\"postValidate\"]}]"});
  host_pump(&host);
  host_pay(&host);
  CHECK_TEXT(text_of(last_of(host.questions, "step"), "step"), "postValidate");
  host_advance(&host, 59000);
  CHECK(OUTCOME(&host) == NULL);
  host_advance(&host, 2000);
  CHECK(OUTCOME(&host) != NULL);
  CHECK_TEXT(host_session_state(&host), "error");
  host_close(&host);

  host_init(&host);
  host.answers[HCO_HOOK_BEFORE_VALIDATE - HCO_HOOK_CHECKPOINT] = NULL;
  host_start(&host, "\"hookTimeoutMs\":5000");
  host_create(&host, NULL, NULL);
  host_pump(&host);
  host_pay(&host);
  host_advance(&host, 4000);
  CHECK(OUTCOME(&host) == NULL);
  host_advance(&host, 2000);
  CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "code"), "ON_BEFORE_VALIDATE_HOOK_FAILED");
  CHECK_TEXT(host_session_state(&host), "ready");
  CHECK_NUMBER(host.backend.validates, 0);
}

/* A string that looks like a card number is no vault token. */
static void c6_card_numbers_are_refused(void) {
  static const char *const numbers[] = {
      "4970101234567890", "4970 1012 3456 7890", "4970-1012-3456-7890", "497010123456"};
  host host;
  char *reply = NULL;
  uint64_t ticket = pay_until(&host, HCO_HOOK_STEP, "step");
  for (int index = 0; index < 4; index++) {
    context("%s", numbers[index]);
    char *answer = format("{\"ok\":{\"vault_form_token\":\"%s\"}}", numbers[index]);
    hco_status status = hco_answer(host.checkout, ticket, answer, &reply);
    CHECK(reply != NULL && strstr(reply, numbers[index]) == NULL);
    ERROR(status, reply, HCO_INVALID_ARGUMENT, NULL);
  }
  RESULT(hco_answer(host.checkout, ticket, hooks[1].ok, &reply), reply);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
}

/* The http hook's tickets answer by a function of their own. */
static void c6_http_answers(void) {
  static const char *const wrong[] = {
      "",
      "{",
      "{}",
      "[]",
      "{\"ok\":{}}",
      "{\"ok\":{\"status\":\"200\"}}",
      "{\"ok\":{\"status\":200.5,\"headers\":{}}}",
      "{\"ok\":{\"status\":99,\"headers\":{}}}",
      "{\"ok\":{\"status\":1000,\"headers\":{}}}",
      "{\"ok\":{\"status\":-1,\"headers\":{}}}",
      "{\"ok\":{\"status\":200,\"headers\":[]}}",
      "{\"ok\":{\"status\":200,\"headers\":{\"date\":1}}}",
      "{\"ok\":{\"status\":200,\"headers\":{},\"odd\":1}}",
      "{\"error\":{\"message\":\"x\"},\"left\":\"no\"}",
      "{\"error\":\"x\"}",
      "{\"canceled\":true}",
      "{\"unset\":true}",
      "{\"ok\":{\"status\":200,\"headers\":{}},\"left\":false}",
      "{\"ok\":{\"status\":200,\"headers\":{}},\"ok\":{}}",
  };
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  uint64_t ticket = host.backend.held_validate;
  for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    context("%s", wrong[index]);
    ERROR(
        hco_runtime_answer_http(host.runtime, ticket, wrong[index], "x", 1, &reply), reply, HCO_INVALID_ARGUMENT,
        "INVALID_ARGUMENT");
  }
  context("%s", "");
  ERROR(hco_answer(host.checkout, ticket, "{\"ok\":{}}", &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  host_pump(&host);
  CHECK(OUTCOME(&host) == NULL);
  host.backend.way = ANSWERED;
  RESULT(backend_answer_validate(&host.backend, &reply), reply);
  ERROR(backend_answer_validate(&host.backend, &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK_NUMBER(count_of(host.events, "outcome"), 1);
}

// seed: 001:3
static void c6_hooks_that_are_not_set_are_not_asked(void) {
  host host;
  char *reply = NULL;
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, NULL, &(creation){.hooks = "[]"});
  host_pump(&host);
  host_pay(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK_NUMBER(count_of(host.questions, "step"), 1);
  CHECK_NUMBER(
      count_of(host.questions, "checkpoint") + count_of(host.questions, "beforeValidate") +
          count_of(host.questions, "afterValidate") + count_of(host.questions, "redirection"),
      0);
  host_close(&host);

  context("hco_set_hooks");
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, NULL, &(creation){.hooks = "[]"});
  host_pump(&host);
  RESULT(hco_set_hooks(host.checkout, "{\"hooks\":[\"beforeValidate\"]}", &reply), reply);
  ERROR(hco_set_hooks(host.checkout, "{\"hooks\":[\"beforeLunch\"]}", &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  ERROR(hco_set_hooks(host.checkout, "{\"hooks\":[\"http\"]}", &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  host_pay(&host);
  CHECK_NUMBER(count_of(host.questions, "beforeValidate"), 1);
  CHECK_NUMBER(count_of(host.questions, "afterValidate"), 0);
  host_close(&host);
}

// seed: 001:19b
static void c6_skip_on_before_validate(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host_choose_card(&host);
  RESULT(hco_submit(host.checkout, "{\"skipOnBeforeValidate\":true}", &reply), reply);
  host_pump(&host);
  CHECK_NUMBER(count_of(host.questions, "beforeValidate"), 0);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(c6_no_answer_is_no_consent),
      TEST(c6_malformed_answers_leave_the_ticket_open),
      TEST(c6_an_answer_counts_once),
      TEST(c6_foreign_tickets),
      TEST(c6_what_answers_mean),
      TEST(c6_closed_by_the_library),
      TEST(c6_deadlines),
      TEST(c6_card_numbers_are_refused),
      TEST(c6_http_answers),
      TEST(c6_hooks_that_are_not_set_are_not_asked),
      TEST(c6_skip_on_before_validate),
  };
  return RUN_TESTS("tickets", tests);
}
