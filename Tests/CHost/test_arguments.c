/* Conventions 1, 2, 3 and 8: what is passed in. Every function against every kind of nonsense. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "host.h"

static const char *const malformed[] = {
    "",
    " ",
    "{",
    "}",
    "[",
    "{}x",
    "{} {}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{,}",
    "{a:1}",
    "{'a':1}",
    "{\"a\":01}",
    "{\"a\":1.}",
    "{\"a\":.5}",
    "{\"a\":+1}",
    "{\"a\":-}",
    "{\"a\":1e}",
    "{\"a\":NaN}",
    "{\"a\":Infinity}",
    "{\"a\":tru}",
    "{\"a\":nul}",
    "{\"a\":0x10}",
    "{\"a\":\"\\x\"}",
    "{\"a\":\"\\u12\"}",
    "{\"a\":\"\\ud800\"}",
    "{\"a\":\"\\udc00x\"}",
    "{\"a\":\"\\ud800\\u0041\"}",
    "{\"a\":\"\t\"}",
    "{\"a\":\"\n\"}",
    "{\"a\":\"",
    "{\"a\":[1,]}",
    "{\"a\":[1 2]}",
    "{\"a\":{\"b\":1]}",
    "\xEF\xBB\xBF{}",
    "// comment\n{}",
    "{/**/}",
    "{\"a\":1;}",
    "\xFF",
    "{\"a\":\"\xFF\"}",
    "{\"a\":\"\xC0\xAF\"}",
    "{\"a\":\"\xE0\x80\x80\"}",
    "{\"a\":\"\xED\xA0\x80\"}",
    "{\"a\":\"\xF4\x90\x80\x80\"}",
    "{\"a\":\"\xC3\"}",
    "{\"\xC3\x28\":1}",
    "{\"a\":\"\xF8\x88\x80\x80\x80\"}",
    "null",
    "true",
    "1",
    "\"a\"",
    "[]",
    "[{}]",
    "{\"a\":1}\x01",
};

static host subject;

static void *handle_of(owner owner) { return owner == OF_RUNTIME ? (void *)subject.runtime : (void *)subject.checkout; }

static void open_subject(void) {
  host_open(&subject);
  host_choose_card(&subject);
  char *snapshot = NULL;
  REQUIRE(hco_save_state(subject.checkout, &snapshot) == HCO_OK);
  restore_snapshot = snapshot;
}

/* Calls it once with a reply and once without: both must be refused alike and leave the state's text alone. */
static json_t *refused(const function *function, void *handle, const char *text, hco_status wanted, const char *code) {
  outs outs;
  char *dirty;
  memset(&dirty, 0xA5, sizeof dirty);
  char *before = host_state(&subject);
  hco_status status = function->call(handle, text, &dirty, &outs);
  CHECK(outs.are_clear);
  bool has_no_reply = strcmp(function->name, "hco_runtime_poll") == 0 ||
                      strcmp(function->name, "hco_runtime_wake") == 0 ||
                      strcmp(function->name, "hco_runtime_next") == 0 || strcmp(function->name, "hco_save_state") == 0;
  json_t *error = NULL;
  if (has_no_reply) {
    CHECK_NUMBER(status, wanted);
  } else {
    error = ERROR(status, dirty, wanted, code);
  }
  CHECK_NUMBER(function->call(handle, text, NULL, &outs), wanted);
  CHECK(outs.are_clear);
  char *after = host_state(&subject);
  CHECK_TEXT(after, before);
  hco_free(before);
  hco_free(after);
  return error;
}

/* ------------------------------------------------------------------------------------------------ 1: every function */

static void c1_c3_null_handles(void) {
  open_subject();
  for (int index = 0; index < function_count; index++) {
    context("%s(NULL)", functions[index].name);
    refused(&functions[index], NULL, "{}", HCO_INVALID_HANDLE, "INVALID_HANDLE");
  }
  context("fd");
  CHECK_NUMBER(hco_runtime_fd(NULL), -1);
  hco_release(NULL);
  hco_runtime_destroy(NULL);
  hco_free(NULL);
}

static void c3_handles_of_the_other_kind(void) {
  open_subject();
  for (int index = 0; index < function_count; index++) {
    void *other = handle_of(functions[index].owner == OF_RUNTIME ? OF_CHECKOUT : OF_RUNTIME);
    context("%s(other kind)", functions[index].name);
    refused(&functions[index], other, "{}", HCO_INVALID_HANDLE, "INVALID_HANDLE");
  }
  CHECK_NUMBER(hco_runtime_fd((void *)subject.checkout), -1);
  hco_release((void *)subject.runtime);
  hco_runtime_destroy((void *)subject.checkout);
  CHECK_TEXT(host_session_state(&subject), "ready");
}

static void c3_forged_handles(void) {
  open_subject();
  int on_stack = 0;
  uintptr_t forged[] = {
      1,
      2,
      16,
      4096,
      UINTPTR_MAX,
      UINTPTR_MAX - 1,
      (uintptr_t)&on_stack,
      (uintptr_t)malloc(64),
      (uintptr_t)&functions,
      (uintptr_t)1 << 63,
      0xA5A5A5A5A5A5A5A5u,
  };
  for (int index = 0; index < function_count; index++) {
    uintptr_t real = (uintptr_t)handle_of(functions[index].owner);
    for (size_t which = 0; which < sizeof forged / sizeof *forged; which++) {
      context("%s(%#lx)", functions[index].name, (unsigned long)forged[which]);
      refused(&functions[index], (void *)forged[which], "{}", HCO_INVALID_HANDLE, "INVALID_HANDLE");
    }
    for (int bit = 0; bit < 64; bit++) {
      context("%s(handle with bit %d turned)", functions[index].name, bit);
      outs outs;
      char *reply = NULL;
      hco_status status = functions[index].call((void *)(real ^ (uintptr_t)1 << bit), "{}", &reply, &outs);
      hco_free(reply);
      CHECK_NUMBER(status, HCO_INVALID_HANDLE);
    }
  }
  hco_release((void *)&on_stack);
  hco_runtime_destroy((void *)&on_stack);
  CHECK_NUMBER(hco_runtime_fd((void *)&on_stack), -1);
}

static void c3_released_handles(void) {
  open_subject();
  hco_checkout *stale = subject.checkout;
  host_create(&subject, NULL, NULL);
  hco_release(stale);
  for (int index = 0; index < function_count; index++) {
    if (functions[index].owner != OF_CHECKOUT) continue;
    context("%s(released)", functions[index].name);
    refused(&functions[index], stale, "{}", HCO_INVALID_HANDLE, "INVALID_HANDLE");
  }
  context("released twice");
  hco_release(stale);
  host_pump(&subject);
  CHECK_NUMBER(subject.checkout_released, 1);
  /* Its slot is used again: the old handle must not reach the new one. */
  for (int round = 0; round < 100; round++) {
    hco_checkout *old = subject.checkout;
    host_create(&subject, NULL, NULL);
    hco_release(old);
    host_pump(&subject);
    CHECK_NUMBER(hco_state(old, NULL, NULL), HCO_INVALID_HANDLE);
    CHECK_NUMBER(hco_state(stale, NULL, NULL), HCO_INVALID_HANDLE);
  }
}

static void c3_destroyed_runtimes(void) {
  host other;
  open_subject();
  host_open(&other);
  hco_runtime *runtime = other.runtime;
  hco_checkout *checkout = other.checkout;
  other.may_release_outside = true;
  hco_runtime_destroy(runtime);
  CHECK_NUMBER(other.checkout_released, 1);
  CHECK_NUMBER(other.runtime_released, 1);
  hco_runtime_destroy(runtime);
  for (int index = 0; index < function_count; index++) {
    void *handle = functions[index].owner == OF_RUNTIME ? (void *)runtime : (void *)checkout;
    context("%s(destroyed)", functions[index].name);
    refused(&functions[index], handle, "{}", HCO_INVALID_HANDLE, "INVALID_HANDLE");
  }
  hco_release(checkout);
  CHECK_NUMBER(hco_runtime_fd(runtime), -1);
  CHECK_NUMBER(other.checkout_released, 1);
}

/* -------------------------------------------------------------------------------------------- 8: every kind of text */

static void c8_malformed_text(void) {
  open_subject();
  for (int index = 0; index < function_count; index++) {
    const function *function = &functions[index];
    if (!function->reads_json) continue;
    for (size_t which = 0; which < sizeof malformed / sizeof *malformed; which++) {
      context("%s: %s", function->name, malformed[which]);
      json_t *error = refused(function, handle_of(function->owner), malformed[which], HCO_INVALID_ARGUMENT, NULL);
      CHECK_TEXT(text_of(error, "code"), "INVALID_ARGUMENT");
      long long offset = number_of(error, "offset");
      CHECK(offset >= 0 && offset <= (long long)strlen(malformed[which]));
    }
  }
}

static void c8_depth_and_size(void) {
  enum { DEPTH = 100000, SIZE = 5 << 20 };
  open_subject();
  char *deep = malloc(DEPTH * 2 + 16), *large = malloc(SIZE + 64);
  strcpy(deep, "{\"a\":");
  memset(deep + 5, '[', DEPTH);
  strcpy(deep + 5 + DEPTH, "}");
  strcpy(large, "{\"item\":\"");
  memset(large + 9, 'x', SIZE);
  strcpy(large + 9 + SIZE, "\"}");
  for (int index = 0; index < function_count; index++) {
    const function *function = &functions[index];
    if (!function->reads_json) continue;
    context("%s: deep", function->name);
    refused(function, handle_of(function->owner), deep, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    context("%s: large", function->name);
    refused(function, handle_of(function->owner), large, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
  }
}

static void c8_unknown_keys(void) {
  open_subject();
  for (int index = 0; index < function_count; index++) {
    const function *function = &functions[index];
    if (!function->reads_json) continue;
    char *text = function->fine == NULL ? format("  {\"notKnown\":1}")
                                        : format("  {%s,\"notKnown\":1}", function->fine);
    context("%s: %s", function->name, text);
    json_t *error = refused(function, handle_of(function->owner), text, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    CHECK_TEXT(text_of(error, "path"), "notKnown");
    CHECK_NUMBER(number_of(error, "offset"), strstr(text, "\"notKnown\"") - text);
  }
}

static void c8_duplicate_keys(void) {
  open_subject();
  for (int index = 0; index < function_count; index++) {
    const function *function = &functions[index];
    if (!function->reads_json) continue;
    context("%s: duplicate key", function->name);
    const char *fine = function->fine == NULL ? "\"any\":1" : function->fine;
    char *text = format("{%s,%s}", fine, fine);
    json_t *error = refused(function, handle_of(function->owner), text, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    CHECK(number_of(error, "offset") > 0);
  }
  context("the same key, spelt otherwise");
  char *reply = NULL;
  ERROR(
      hco_set_primary(subject.checkout, "{\"item\":\"purse-creditcard\",\"\\u0069tem\":\"purse-creditcard\"}", &reply),
      reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
}

static void c8_wrong_types(void) {
  open_subject();
  for (int index = 0; index < function_count; index++) {
    const function *function = &functions[index];
    if (function->wrong_type == NULL) continue;
    context("%s: {%s}", function->name, function->wrong_type);
    char *text = format("{%s}", function->wrong_type);
    json_t *error = refused(function, handle_of(function->owner), text, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    CHECK(json_is_string(json_object_get(error, "path")));
    CHECK(json_is_integer(json_object_get(error, "offset")));
  }
}

static void c8_missing_members(void) {
  open_subject();
  for (int index = 0; index < function_count; index++) {
    const function *function = &functions[index];
    if (!function->reads_json || function->takes_nothing) continue;
    context("%s: nothing", function->name);
    refused(function, handle_of(function->owner), "{}", HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    refused(function, handle_of(function->owner), NULL, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
  }
}

/* What is typed into the wrong place must not come back in an error: it may be a card number. */
static void c8_values_do_not_come_back(void) {
  static const struct {
    const char *name, *text;
  } typed[] = {
      {"hco_read_secondary", "{\"item\":\"illicado-giftcard\",\"number\":\"4970101234567890\",\"surplus\":1}"},
      {"hco_read_secondary", "{\"item\":\"illicado-giftcard\",\"number\":4970101234567890}"},
      {"hco_read_secondary", "{\"item\":\"4970101234567890\",\"number\":\"4970101234567890\"}"},
      {"hco_read_secondary",
       "{\"item\":\"illicado-giftcard\",\"number\":\"4970101234567890\",\"cvv\":4970101234567890}"},
      {"hco_read_secondary", "{\"item\":\"illicado-giftcard\",\"number\":\"4970101234567890"},
      {"hco_read_secondary", "{\"item\":\"illicado-giftcard\",\"number\":\"x\",\"tag\":\"4970101234567890\"}"},
      {"hco_set_primary", "{\"token\":\"4970101234567890\"}"},
      {"hco_set_primary", "{\"item\":[\"4970101234567890\"]}"},
      {"hco_apply_secondary", "{\"token\":\"4970101234567890\"}"},
      {"hco_element_report", "{\"element\":\"4970101234567890\",\"report\":\"ready\"}"},
      {"hco_element_report", "{\"element\":\"purse-creditcard\",\"report\":\"4970101234567890\"}"},
      {"hco_answer", "{\"ok\":\"4970101234567890\"}"},
      {"hco_redirect_report", "{\"presentation\":\"4970101234567890\",\"url\":\"4970101234567890\"}"},
      {"hco_state", "{\"keys\":[\"4970101234567890\"]}"},
      {"hco_create", "{\"widgetData\":\"4970101234567890\"}"},
      {"hco_resolve", "{\"attempt\":4970101234567890,\"verdict\":\"paid\"}"},
  };
  open_subject();
  for (size_t which = 0; which < sizeof typed / sizeof *typed; which++) {
    for (int index = 0; index < function_count; index++) {
      if (strcmp(functions[index].name, typed[which].name) != 0) continue;
      outs outs;
      char *reply = NULL;
      context("%s: %s", functions[index].name, typed[which].text);
      CHECK(functions[index].call(handle_of(functions[index].owner), typed[which].text, &reply, &outs) != HCO_OK);
      CHECK(reply != NULL && strstr(reply, "4970101234567890") == NULL);
      check_error_shape(taken(reply), __FILE__, __LINE__);
    }
  }
}

/* ---------------------------------------------------------------------------------------- what the table leaves out */

static void c1_out_parameters_that_are_null(void) {
  hco_runtime *runtime;
  hco_checkout *checkout;
  char *reply, *json;
  int32_t kind;
  uint64_t ticket;
  session none = {0};
  open_subject();
  char *request = create_text(widget_data(&none), NULL);
  CHECK_NUMBER(hco_runtime_create(HCO_ABI_VERSION, NULL, NULL, NULL, NULL), HCO_INVALID_ARGUMENT);
  ERROR(hco_runtime_create(HCO_ABI_VERSION, NULL, NULL, NULL, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  ERROR(hco_create(subject.runtime, request, NULL, NULL, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  ERROR(hco_restore(subject.runtime, restore_snapshot, "{}", NULL, NULL, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  CHECK_NUMBER(hco_save_state(subject.checkout, NULL), HCO_INVALID_ARGUMENT);
  ERROR(hco_redirect_check(subject.checkout, "https://a.example/", NULL, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  int32_t verdict = 0x5A5A5A5A;
  ERROR(hco_redirect_check(subject.checkout, NULL, &verdict, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
  CHECK_NUMBER(verdict, HCO_VERDICT_BLOCK);
  checkout = (void *)&checkout;
  ERROR(hco_restore(subject.runtime, NULL, "{}", NULL, &checkout, &reply), reply, HCO_REFUSED, "SESSION_MALFORMED");
  CHECK(checkout == NULL);
  ERROR(
      hco_runtime_answer_http(subject.runtime, 1, "{\"ok\":{\"status\":200,\"headers\":{}}}", NULL, 5, &reply), reply,
      HCO_INVALID_ARGUMENT, NULL);
  for (int which = 0; which < 4; which++) {
    context("hco_runtime_next, out parameter %d", which);
    hco_status status = hco_runtime_next(
        subject.runtime, 0, which == 0 ? NULL : &checkout, which == 1 ? NULL : &kind, which == 2 ? NULL : &ticket,
        which == 3 ? NULL : &json);
    CHECK_NUMBER(status, HCO_INVALID_ARGUMENT);
  }
  context("runtime options");
  memset(&runtime, 0xA5, sizeof runtime);
  ERROR(
      hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":7}", NULL, &runtime, &reply), reply, HCO_INVALID_ARGUMENT,
      NULL);
  CHECK(runtime == NULL);
}

static void c1_runtime_options(void) {
  static const char *const wrong[] = {
      "{\"transport\":\"pigeon\"}",
      "{\"timeouts\":{\"connectMs\":-1}}",
      "{\"timeouts\":{\"connectMs\":\"5000\"}}",
      "{\"timeouts\":{\"connectMs\":1.5}}",
      "{\"timeouts\":{\"odd\":1}}",
      "{\"timeouts\":[]}",
      "{\"timeouts\":{\"initMs\":99999999999999999999}}",
      "{\"maxResponseBytes\":-1}",
      "{\"maxResponseBytes\":\"many\"}",
      "{\"allowLoopbackHTTP\":1}",
      "{\"proxy\":1}",
      "{\"caFile\":false}",
      "{\"clientCertificate\":\"x\"}",
      "{\"clientCertificate\":{\"certificateFile\":\"x\",\"odd\":1}}",
      "{\"userAgent\":[]}",
      "{\"userAgent\":\"a\\r\\nX: y\"}",
      "{\"userAgent\":\"a\\u0000b\"}",
      "{\"proxy\":\"http://127.0.0.1\\n\"}",
      "{\"caFile\":\"/ca\\u0000.pem\"}",
      "{\"hookTimeoutMs\":-5}",
      "{\"hookTimeoutMs\":1e3}",
      "{\"clock\":\"sundial\"}",
      "{\"clock\":true}",
      "{\"transport\":\"host\",\"transport\":\"host\"}",
      "{\"Transport\":\"host\"}",
      "[]",
      "null",
      "",
  };
  for (size_t which = 0; which < sizeof wrong / sizeof *wrong; which++) {
    hco_runtime *runtime = (void *)&runtime;
    host host;
    char *reply = NULL;
    host_init(&host);
    host.may_release_outside = true;
    hco_callbacks callbacks = host_runtime_callbacks(&host);
    context("%s", wrong[which]);
    ERROR(
        hco_runtime_create(HCO_ABI_VERSION, wrong[which], &callbacks, &runtime, &reply), reply, HCO_INVALID_ARGUMENT,
        "INVALID_ARGUMENT");
    CHECK(runtime == NULL);
    CHECK_NUMBER(host.runtime_released, 1);
  }
  context("another version");
  for (int version = -1; version <= 3; version++) {
    hco_runtime *runtime = (void *)&runtime;
    if (version == HCO_ABI_VERSION) continue;
    CHECK_NUMBER(hco_runtime_create(version, "{\"transport\":\"host\"}", NULL, &runtime, NULL), HCO_INVALID_ARGUMENT);
    CHECK(runtime == NULL);
  }
}

/* 2: what is passed is copied; what is got is the host's and outlives everything. */
static void c2_texts(void) {
  host host;
  session none = {0};
  char *reply = NULL;
  host_init(&host);
  host_start(&host, NULL);
  char *request = create_text(widget_data(&none), NULL);
  size_t length = strlen(request);
  hco_callbacks callbacks = host_callbacks(&host);
  hco_status status = hco_create(host.runtime, request, &callbacks, &host.checkout, &reply);
  memset(request, 'x', length);
  memset(&callbacks, 0xA5, sizeof callbacks);
  RESULT(status, reply);
  host_choose_card(&host);
  char *kept = host_state(&host);
  char *copy = format("%s", kept);
  host_submit(&host);
  host_pump(&host);
  hco_runtime *runtime = host.runtime;
  host_close(&host);
  CHECK(hco_runtime_info(runtime, NULL) == HCO_INVALID_HANDLE);
  CHECK_TEXT(kept, copy);
  hco_free(kept);
  CHECK_TEXT(hco_version(), HCO_VERSION_TEXT);
  CHECK_NUMBER(hco_abi_version(), HCO_ABI_VERSION);
}

static void c1_status_names(void) {
  static const char *const names[] = {"HCO_OK",   "HCO_REFUSED",   "HCO_INVALID_ARGUMENT", "HCO_INVALID_HANDLE",
                                      "HCO_BUSY", "HCO_REENTRANT", "HCO_FORKED",           "HCO_INTERNAL"};
  for (int index = 0; index < 8; index++) CHECK_TEXT(hco_status_name(index), names[index]);
  int strange[] = {-1, 8, 99, INT32_MAX, INT32_MIN};
  for (int index = 0; index < 5; index++) CHECK_TEXT(hco_status_name(strange[index]), "HCO_UNKNOWN");
}

/* What is no fault of the caller's words: the transport cannot be made. */
static void c1_internal(void) {
  hco_runtime *runtime = NULL;
  char *reply = NULL;
  json_t *error = ERROR(
      hco_runtime_create(HCO_ABI_VERSION, "{\"caFile\":\"/nonexistent/ca.pem\"}", NULL, &runtime, &reply), reply,
      HCO_INTERNAL, "INTERNAL");
  CHECK_TEXT(text_of(error, "moved"), "no");
  CHECK(runtime == NULL);
}

/* Teardown leaves the reads and takes the rest. */
static void c1_torn_down(void) {
  open_subject();
  char *reply = NULL;
  RESULT(hco_teardown(subject.checkout, &reply), reply);
  host_pump(&subject);
  static const struct {
    const char *name, *text;
  } requests[] = {
      {"hco_set_hooks", "{\"hooks\":[]}"},
      {"hco_set_session", NULL},
      {"hco_set_primary", "{\"item\":\"purse-creditcard\"}"},
      {"hco_read_secondary", "{\"item\":\"illicado-giftcard\",\"number\":\"6000000100003000\"}"},
      {"hco_apply_secondary", "{\"token\":\"gc1\"}"},
      {"hco_remove_secondary", "{\"token\":\"gc1\"}"},
      {"hco_element_open", "{\"item\":\"purse-creditcard\"}"},
      {"hco_element_report", "{\"element\":\"purse-creditcard\",\"report\":\"ready\"}"},
      {"hco_element_close", "{\"element\":\"purse-creditcard\"}"},
      {"hco_submit", "{}"},
      {"hco_abort", "{\"attempt\":1}"},
      {"hco_resolve", "{\"attempt\":1,\"verdict\":\"paid\"}"},
      {"hco_redirect_report", "{\"presentation\":\"p1\",\"canceled\":true}"},
      {"hco_redirect_present", "{\"attempt\":1}"},
  };
  session another = {0};
  char *another_session = format("{\"widgetData\":\"%s\"}", widget_data(&another));
  for (size_t which = 0; which < sizeof requests / sizeof *requests; which++) {
    for (int index = 0; index < function_count; index++) {
      if (strcmp(functions[index].name, requests[which].name) != 0) continue;
      context("%s after teardown", functions[index].name);
      const char *text = requests[which].text == NULL ? another_session : requests[which].text;
      json_t *error = refused(&functions[index], subject.checkout, text, HCO_REFUSED, "CHECKOUT_TORN_DOWN");
      if (strcmp(functions[index].name, "hco_submit") != 0) continue;
      CHECK(json_is_array(json_object_get(json_object_get(error, "details"), "submitBlockers")));
    }
  }
  for (int index = 0; index < function_count; index++) {
    outs outs;
    if (functions[index].owner != OF_CHECKOUT || !functions[index].is_read) continue;
    context("%s after teardown", functions[index].name);
    char *text = functions[index].fine == NULL ? NULL : format("{%s}", functions[index].fine);
    CHECK_NUMBER(functions[index].call(subject.checkout, text, NULL, &outs), HCO_OK);
  }
  context("an answer finds its ticket closed");
  ERROR(hco_answer(subject.checkout, 1, "{\"ok\":{}}", &reply), reply, HCO_REFUSED, "TICKET_CLOSED");
  context("teardown again");
  CHECK_NUMBER(hco_teardown(subject.checkout, NULL), HCO_OK);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(c1_c3_null_handles),
      TEST(c3_handles_of_the_other_kind),
      TEST(c3_forged_handles),
      TEST(c3_released_handles),
      TEST(c3_destroyed_runtimes),
      TEST(c8_malformed_text),
      TEST(c8_depth_and_size),
      TEST(c8_unknown_keys),
      TEST(c8_duplicate_keys),
      TEST(c8_wrong_types),
      TEST(c8_missing_members),
      TEST(c8_values_do_not_come_back),
      TEST(c1_out_parameters_that_are_null),
      TEST(c1_runtime_options),
      TEST(c2_texts),
      TEST(c1_status_names),
      TEST(c1_internal),
      TEST(c1_torn_down),
  };
  return RUN_TESTS("arguments", tests);
}
