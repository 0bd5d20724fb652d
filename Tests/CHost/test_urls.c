/* The table of Tests/Conformance through hco_redirect_check, and libcurl's reading of whatever is let through. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curl_reading.h"
#include "harness.h"
#include "host.h"

typedef struct policy {
  char *name, *loopback, *hosts, *prefix;
} policy;

typedef struct row {
  char *policy, *url, *verdict;
} row;

static policy policies[32];
static size_t policy_count;
static row rows[2000];
static size_t row_count;
/* What C cannot hold. */
static size_t with_nul;

/* The columns of a line, in place; the last ones are empty where the line is short. */
static void columns(char *line, char **into, size_t count) {
  line[strcspn(line, "\n")] = '\0';
  for (size_t index = 0; index < count; index++) {
    into[index] = line;
    line += strcspn(line, "\t");
    if (*line != '\0') *line++ = '\0';
  }
}

static void read_table(const char *name, size_t count, void (*keep)(char **cells)) {
  char path[1024], *line = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s", HCO_CONFORMANCE, name);
  FILE *file = fopen(path, "r");
  REQUIRE(file != NULL);
  REQUIRE(getline(&line, &size, file) > 0);
  while (getline(&line, &size, file) > 0) {
    char *cells[4];
    columns(strdup(line), cells, count);
    keep(cells);
  }
  free(line);
  fclose(file);
}

static void keep_policy(char **cells) {
  REQUIRE(policy_count < sizeof policies / sizeof *policies);
  policies[policy_count++] = (policy){cells[0], cells[1], cells[2], cells[3]};
}

static void keep_row(char **cells) {
  json_t *url = json_loads(cells[1], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
  REQUIRE(json_is_string(url) && row_count < sizeof rows / sizeof *rows);
  if (strlen(json_string_value(url)) != json_string_length(url)) {
    with_nul += 1;
  } else {
    rows[row_count++] = (row){cells[0], strdup(json_string_value(url)), cells[2]};
  }
  json_decref(url);
}

static void read_tables(void) {
  read_table("policies.tsv", 4, keep_policy);
  read_table("hostile_urls.tsv", 4, keep_row);
  CHECK(policy_count >= 10 && row_count >= 600 && with_nul < 10);
}

static json_t *list_of(const char *hosts) {
  json_t *list = json_array();
  char *text = strdup(hosts), *place = NULL;
  for (char *host = strtok_r(text, ",", &place); host != NULL; host = strtok_r(NULL, ",", &place)) {
    json_array_append_new(list, json_string(host));
  }
  free(text);
  return list;
}

/* A checkout under the policy. Nothing is sent: it is never polled. */
static hco_checkout *checkout_under(const policy *policy, hco_runtime **runtime) {
  hco_checkout *checkout = NULL;
  char *reply = NULL;
  session wanted = {.redirection = policy->prefix[0] == '\0' ? "none" : policy->prefix};
  json_t *options = json_pack("{s:s, s:b}", "transport", "host", "allowLoopbackHTTP", policy->loopback[0] == 'y');
  char *text = json_dumps(options, 0);
  RESULT(hco_runtime_create(HCO_ABI_VERSION, text, NULL, runtime, &reply), reply);
  json_t *request = json_pack("{s:s}", "widgetData", widget_data(&wanted));
  if (policy->hosts[0] != '\0') json_object_set_new(request, "redirectHosts", list_of(policy->hosts));
  text = json_dumps(request, 0);
  reply = NULL;
  RESULT(hco_create(*runtime, text, NULL, &checkout, &reply), reply);
  return checkout;
}

static const char *verdict_of(hco_checkout *checkout, const char *url) {
  static const char *const names[] = {"block", "allow", "return"};
  int32_t verdict = 0x5A5A5A5A;
  char *reply = NULL;
  RESULT(hco_redirect_check(checkout, url, &verdict, &reply), reply);
  REQUIRE(verdict >= 0 && verdict <= 2);
  return names[verdict];
}

/* What stands in plain letters between `//` and the path: the host, and 443 or 80 or the port that is written. */
static void plain_reading(const char *url, curl_reading *plain) {
  const char *authority = strstr(url, "://");
  REQUIRE(authority != NULL);
  *plain = (curl_reading){.port = tolower((unsigned char)url[4]) == 's' ? 443 : 80};
  authority += 3;
  size_t length = strcspn(authority, "/?#");
  REQUIRE(length < sizeof plain->host);
  for (size_t index = 0; index < length; index++) plain->host[index] = (char)tolower((unsigned char)authority[index]);
  char *colon = strrchr(plain->host, ':');
  if (colon != NULL && strchr(colon, ']') == NULL) {
    plain->port = atoi(colon + 1);
    *colon = '\0';
  }
}

static bool is_web(const char *url) { return strncasecmp(url, "http:", 5) == 0 || strncasecmp(url, "https:", 6) == 0; }

static size_t judge(const policy *policy) {
  size_t count = 0;
  hco_runtime *runtime = NULL;
  hco_checkout *checkout = checkout_under(policy, &runtime);
  for (size_t index = 0; index < row_count; index++) {
    const row *row = &rows[index];
    if (strcmp(row->policy, "every") != 0 && strcmp(row->policy, policy->name) != 0) continue;
    count += 1;
    context("%s: %.100s", policy->name, row->url);
    const char *verdict = verdict_of(checkout, row->url);
    CHECK_TEXT(verdict, row->verdict);
    if (strcmp(verdict, "block") == 0 || !is_web(row->url)) continue;
    curl_reading plain, read = curl_reading_of(row->url);
    plain_reading(row->url, &plain);
    if (read.is_refused) continue;
    CHECK_TEXT(read.host, plain.host);
    CHECK_NUMBER(read.port, plain.port);
  }
  hco_release(checkout);
  hco_runtime_destroy(runtime);
  return count;
}

// seed: 001:33b
static void the_table(void) {
  size_t count = 0;
  read_tables();
  for (size_t index = 0; index < policy_count; index++) count += judge(&policies[index]);
  context("%zu verdicts", count);
  CHECK(count >= 4000);
}

/* Hosts that are no hosts would block every page in silence. */
static void hosts_that_are_none(void) {
  static const char *const lists[] = {"[]", "[\"\"]", "[\"*\"]", "[\"https://a.example\"]", "[\"a.example/\"]",
                                      "[\"a.example\",\"b..example\"]", "[\"a.example:0\"]", "[7]", "\"a.example\"",
                                      "{}"};
  hco_runtime *runtime = NULL;
  hco_checkout *checkout = NULL;
  char *reply = NULL;
  session wanted = {0};
  RESULT(hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":\"host\"}", NULL, &runtime, &reply), reply);
  for (size_t index = 0; index < sizeof lists / sizeof *lists; index++) {
    context("%s", lists[index]);
    char *request = format("{\"widgetData\":\"%s\",\"redirectHosts\":%s}", widget_data(&wanted), lists[index]);
    reply = NULL;
    json_t *error =
        ERROR(hco_create(runtime, request, NULL, &checkout, &reply), reply, HCO_INVALID_ARGUMENT, "INVALID_ARGUMENT");
    CHECK_TEXT(text_of(error, "path"), "redirectHosts");
    CHECK(checkout == NULL);
  }
  hco_runtime_destroy(runtime);
}

/* The list is the host's, at each start: no snapshot brings it back. */
static void hosts_are_passed_again(void) {
  policy listed = {"listed", "no", "psp.example", "test-shop://return"};
  hco_runtime *runtime = NULL, *other = NULL;
  hco_checkout *checkout = checkout_under(&listed, &runtime), *restored = NULL;
  char *snapshot = NULL, *reply = NULL;
  CHECK_TEXT(verdict_of(checkout, "https://other.example/"), "block");
  CHECK_TEXT(verdict_of(checkout, "test-shop://return"), "return");
  REQUIRE(hco_save_state(checkout, &snapshot) == HCO_OK);
  CHECK(strstr(snapshot, "psp.example") == NULL);
  RESULT(hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":\"host\"}", NULL, &other, &reply), reply);
  for (int passes = 0; passes < 2; passes++) {
    reply = NULL;
    const char *request = passes ? "{\"redirectHosts\":[\"psp.example\"]}" : "{}";
    RESULT(hco_restore(other, snapshot, request, NULL, &restored, &reply), reply);
    CHECK_TEXT(verdict_of(restored, "https://other.example/"), passes ? "block" : "allow");
    CHECK_TEXT(verdict_of(restored, "https://psp.example/"), "allow");
    hco_release(restored);
  }
  hco_free(snapshot);
  hco_release(checkout);
  hco_runtime_destroy(runtime);
  hco_runtime_destroy(other);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(the_table),
      TEST(hosts_that_are_none),
      TEST(hosts_are_passed_again),
  };
  return RUN_TESTS("urls", tests);
}
