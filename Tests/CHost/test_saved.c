/* Saved state, restore, the register of sessions, and set_session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static char *save(host *host) {
  char *snapshot = NULL;
  REQUIRE(hco_save_state(host->checkout, &snapshot) == HCO_OK);
  json_decref(seen(snapshot));
  return snapshot;
}

/* Another process: a runtime of its own, a checkout from the snapshot. */
static json_t *restore_with(host *host, const char *snapshot, const creation *creation) {
  char *reply = NULL;
  host_init(host);
  host_start(host, NULL);
  hco_callbacks callbacks = host_callbacks(host);
  hco_status status = hco_restore(host->runtime, snapshot, restore_text(creation), &callbacks, &host->checkout, &reply);
  json_t *result = RESULT(status, reply);
  REQUIRE(status == HCO_OK);
  host_pump(host);
  return result;
}

static json_t *restore(host *host, const char *snapshot) { return restore_with(host, snapshot, NULL); }

static json_t *without_counters(const char *snapshot) {
  json_t *document = json_loads(snapshot, 0, NULL);
  json_object_del(document, "savedAt");
  json_object_del(document, "revision");
  return document;
}

// seed: 001:3
// seed: 002:58
// seed: 000:36
// seed: 000:68a
static void saved_restored_and_saved_again(void) {
  host host, other;
  char *reply = NULL;
  host_open(&host);
  char *token = host_read_card(&host, "illicado-giftcard", "6000000100005000");
  RESULT(hco_apply_secondary(host.checkout, format("{\"token\":\"%s\",\"amount\":2500}", token), &reply), reply);
  RESULT(hco_set_primary(host.checkout, "{\"item\":\"hipay-bancontact\"}", &reply), reply);
  char *first = save(&host), *second = save(&host);
  json_t *one = json_loads(first, 0, NULL), *two = json_loads(second, 0, NULL);
  CHECK(number_of(two, "revision") > number_of(one, "revision"));
  CHECK(json_equal(without_counters(first), without_counters(second)));
  CHECK(json_is_false(json_object_get(one, "marked")));
  json_t *reply_of_restore = restore(&other, second);
  CHECK(json_is_null(json_object_get(reply_of_restore, "pendingAttempt")));
  CHECK(json_is_array(json_object_get(reply_of_restore, "skipped")));
  CHECK_TEXT(text_of(json_object_get(reply_of_restore, "primary"), "item"), "hipay-bancontact");
  CHECK_NUMBER(number_of(reply_of_restore, "remainingAmountToPay"), 9500);
  char *third = save(&other);
  char *a = json_dumps(without_counters(second), JSON_SORT_KEYS),
       *b = json_dumps(without_counters(third), JSON_SORT_KEYS);
  CHECK_TEXT(b, a);
  long long attempt = host_submit(&other);
  CHECK_NUMBER(attempt, 1);
  host_pump(&other);
  CHECK_TEXT(text_of(OUTCOME(&other), "kind"), "completed");
}

/* A card number or PIN is in no snapshot, event, question or state. */
static void numbers_are_nowhere(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  char *request = format("{\"item\":\"buybox-giftcard\",\"number\":\"6000 0077-0000 9123\",\"cvv\":\"7391\"}");
  RESULT(hco_read_secondary(host.checkout, request, &reply), reply);
  host_pump(&host);
  const char *token =
      text_of(json_object_get(json_object_get(last_of(host.events, "result"), "result"), "token"), "id");
  RESULT(hco_apply_secondary(host.checkout, format("{\"token\":\"%s\",\"amount\":2500}", token), &reply), reply);
  host_pay(&host);
  CHECK(strstr(text_of(host.backend.last_validate, "body"), "6000007700009123") != NULL);
  size_t index;
  json_t *question;
  json_array_foreach(host.questions, index, question) {
    if (strcmp(text_of(question, "type"), "http") == 0) continue;
    char *text = json_dumps(question, 0);
    CHECK(strstr(text, "7700009123") == NULL && strstr(text, "7391") == NULL);
  }
  char *texts[] = {json_dumps(host.events, 0), host_state(&host), save(&host)};
  for (int which = 0; which < 3; which++) {
    CHECK(strstr(texts[which], "7700009123") == NULL && strstr(texts[which], "7391") == NULL);
  }
}

/* Killed at any moment of a payment: whatever the stored checkpoint says, it is not paid twice by accident. */
// seed: 000:72a
static void killed_at_every_checkpoint(void) {
  host host;
  host_open(&host);
  size_t start = json_array_size(host.questions);
  host_pay(&host);
  for (size_t index = start; index < json_array_size(host.questions); index++) {
    struct host other;
    const json_t *question = json_array_get(host.questions, index);
    if (strcmp(text_of(question, "type"), "checkpoint") != 0) continue;
    const char *reason = text_of(question, "reason");
    context("killed after the checkpoint %s", reason);
    json_t *reply = restore(&other, text_of(question, "snapshot"));
    char *refusal = NULL;
    CHECK_TEXT(text_of(reply, "sessionState"), "submitted");
    json_t *pending = json_object_get(reply, "pendingAttempt");
    if (strcmp(reason, "beforeSend") == 0) {
      CHECK_NUMBER(number_of(pending, "attempt"), 1);
      CHECK_TEXT(text_of(pending, "moved"), "unknown");
      CHECK(json_is_true(json_object_get(reply, "outcomeUnknown")));
    } else if (strcmp(reason, "answered") == 0) {
      CHECK_TEXT(text_of(pending, "moved"), "yes");
    } else {
      CHECK(json_is_null(pending));
    }
    ERROR(hco_submit(other.checkout, NULL, &refusal), refusal, HCO_REFUSED, "SUBMIT_BLOCKED");
    host_pump(&other);
    CHECK_NUMBER(other.backend.validates, 0);
    host_close(&other);
  }
}

static void restored_unanswered_submit_is_resolved(void) {
  static const struct {
    const char *verdict, *kind, *moved, *state;
  } table[] = {
      {"paid", "completed", "", "submitted"},
      {"declined", "completed", "", "submitted"},
      {"notCreated", "failed", "no", "ready"},
      {"abandoned", "failed", "unknown", "submitted"}};
  host host;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  char *snapshot = save(&host);
  CHECK(json_is_true(json_object_get(json_loads(snapshot, 0, NULL), "marked")));
  for (int index = 0; index < 4; index++) {
    struct host other;
    char *reply = NULL;
    context("%s", table[index].verdict);
    json_t *restored = restore(&other, snapshot);
    CHECK(json_is_true(json_object_get(restored, "outcomeUnknown")));
    CHECK_NUMBER(json_array_size(json_object_get(restored, "amountSplit")), 1);
    CHECK(OUTCOME(&other) == NULL);
    RESULT(
        hco_resolve(other.checkout, format("{\"attempt\":1,\"verdict\":\"%s\"}", table[index].verdict), &reply), reply);
    host_pump(&other);
    const json_t *outcome = OUTCOME(&other);
    CHECK_TEXT(text_of(outcome, "kind"), table[index].kind);
    CHECK_NUMBER(number_of(outcome, "attempt"), 1);
    CHECK(json_is_true(json_object_get(outcome, "resolved")));
    CHECK_TEXT(text_of(json_object_get(outcome, "error"), "moved"), table[index].moved);
    CHECK_TEXT(host_session_state(&other), table[index].state);
    CHECK_NUMBER(count_of(other.events, "outcome"), 1);
    if (strcmp(table[index].state, "ready") == 0) {
      host_choose_card(&other);
      CHECK_NUMBER(host_submit(&other), 2);
      host_pump(&other);
      CHECK_NUMBER(other.backend.validates, 1);
    }
    host_close(&other);
  }
}

/* A redirect that was open survives a restart; a return with no URL does, too. */
// seed: 000:72b
// seed: 000:80
static void restored_redirect(void) {
  host host;
  host_open(&host);
  host.backend.redirect_url = "https://bank.example/3ds";
  host.backend.global_status = "WAITING";
  host_pay(&host);
  const char *presentation = text_of(last_of(host.events, "redirect"), "presentation");
  REQUIRE(presentation[0] != '\0');
  char *snapshot = save(&host);
  struct host other;
  char *reply = NULL;
  json_t *restored = restore(&other, snapshot);
  CHECK_TEXT(text_of(restored, "sessionState"), "submitted");
  CHECK_NUMBER(number_of(json_object_get(restored, "pendingAttempt"), "attempt"), 1);
  char *wrong = format("{\"presentation\":\"%s\",\"url\":\"https://evil.example/\"}", presentation);
  ERROR(hco_redirect_report(other.checkout, wrong, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  char *report = format("{\"presentation\":\"%s\",\"url\":\"test-shop://return?a=b\"}", presentation);
  RESULT(hco_redirect_report(other.checkout, report, &reply), reply);
  RESULT(hco_element_open(other.checkout, "{\"item\":\"purse-creditcard\",\"redirect\":\"host\"}", &reply), reply);
  host_pump(&other);
  CHECK_TEXT(text_of(OUTCOME(&other), "kind"), "returnedFromRedirect");
  CHECK_TEXT(text_of(OUTCOME(&other), "url"), "test-shop://return?a=b");
  CHECK_NUMBER(count_of(other.events, "outcome"), 1);
}

static void expired_snapshots_are_restored(void) {
  host host, other;
  host_open(&host);
  char *snapshot = save(&host);
  char *reply = NULL;
  host_init(&other);
  host_start(&other, NULL);
  RESULT(hco_runtime_notify(other.runtime, "{\"advanceMs\":2000000}", &reply), reply);
  other.backend.ahead = 2000;
  hco_callbacks callbacks = host_callbacks(&other);
  hco_status status = hco_restore(other.runtime, snapshot, restore_text(NULL), &callbacks, &other.checkout, &reply);
  RESULT(status, reply);
  host_pump(&other);
  CHECK_TEXT(host_session_state(&other), "expired");
}

/* Restores in a child, so that each text that crashes is known. The child's own checks count, too. */
static void restore_broken(const char *text, bool is_about_money) {
  int state = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    host other;
    char *reply = NULL;
    hco_checkout *checkout = (void *)&checkout;
    int before = failures();
    host_init(&other);
    host_start(&other, NULL);
    other.may_release_outside = true;
    hco_callbacks callbacks = host_callbacks(&other);
    hco_status status = hco_restore(other.runtime, text, restore_text(NULL), &callbacks, &checkout, &reply);
    if (status == HCO_OK) {
      json_t *restored = taken(reply);
      CHECK(!is_about_money || strcmp(text_of(restored, "sessionState"), "ready") != 0);
      hco_free(host_state(&(host){.checkout = checkout}));
      host_pump(&other);
      hco_submit(checkout, NULL, NULL);
      host_pump(&other);
      hco_release(checkout);
      host_pump(&other);
    } else {
      CHECK(checkout == NULL);
      json_t *error = ERROR(status, reply, HCO_REFUSED, NULL);
      const char *code = text_of(error, "code");
      CHECK(strcmp(code, "SESSION_MALFORMED") == 0 || strcmp(code, "ENVIRONMENT_MISMATCH") == 0);
    }
    CHECK_NUMBER(other.checkout_released, 1);
    fflush(stdout);
    _exit(failures() == before ? 0 : 1);
  }
  CHECK(waitpid(child, &state, 0) == child && state == 0);
}

static void break_members(json_t *whole, json_t *part, const char *name, bool is_about_money) {
  static const char *const strange[] = {
      "null", "true", "-1",        "0",     "9223372036854775807", "-9223372036854775808", "\"\"", "\"x\"", "[]", "{}",
      "[1]",  "[{}]", "{\"a\":1}", "[null]"};
  void *next;
  for (void *at = json_object_iter(part); at != NULL; at = next) {
    const char *key = json_object_iter_key(at);
    json_t *value = json_deep_copy(json_object_iter_value(at));
    next = json_object_iter_next(part, at);
    for (size_t index = 0; index < sizeof strange / sizeof *strange; index++) {
      json_object_set_new(part, key, json_loads(strange[index], JSON_DECODE_ANY, NULL));
      context("%s%s: %s", name, key, strange[index]);
      bool is_money = is_about_money || strcmp(key, "ledger") == 0;
      restore_broken(json_dumps(whole, 0), is_money);
    }
    json_object_set_new(part, key, value);
  }
}

/* Edited by hand: refused, or harmless. Never a crash, and never a payment in flight turned into a payable session. */
static void broken_snapshots(void) {
  host host;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  char *snapshot = save(&host);
  json_t *whole = json_loads(snapshot, 0, NULL);
  break_members(whole, whole, "", false);
  static const char *const inside[] = {"ledger", "next", "attempt", "primary"};
  for (int which = 0; which < 4; which++) {
    json_t *part = json_object_get(whole, inside[which]);
    if (json_is_object(part)) break_members(whole, part, format("%s.", inside[which]), which == 0);
  }
}

/* Edited by hand: what goes into a header begins no other header, and no name stands for two cards. */
static void edited_snapshots_are_refused(void) {
  static const char *const edits[] = {
      "{\"ledger\":{\"mark\":\"clear\",\"key\":\"a\\r\\nX: y\",\"repeats\":true,\"attempt\":1}}",
      "{\"ledger\":{\"mark\":\"clear\",\"key\":\"\",\"repeats\":true,\"attempt\":1}}",
      "{\"leftSessions\":[{\"session\":\"s\",\"mark\":\"clear\",\"key\":\"a b\",\"repeats\":true,\"attempt\":1}]}",
      "{\"wallet\":{\"session\":{\"id\":\"w\\nX: y\",\"owner\":\"o\",\"merchant\":\"m\"},\"deleted\":[]}}",
      "{\"wallet\":{\"session\":{\"id\":\"w\",\"owner\":\"o\",\"merchant\":\"m\\r\\nX: y\"},\"deleted\":[]}}",
      "{\"giftCards\":[{\"id\":\"gc1\",\"item\":\"illicado-giftcard\",\"mask\":\"****\",\"balance\":10,\"init\":{\"id\":\"i\"}},"
      "{\"id\":\"gc1\",\"item\":\"illicado-giftcard\",\"mask\":\"****\",\"balance\":20,\"init\":{\"id\":\"j\"}}]}",
  };
  host host;
  host_open(&host);
  json_t *whole = json_loads(save(&host), 0, NULL);
  for (size_t index = 0; index < sizeof edits / sizeof *edits; index++) {
    hco_checkout *checkout = NULL;
    char *reply = NULL;
    json_t *edited = json_deep_copy(whole);
    context("%s", edits[index]);
    REQUIRE(json_object_update(edited, json_loads(edits[index], 0, NULL)) == 0);
    ERROR(
        hco_restore(host.runtime, json_dumps(edited, 0), restore_text(NULL), NULL, &checkout, &reply), reply,
        HCO_REFUSED, "SESSION_MALFORMED");
    CHECK(checkout == NULL);
  }
}

/* A gift card that an edited snapshot calls the primary would pay the remainder without its balance being asked. */
static void an_edited_primary_is_left_out(void) {
  host host, other;
  host_open(&host);
  json_t *whole = json_loads(save(&host), 0, NULL);
  json_object_set_new(whole, "primary", json_pack("{s:s}", "item", "illicado-giftcard"));
  json_t *state = restore(&other, json_dumps(whole, 0));
  CHECK(json_is_null(json_object_get(state, "primary")));
  CHECK_TEXT(text_of(json_array_get(json_object_get(state, "skipped"), 0), "item"), "illicado-giftcard");
  char *reply = NULL;
  ERROR(hco_submit(other.checkout, NULL, &reply), reply, HCO_REFUSED, "PAYMENT_NOT_FULFILLED_ON_SUBMIT");
  CHECK_NUMBER(other.backend.validates, 0);
}

static void snapshots_without_a_member(void) {
  host host;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  json_t *whole = json_loads(save(&host), 0, NULL);
  const char *key;
  json_t *value;
  json_object_foreach(whole, key, value) {
    json_t *broken = json_copy(whole);
    json_object_del(broken, key);
    context("without %s", key);
    restore_broken(json_dumps(broken, 0), true);
  }
}

static void snapshots_that_are_cut_off(void) {
  host host;
  host_open(&host);
  char *snapshot = save(&host);
  size_t length = strlen(snapshot);
  for (size_t end = 0; end < length; end += 1 + length / 400) {
    hco_checkout *checkout = NULL;
    char *reply = NULL, *text = format("%.*s", (int)end, snapshot);
    context("cut off at %zu", end);
    ERROR(
        hco_restore(host.runtime, text, restore_text(NULL), NULL, &checkout, &reply), reply, HCO_REFUSED,
        "SESSION_MALFORMED");
  }
}

/* `depth` arrays in each other around a text of `length`. */
static char *nested(int depth, size_t length) {
  char *text = malloc(2 * (size_t)depth + length + 3), *end = text;
  for (int level = 0; level < depth; level++) *end++ = '[';
  *end++ = '"';
  memset(end, 'a', length);
  end += length;
  *end++ = '"';
  for (int level = 0; level < depth; level++) *end++ = ']';
  *end = '\0';
  return text;
}

/* Pays by a collect step that is answered so; the checkpoint must come back. False when the answer is refused. */
static bool collected_comes_back(int depth, size_t length) {
  host host, other;
  char *reply = NULL;
  const char *form = "\"vault_form_token\":\"tok_success_00000000000000000000\"";
  char *answer = format("{\"ok\":{%s,\"more\":%s}}", form, nested(depth, length));
  context("depth %d, length %zu", depth, length);
  host_open(&host);
  host.step_answers[0] = NULL;
  host.backend.way = HELD;
  host_pay(&host);
  uint64_t ticket = (uint64_t)number_of(last_of(host.questions, "step"), "ticket");
  hco_status status = hco_answer(host.checkout, ticket, answer, &reply);
  if (status != HCO_OK) {
    ERROR(status, reply, HCO_INVALID_ARGUMENT, NULL);
    return false;
  }
  host_pump(&host);
  CHECK_NUMBER(host.backend.validates, 1);
  json_t *state = restore(&other, text_of(last_of(host.questions, "checkpoint"), "snapshot"));
  CHECK(json_is_object(json_object_get(state, "pendingAttempt")));
  host_close(&other);
  host_close(&host);
  return true;
}

/* The same of what a partner's button approved. */
static bool approved_comes_back(int depth, size_t length) {
  host host, other;
  char *reply = NULL;
  const creation can_prepare = {.capabilities = "[{\"item\":\"adyen-applepay\",\"steps\":[\"prepare\"]}]"};
  const session with_widget = {
      .protocols = "{\"adyen\":{\"applepay\":{\"configurations\":{\"stable\":true,\"template\":\"hosted-fields\","
                   "\"labels\":[\"primary\"],\"position\":1,\"settings\":{}},\"integrated_tokens\":[]}}}"};
  char *report = format(
      "{\"element\":\"adyen-applepay\",\"report\":\"approved\",\"payment_data\":{\"more\":%s}}",
      nested(depth, length));
  context("approved, depth %d, length %zu", depth, length);
  host_init(&host);
  host_start(&host, NULL);
  host.backend.balance = "50"; /* also what the partner's data say: they are told as they came */
  host_create(&host, &with_widget, &can_prepare);
  RESULT(hco_element_open(host.checkout, "{\"item\":\"adyen-applepay\"}", &reply), reply);
  host_pump(&host);
  host.backend.way = HELD;
  hco_status status = hco_element_report(host.checkout, report, &reply);
  if (status != HCO_OK) {
    ERROR(status, reply, HCO_INVALID_ARGUMENT, NULL);
    return false;
  }
  host_pump(&host);
  CHECK_NUMBER(host.backend.validates, 1);
  json_t *state = restore_with(&other, text_of(last_of(host.questions, "checkpoint"), "snapshot"), &can_prepare);
  CHECK(json_is_object(json_object_get(state, "pendingAttempt")));
  host_close(&other);
  host_close(&host);
  return true;
}

/* Whatever is accepted stands in a checkpoint that can be restored: a till that could not would pay again. */
static void what_was_collected_comes_back(void) {
  static bool (*const comes_back[])(int, size_t) = {collected_comes_back, approved_comes_back};
  for (int which = 0; which < 2; which++) {
    int depth = 56;
    while (depth < 70 && comes_back[which](depth, 1)) depth += 1;
    CHECK(depth > 58 && depth < 70);
    const size_t most = 4 << 20;
    CHECK(comes_back[which](1, most - 1000));
    CHECK(comes_back[which](1, most - 130));
    CHECK(!comes_back[which](1, most));
  }
}

static void session_of_another_environment_is_not_restored(void) {
  host host;
  char *reply = NULL;
  session none = {0};
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, &none, &(creation){.more = "\"lockedEnvironment\":\"sandbox\""});
  host_pump(&host);
  json_t *snapshot = json_loads(save(&host), 0, NULL);
  session production = {.environment = "production"};
  json_object_set_new(snapshot, "widgetData", json_string(widget_data(&production)));
  hco_checkout *checkout = NULL;
  ERROR(
      hco_restore(host.runtime, json_dumps(snapshot, 0), restore_text(NULL), NULL, &checkout, &reply), reply,
      HCO_REFUSED, "ENVIRONMENT_MISMATCH");
}

/* ------------------------------------------------------------------------------------------------ sealed gift cards */

#define NUMBER "6000000177009123"
#define CODE "7391"
#define KEY "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define OTHER_KEY "AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define EASY2PLAY                                                                                           \
  "{\"easy2play\":{\"giftcard\":{\"configurations\":{\"stable\":true,\"template\":\"giftcard\",\"labels\":[" \
  "\"secondary\"],\"position\":5,\"settings\":{}},\"integrated_tokens\":[]}},"

static const creation with_key = {.more = "\"sealKey\":\"" KEY "\""};
static const creation with_other_key = {.more = "\"sealKey\":\"" OTHER_KEY "\""};
static const creation without_key = {.more = NULL};

/* A card whose payment needs its number is in the split, and another of the same issuer is read. */
static void open_with_card(host *host, const creation *creation) {
  char *reply = NULL;
  session easy2play = {.protocols = format("%s%s", EASY2PLAY, default_protocols + 1)};
  host_init(host);
  host_start(host, NULL);
  host_create(host, &easy2play, creation);
  const char *numbers[] = {NUMBER, "6000000277001111"};
  for (int index = 0; index < 2; index++) {
    char *request = format(
        "{\"item\":\"easy2play-giftcard\",\"number\":\"%s\",\"cvv\":\"" CODE "\"}", numbers[index]);
    RESULT(hco_read_secondary(host->checkout, request, &reply), reply);
    host_pump(host);
  }
  RESULT(hco_apply_secondary(host->checkout, "{\"token\":\"gc1\",\"amount\":2500}", &reply), reply);
}

static json_t *card_of(const json_t *snapshot, size_t index) {
  return json_array_get(json_object_get(snapshot, "giftCards"), index);
}

/* Neither the number nor the code nor the key, as they are or in Base64. */
static void check_silence(const char *text) {
  static const char *const never[] = {
      "77009123", "77001111", "\"" CODE, "AAECAwQF",
      /* the number's Base64, at each of the three places in a group */
      "NjAwMDAwMDE3NzAwOTEy", "MDAwMDAxNzcwMDkxMj", "MDAwMDAwMTc3MDA5MTIz"};
  for (size_t index = 0; index < sizeof never / sizeof *never; index++) CHECK(strstr(text, never[index]) == NULL);
}

static void sealed_card_pays_after_a_restart(void) {
  host host, other, third;
  open_with_card(&host, &with_key);
  char *first = save(&host), *second = save(&host);
  const json_t *one = json_loads(first, 0, NULL), *two = json_loads(second, 0, NULL);
  CHECK_NUMBER(strlen(text_of(card_of(one, 0), "sealed")), 140);
  CHECK(json_equal(json_object_get(one, "giftCards"), json_object_get(two, "giftCards")));
  CHECK(strcmp(text_of(card_of(one, 0), "sealed"), text_of(card_of(one, 1), "sealed")) != 0);
  json_t *reply = restore_with(&other, second, &with_key);
  CHECK_NUMBER(json_array_size(json_object_get(reply, "skipped")), 0);
  CHECK_NUMBER(number_of(reply, "remainingAmountToPay"), 9500);
  char *saved_again = save(&other);
  CHECK(json_equal(without_counters(second), without_counters(saved_again)));
  context("restored twice");
  restore_with(&third, saved_again, &with_key);
  host_choose_card(&third);
  host_submit(&third);
  host_pump(&third);
  const char *body = text_of(third.backend.last_validate, "body");
  CHECK(strstr(body, "\"card\":{\"number\":\"" NUMBER "\",\"csc\":\"" CODE "\"}") != NULL);
  CHECK(strstr(body, "\"step_id\":1") != NULL);
  CHECK_TEXT(text_of(OUTCOME(&third), "kind"), "completed");
  context("what was said");
  char *texts[] = {first, second, saved_again, save(&third), json_dumps(host.events, 0), json_dumps(third.events, 0),
                   host_state(&host), host_state(&third), json_dumps(reply, 0)};
  for (size_t index = 0; index < sizeof texts / sizeof *texts; index++) check_silence(texts[index]);
  size_t index;
  json_t *question;
  json_array_foreach(third.questions, index, question) {
    if (strcmp(text_of(question, "type"), "http") != 0) check_silence(json_dumps(question, 0));
  }
  CHECK(json_array_size(json_object_get(json_loads(texts[3], 0, NULL), "giftCards")) == 2);
  host_close(&host);
  host_close(&other);
  host_close(&third);
}

static void read_again_is_known_after_a_restart(void) {
  host host, other;
  char *reply = NULL;
  open_with_card(&host, &with_key);
  restore_with(&other, save(&host), &with_key);
  char *request = "{\"item\":\"easy2play-giftcard\",\"number\":\"" NUMBER "\",\"cvv\":\"" CODE "\"}";
  ERROR(hco_read_secondary(other.checkout, request, &reply), reply, HCO_REFUSED, "TOKEN_ALREADY_EXISTS");
}

/* How a restore ends for the first card: its reason, or "" when it is back. */
static void check_restore(const char *what, const char *snapshot, const creation *creation, const char *reason) {
  host other;
  context("%s", what);
  json_t *reply = restore_with(&other, snapshot, creation);
  json_t *skipped = json_array_get(json_object_get(reply, "skipped"), 0);
  CHECK_TEXT(text_of(skipped, "item"), reason[0] == '\0' ? "" : "gc1");
  CHECK_TEXT(text_of(skipped, "reason"), reason);
  CHECK_NUMBER(number_of(reply, "remainingAmountToPay"), reason[0] == '\0' ? 9500 : 12000);
  host_close(&other);
}

static void cards_that_do_not_open_are_dropped(void) {
  host host, plain;
  open_with_card(&host, &with_key);
  open_with_card(&plain, &without_key);
  char *snapshot = save(&host), *unsealed = save(&plain);
  check_restore("the key", snapshot, &with_key, "");
  check_restore("no key", snapshot, &without_key, "needsNumber");
  check_restore("another key", snapshot, &with_other_key, "cannotBeOpened");
  check_restore("never sealed", unsealed, &with_key, "needsNumber");
  const char *sealed = text_of(card_of(json_loads(snapshot, 0, NULL), 0), "sealed");
  for (size_t at = 0; at < strlen(sealed); at += 13) {
    json_t *edited = json_loads(snapshot, 0, NULL);
    char *text = format("%s", sealed);
    text[at] = text[at] == 'A' ? 'B' : 'A';
    json_object_set_new(card_of(edited, 0), "sealed", json_string(text));
    check_restore(format("edited at %zu", at), json_dumps(edited, 0), &with_key, "cannotBeOpened");
  }
  const char *const strange[] = {"", "x", "AAAA", "\xc3\xa9"};
  for (int index = 0; index < 4; index++) {
    json_t *edited = json_loads(snapshot, 0, NULL);
    json_object_set_new(card_of(edited, 0), "sealed", json_string(strange[index]));
    check_restore(format("'%s'", strange[index]), json_dumps(edited, 0), &with_key, "cannotBeOpened");
  }
  json_t *swapped = json_loads(snapshot, 0, NULL);
  json_object_set(card_of(swapped, 0), "sealed", json_object_get(card_of(swapped, 1), "sealed"));
  check_restore("the other card's", json_dumps(swapped, 0), &with_key, "cannotBeOpened");
  json_t *masked = json_loads(snapshot, 0, NULL);
  json_object_set_new(card_of(masked, 0), "mask", json_string("**** 1111"));
  check_restore("another mask", json_dumps(masked, 0), &with_key, "cannotBeOpened");
  json_t *moved = json_loads(snapshot, 0, NULL);
  session another = {.protocols = format("%s%s", EASY2PLAY, default_protocols + 1)};
  json_object_set_new(moved, "widgetData", json_string(widget_data(&another)));
  check_restore("another session", json_dumps(moved, 0), &with_key, "cannotBeOpened");
  json_t *number = json_loads(snapshot, 0, NULL);
  json_object_set_new(card_of(number, 0), "sealed", json_integer(1));
  host_start(&plain, NULL);
  hco_checkout *checkout = NULL;
  char *reply = NULL;
  ERROR(
      hco_restore(plain.runtime, json_dumps(number, 0), restore_text(&with_key), NULL, &checkout, &reply), reply,
      HCO_REFUSED, "SESSION_MALFORMED");
}

static void seal_keys_are_read_strictly(void) {
  static const char *const wrong[] = {
      "\"\"", "\"AAECAwQF\"", "1", "true", "{}", "[]", "\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gIQ==\"",
      "\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=\"", "\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==\""};
  host host;
  char *reply = NULL;
  session none = {0};
  hco_checkout *checkout = NULL;
  host_open(&host);
  char *snapshot = save(&host);
  for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    creation creation = {.more = format("\"sealKey\":%s", wrong[index])};
    context("%s", wrong[index]);
    hco_status status = hco_create(host.runtime, create_text(widget_data(&none), &creation), NULL, &checkout, &reply);
    if (reply != NULL) check_silence(reply);
    json_t *error = ERROR(status, reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    CHECK_TEXT(text_of(error, "path"), "sealKey");
    status = hco_restore(host.runtime, snapshot, restore_text(&creation), NULL, &checkout, &reply);
    if (reply != NULL) check_silence(reply);
    ERROR(status, reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
  }
}

/* Nothing is told of the key or the number when the restore fails, and the number of the checkout that lives stays. */
static void failed_restores_with_a_key(void) {
  host host;
  char *reply = NULL;
  hco_checkout *checkout = NULL;
  open_with_card(&host, &with_key);
  char *snapshot = save(&host);
  host.backend.way = HELD;
  host_pay(&host);
  for (int round = 0; round < 3; round++) {
    hco_status status = hco_restore(host.runtime, snapshot, restore_text(&with_key), NULL, &checkout, &reply);
    CHECK(checkout == NULL);
    check_silence(reply);
    ERROR(status, reply, HCO_REFUSED, "SUBMIT_BLOCKED");
  }
  json_t *broken = json_loads(snapshot, 0, NULL);
  json_object_set_new(broken, "widgetData", json_string("@@@"));
  char *text = json_dumps(broken, 0);
  hco_status status = hco_restore(host.runtime, text, restore_text(&with_key), NULL, &checkout, &reply);
  check_silence(reply);
  ERROR(status, reply, HCO_REFUSED, "SESSION_MALFORMED");
  host.backend.way = FAILED_NOT_LEFT;
  RESULT(backend_answer_validate(&host.backend, &reply), reply);
  host_pump(&host);
  host.backend.way = ANSWERED;
  host_submit(&host);
  host_pump(&host);
  CHECK_NUMBER(host.backend.validates, 2);
  CHECK(strstr(text_of(host.backend.last_validate, "body"), NUMBER) != NULL);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  host_close(&host);
}

/* ----------------------------------------------------------------------------------------------------- the register */

static void a_session_is_paid_once_in_a_runtime(void) {
  static const way ways[] = {HELD, ANSWERED, FAILED_LEFT};
  for (int index = 0; index < 3; index++) {
    host host;
    session one = {.id = "11111111-0000-4000-8000-000000000001"};
    char *data = widget_data(&one), *reply = NULL;
    hco_checkout *second = NULL;
    context("way %d", (int)ways[index]);
    host_init(&host);
    host_start(&host, NULL);
    host_create(&host, &one, NULL);
    host_pump(&host);
    host.backend.way = ways[index];
    host_pay(&host);
    ERROR(
        hco_create(host.runtime, create_text(data, NULL), NULL, &second, &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
    CHECK(second == NULL);
    session other = {0};
    hco_callbacks callbacks = host_callbacks(&host);
    RESULT(hco_create(host.runtime, create_text(widget_data(&other), NULL), &callbacks, &second, &reply), reply);
    ERROR(
        hco_set_session(second, format("{\"widgetData\":\"%s\"}", data), &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
    hco_release(second);
    host_pump(&host);
    CHECK_NUMBER(host.checkout_released, 1);
  }
}

/* Both were made while it was payable: only one of them pays. */
// seed: 000:5a
static void two_checkouts_of_one_session(void) {
  static const way ways[] = {HELD, ANSWERED, FAILED_LEFT};
  for (int index = 0; index < 3; index++) {
    host host;
    session one = {.id = "11111111-0000-4000-8000-000000000002"};
    char *reply = NULL;
    context("way %d", (int)ways[index]);
    host_init(&host);
    host_start(&host, NULL);
    host_create(&host, &one, NULL);
    hco_checkout *first = host.checkout;
    host_create(&host, &one, NULL);
    host_choose_card(&host);
    hco_checkout *second = host.checkout;
    host.checkout = first;
    host.backend.way = ways[index];
    host_pay(&host);
    CHECK_NUMBER(host.backend.validates, 1);
    ERROR(hco_submit(second, NULL, &reply), reply, HCO_REFUSED, "SUBMIT_BLOCKED");
    host_pump(&host);
    CHECK_NUMBER(host.backend.validates, 1);
  }
}

/* ------------------------------------------------------------------------------------------------------ set_session */

// seed: 002:5d
// seed: 002:59
// seed: 000:32a
// seed: 000:32b
// seed: 000:32d
static void set_session_rules(void) {
  host host;
  char *reply = NULL;
  session same = {.id = "11111111-0000-4000-8000-000000000003"};
  session expired = {.expires = "2020-01-01T00:00:00Z"};
  session production = {.environment = "production"};
  session fresh = {.amount = "50.00"};
  host_init(&host);
  host_start(&host, NULL);
  host_create(&host, &same, &(creation){.more = "\"lockedEnvironment\":\"sandbox\""});
  host_choose_card(&host);
  char *token = host_read_card(&host, "illicado-giftcard", "6000000100003000");
  RESULT(hco_apply_secondary(host.checkout, format("{\"token\":\"%s\"}", token), &reply), reply);
  host_pump(&host);
  char *before = host_state(&host);
  context("the same session");
  json_t *result =
      RESULT(hco_set_session(host.checkout, format("{\"widgetData\":\"%s\"}", widget_data(&same)), &reply), reply);
  CHECK(json_is_true(json_object_get(result, "ignored")));
  context("malformed");
  ERROR(hco_set_session(host.checkout, "{\"widgetData\":\"@@@\"}", &reply), reply, HCO_REFUSED, "SESSION_MALFORMED");
  context("expired");
  ERROR(
      hco_set_session(host.checkout, format("{\"widgetData\":\"%s\"}", widget_data(&expired)), &reply), reply,
      HCO_REFUSED, "EXPIRED_SESSION");
  context("another environment");
  ERROR(
      hco_set_session(host.checkout, format("{\"widgetData\":\"%s\"}", widget_data(&production)), &reply), reply,
      HCO_REFUSED, "ENVIRONMENT_MISMATCH");
  char *after = host_state(&host);
  CHECK_TEXT(after, before);
  context("another session");
  result =
      RESULT(hco_set_session(host.checkout, format("{\"widgetData\":\"%s\"}", widget_data(&fresh)), &reply), reply);
  CHECK(json_is_false(json_object_get(result, "ignored")));
  bool is_card_kept = false, is_gift_card_dropped = false;
  size_t index;
  json_t *item;
  json_array_foreach(json_object_get(result, "items"), index, item) {
    if (strcmp(text_of(item, "id"), "purse-creditcard") == 0) is_card_kept = strcmp(text_of(item, "fate"), "kept") == 0;
    if (strcmp(text_of(item, "id"), token) == 0) is_gift_card_dropped = strcmp(text_of(item, "fate"), "dropped") == 0;
  }
  CHECK(is_card_kept && is_gift_card_dropped);
  json_t *state = taken(host_state(&host));
  CHECK_NUMBER(number_of(state, "amount"), 5000);
  CHECK_NUMBER(number_of(state, "remainingAmountToPay"), 5000);
  CHECK_NUMBER(json_array_size(json_object_get(state, "secondaryTokens")), 0);
  CHECK_TEXT(text_of(json_object_get(state, "primary"), "item"), "purse-creditcard");
  host_pump(&host);
  CHECK_TEXT(text_of(last_of(host.questions, "checkpoint"), "reason"), "session");
  host_submit(&host);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK(strstr(text_of(host.backend.last_validate, "body"), "50.00") != NULL);
}

// seed: 000:32b
static void set_session_ends_open_reads_and_ignores_late_answers(void) {
  host host;
  char *reply = NULL;
  session fresh = {0};
  host_open(&host);
  host.backend.holds_inits = true;
  RESULT(
      hco_read_secondary(
          host.checkout, "{\"item\":\"buybox-giftcard\",\"number\":\"6000000100003000\",\"cvv\":\"1234\"}", &reply),
      reply);
  host_pump(&host);
  RESULT(hco_set_session(host.checkout, format("{\"widgetData\":\"%s\"}", widget_data(&fresh)), &reply), reply);
  host_pump(&host);
  CHECK_NUMBER(count_of(host.events, "result"), 1);
  CHECK_TEXT(
      text_of(json_object_get(last_of(host.events, "result"), "error"), "code"), "SECONDARY_METHOD_REQUEST_ABORTED");
  hco_status status = backend_answer_init(&host.backend, &reply);
  CHECK(status == HCO_OK || status == HCO_REFUSED);
  host_pump(&host);
  CHECK_NUMBER(count_of(host.events, "result"), 1);
  json_t *state = taken(host_state(&host));
  CHECK_NUMBER(json_array_size(json_object_get(state, "secondaryTokens")), 0);
}

// seed: 002:5d
static void set_session_while_unknown(void) {
  host host;
  char *reply = NULL;
  session fresh = {0};
  host_open(&host);
  host.backend.way = FAILED_LEFT;
  host_pay(&host);
  ERROR(
      hco_set_session(host.checkout, format("{\"widgetData\":\"%s\"}", widget_data(&fresh)), &reply), reply,
      HCO_REFUSED, "SUBMIT_BLOCKED");
}

/* ------------------------------------------------------------------------------------------------ pages taken over */

/* The host opens the page itself and may be killed there: a return is never told, before a restart or after it. */
// seed: 001:29a
static void taken_over_page(void) {
  host host, other;
  char *reply = NULL;
  host_open(&host);
  host.backend.redirect_url = "https://bank.example/3ds";
  host.backend.global_status = "WAITING";
  host.answers[HCO_HOOK_REDIRECTION - HCO_HOOK_CHECKPOINT] = NULL;
  host_pay(&host);
  json_t *question = last_of(host.questions, "redirection");
  uint64_t ticket = (uint64_t)number_of(question, "ticket");
  char *report = format(
      "{\"presentation\":\"%s\",\"url\":\"test-shop://return?a=b\"}", text_of(question, "presentation"));
  RESULT(hco_answer(host.checkout, ticket, "{\"ok\":{\"takeOver\":true}}", &reply), reply);
  /* Before anything else was delivered. */
  char *snapshot = save(&host);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "completed");
  CHECK_TEXT(text_of(OUTCOME(&host), "verdict"), "pending");
  CHECK(last_of(host.events, "redirect") == NULL);
  ERROR(hco_redirect_report(host.checkout, report, &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  host_close(&host);
  context("restored");
  json_t *state = restore(&other, snapshot);
  CHECK(json_is_null(json_object_get(state, "pendingAttempt")));
  CHECK_TEXT(text_of(state, "sessionState"), "submitted");
  ERROR(hco_redirect_report(other.checkout, report, &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  RESULT(hco_element_open(other.checkout, "{\"item\":\"purse-creditcard\",\"redirect\":\"host\"}", &reply), reply);
  host_pump(&other);
  CHECK_NUMBER(count_of(other.events, "outcome"), 0);
  host_close(&other);
}

/* --------------------------------------------------------------------------------------------------------- teardown */

static void teardown_with_a_page_open(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.redirect_url = "https://bank.example/3ds";
  host.backend.global_status = "WAITING";
  host_pay(&host);
  CHECK(OUTCOME(&host) == NULL);
  RESULT(hco_teardown(host.checkout, &reply), reply);
  host_pump(&host);
  CHECK_TEXT(text_of(OUTCOME(&host), "kind"), "failed");
  CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "code"), "CHECKOUT_TORN_DOWN");
  json_t *closed = last_of(host.events, "redirect");
  CHECK_TEXT(text_of(closed, "state"), "closed");
  CHECK_TEXT(text_of(closed, "reason"), "tornDown");
  CHECK(strstr(host_state(&host), "\"isTornDown\":true") != NULL);
}

static void teardown_mid_flight(void) {
  host host;
  char *reply = NULL;
  host_open(&host);
  host.backend.way = HELD;
  host_pay(&host);
  RESULT(hco_teardown(host.checkout, &reply), reply);
  host_pump(&host);
  CHECK(OUTCOME(&host) == NULL);
  host.backend.way = FAILED_LEFT;
  RESULT(backend_answer_validate(&host.backend, &reply), reply);
  host_pump(&host);
  CHECK_TEXT(text_of(json_object_get(OUTCOME(&host), "error"), "code"), "OUTCOME_UNKNOWN");
  CHECK_NUMBER(count_of(host.events, "outcome"), 1);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(saved_restored_and_saved_again),
      TEST(numbers_are_nowhere),
      TEST(killed_at_every_checkpoint),
      TEST(restored_unanswered_submit_is_resolved),
      TEST(restored_redirect),
      TEST(expired_snapshots_are_restored),
      TEST(broken_snapshots),
      TEST(edited_snapshots_are_refused),
      TEST(an_edited_primary_is_left_out),
      TEST(snapshots_without_a_member),
      TEST(snapshots_that_are_cut_off),
      TEST(what_was_collected_comes_back),
      TEST(session_of_another_environment_is_not_restored),
      TEST(sealed_card_pays_after_a_restart),
      TEST(read_again_is_known_after_a_restart),
      TEST(cards_that_do_not_open_are_dropped),
      TEST(seal_keys_are_read_strictly),
      TEST(failed_restores_with_a_key),
      TEST(a_session_is_paid_once_in_a_runtime),
      TEST(two_checkouts_of_one_session),
      TEST(set_session_rules),
      TEST(set_session_ends_open_reads_and_ignores_late_answers),
      TEST(set_session_while_unknown),
      TEST(taken_over_page),
      TEST(teardown_with_a_page_open),
      TEST(teardown_mid_flight),
  };
  return RUN_TESTS("saved", tests);
}
