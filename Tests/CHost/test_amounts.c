/* hco_format_amount: amounts as text, in the session's currency or another, in any locale and both styles. */
#include <string.h>

#include "functions.h"
#include "host.h"

/* U+00A0 and U+202F, which stand beside numbers so that lines are not broken there. */
#define NBSP "\xC2\xA0"
#define NARROW "\xE2\x80\xAF"
#define EURO "\xE2\x82\xAC"

/* The text, or NULL for null. */
static const char *shown(const host *host, const char *request) {
  char *reply = NULL;
  hco_status status = hco_format_amount(host->checkout, request, &reply);
  const json_t *result = RESULT(status, reply);
  const json_t *text = json_object_get(result, "text");
  CHECK_NUMBER(json_object_size(result), 1);
  CHECK(json_is_string(text) || json_is_null(text));
  return json_string_value(text);
}

static void open_session(host *host, const session *session, const char *options) {
  host_init(host);
  host_start(host, options);
  host_create(host, session, NULL);
}

static void in_the_session_s_currency(void) {
  static const struct {
    const char *amount, *currency, *wanted;
  } table[] = {
      {"120.00", "EUR", EURO "120.00"},
      {"12000", "JPY", "JP\xC2\xA5" "12,000"},
      {"12.000", "KWD", "KWD12.000"},
  };
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    host host;
    session session = {.amount = table[index].amount, .currency = table[index].currency};
    context("%s", table[index].currency);
    open_session(&host, &session, NULL);
    CHECK_TEXT(shown(&host, "{\"amount\":12000}"), table[index].wanted);
    host_close(&host);
  }
}

static void in_any_currency_locale_and_style(void) {
  static const struct {
    const char *request, *wanted;
  } table[] = {
      {"{\"amount\":0}", EURO "0.00"},
      {"{\"amount\":-5}", "-" EURO "0.05"},
      {"{\"amount\":123456,\"locale\":\"de-DE\"}", "1.234,56" EURO},
      {"{\"amount\":123456,\"locale\":\"de-DE\",\"style\":\"standard\"}", "1.234,56" NBSP EURO},
      {"{\"amount\":123456,\"locale\":\"fr_FR\",\"style\":\"sdk\"}", "1" NARROW "234,56" EURO},
      {"{\"amount\":123456,\"currency\":\"USD\"}", "US$1,234.56"},
      {"{\"amount\":123456,\"currency\":\"USD\",\"style\":\"standard\"}", "$1,234.56"},
      {"{\"amount\":2560,\"currency\":\"JPY\",\"locale\":null,\"style\":null}", "JP\xC2\xA5" "2,560"},
      {"{\"amount\":123450,\"currency\":\"USD\",\"locale\":\"xx_YY\",\"style\":\"standard\"}", "US$" NBSP "1,234.50"},
      {"{\"amount\":123450,\"currency\":null,\"locale\":\"de-DE-u-nu-latn\"}", "1.234,50" EURO},
      {"{\"amount\":9007199254740993,\"currency\":\"USD\"}", "US$90,071,992,547,409.93"},
      {"{\"amount\":9223372036854775807}", EURO "92,233,720,368,547,758.07"},
      {"{\"amount\":-9223372036854775808}", "-" EURO "92,233,720,368,547,758.08"},
      {"{\"amount\":1,\"currency\":\"ZZZ\"}", NULL},
      {"{\"amount\":1,\"currency\":\"eur\"}", NULL},
      {"{\"amount\":1,\"currency\":\"\"}", NULL},
  };
  host host;
  open_session(&host, NULL, NULL);
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    context("%s", table[index].request);
    CHECK_TEXT(shown(&host, table[index].request), table[index].wanted);
  }
  host_close(&host);
}

static void in_the_runtime_s_locale(void) {
  host host;
  open_session(&host, NULL, "\"locale\":\"de_DE.UTF-8\"");
  CHECK_TEXT(shown(&host, "{\"amount\":123456}"), "1.234,56" EURO);
  CHECK_TEXT(shown(&host, "{\"amount\":123456,\"locale\":\"en\"}"), EURO "1,234.56");
  host_close(&host);
}

static void requests_that_are_wrong(void) {
  static const char *const table[] = {
      "{}", "{\"amount\":null}", "{\"amount\":\"1\"}", "{\"amount\":1.0}", "{\"amount\":1e2}",
      "{\"amount\":9223372036854775808}", "{\"amount\":-9223372036854775809}", "{\"amount\":1,\"amount\":1}",
      "{\"amount\":1,\"currency\":978}", "{\"amount\":1,\"locale\":\"\"}", "{\"amount\":1,\"locale\":7}",
      "{\"amount\":1,\"style\":\"narrow\"}", "{\"amount\":1,\"digits\":2}",
      "{\"amount\":1,\"locale\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
  };
  host host;
  char *reply = NULL;
  open_session(&host, NULL, NULL);
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    context("%s", table[index]);
    ERROR(hco_format_amount(host.checkout, table[index], &reply), reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
  }
  host_close(&host);
}

static void a_locale_that_is_no_option(void) {
  static const char *const table[] = {"{\"locale\":\"\"}", "{\"locale\":1}", "{\"locale\":[\"en\"]}"};
  for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
    hco_runtime *runtime = NULL;
    char *reply = NULL;
    hco_status status = hco_runtime_create(HCO_ABI_VERSION, table[index], NULL, &runtime, &reply);
    ERROR(status, reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    CHECK(runtime == NULL);
  }
}

/* What is shown changes nothing, and may be shown whatever happens. */
static void in_every_state(void) {
  host host;
  host_init(&host);
  host.backend.way = HELD;
  host_start(&host, NULL);
  host_create(&host, NULL, NULL);
  char *before = host_state(&host);
  CHECK_TEXT(shown(&host, "{\"amount\":1}"), EURO "0.01");
  char *after = host_state(&host);
  CHECK_TEXT(after, before);
  hco_free(before);
  hco_free(after);
  host_pay(&host);
  CHECK_TEXT(host_session_state(&host), "submitting");
  CHECK_TEXT(shown(&host, "{\"amount\":1}"), EURO "0.01");
  char *reply = NULL;
  RESULT(hco_teardown(host.checkout, &reply), reply);
  CHECK_TEXT(shown(&host, "{\"amount\":1}"), EURO "0.01");
  backend_answer_validate(&host.backend, NULL);
  host_pump(&host);
  CHECK_TEXT(shown(&host, "{\"amount\":1}"), EURO "0.01");
  host_close(&host);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(in_the_session_s_currency), TEST(in_any_currency_locale_and_style), TEST(in_the_runtime_s_locale),
      TEST(requests_that_are_wrong),   TEST(a_locale_that_is_no_option),       TEST(in_every_state),
  };
  return RUN_TESTS("amounts", tests);
}
