#include "harness.h"

#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_FOR_A_TEST = 60, FAILURES_SHOWN = 12 };

static int failed;
static char about[512];

int failures(void) { return failed; }

void context(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(about, sizeof about, format, arguments);
  va_end(arguments);
}

static void fail(const char *file, int line, const char *format, ...) {
  va_list arguments;
  failed += 1;
  if (failed > FAILURES_SHOWN) return;
  const char *name = strrchr(file, '/');
  printf("  %s:%d: ", name == NULL ? file : name + 1, line);
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  printf(about[0] == '\0' ? "\n" : " [%s]\n", about);
  fflush(stdout);
}

void check(bool is_right, const char *what, const char *file, int line) {
  if (!is_right) fail(file, line, "not so: %s", what);
}

void check_number(long long got, long long wanted, const char *what, const char *file, int line) {
  if (got != wanted) fail(file, line, "%s: got %lld, expected %lld", what, got, wanted);
}

void check_text(const char *got, const char *wanted, const char *what, const char *file, int line) {
  if (got == NULL || wanted == NULL ? got != wanted : strcmp(got, wanted) != 0) {
    fail(
        file, line, "%s: got %.300s, expected %.300s", what, got == NULL ? "(null)" : got,
        wanted == NULL ? "(null)" : wanted);
  }
}

void require(bool is_right, const char *what, const char *file, int line) {
  if (is_right) return;
  fail(file, line, "cannot go on without: %s", what);
  exit(1);
}

char *format(const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) abort();
  va_end(arguments);
  return text;
}

/* ------------------------------------------------------------------------------------------------------------ texts */

static const char *skip_string(const char *at) {
  for (at += 1; *at != '\0' && *at != '"'; at++) {
    if (*at == '\\' && at[1] != '\0') at += 1;
  }
  return *at == '"' ? at + 1 : at;
}

/* Convention 7, on the letters: no number has a fraction or an exponent. */
static void scan_numbers(const char *text) {
  const char *at = text;
  while (*at != '\0') {
    if (*at == '"') {
      at = skip_string(at);
    } else if (*at == '-' || isdigit((unsigned char)*at)) {
      size_t length = strspn(at, "-+.eE0123456789");
      if (strcspn(at, ".eE") < length) fail(__FILE__, __LINE__, "a number that is no integer: %.40s", at);
      at += length;
    } else {
      at += 1;
    }
  }
}

json_t *seen(const char *text) {
  json_error_t error;
  if (text == NULL) return NULL;
  scan_numbers(text);
  json_t *document = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
  if (document == NULL) fail(__FILE__, __LINE__, "no JSON (%s): %.80s", error.text, text);
  return document;
}

json_t *taken(char *text) {
  json_t *document = seen(text);
  hco_free(text);
  return document;
}

const char *text_of(const json_t *object, const char *key) {
  const char *value = json_string_value(json_object_get(object, key));
  return value == NULL ? "" : value;
}

long long number_of(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_integer(value) ? json_integer_value(value) : -1;
}

json_t *result_of(hco_status status, char *reply, const char *file, int line) {
  if (status != HCO_OK) fail(file, line, "%s %.300s", hco_status_name(status), reply == NULL ? "(no reply)" : reply);
  return taken(reply);
}

static bool is_one_of(const char *text, const char *const *words) {
  for (; *words != NULL; words++) {
    if (strcmp(*words, text) == 0) return true;
  }
  return false;
}

void check_error_shape(const json_t *error, const char *file, int line) {
  static const char *const keys[] = {"code", "message", "category", "moved", "retryable", "path", "offset", "details"};
  static const char *const categories[] = {"checkout", "api", "session", "argument", NULL};
  static const char *const moves[] = {"no", "unknown", "yes", NULL};
  bool is_right = json_object_size(error) == sizeof keys / sizeof *keys;
  for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
    is_right = is_right && json_object_get(error, keys[index]) != NULL;
  }
  const json_t *path = json_object_get(error, "path"), *offset = json_object_get(error, "offset");
  const json_t *details = json_object_get(error, "details");
  is_right = is_right && text_of(error, "code")[0] != '\0' && text_of(error, "message")[0] != '\0' &&
             is_one_of(text_of(error, "category"), categories) && is_one_of(text_of(error, "moved"), moves) &&
             json_is_boolean(json_object_get(error, "retryable")) && (json_is_string(path) || json_is_null(path)) &&
             (json_is_null(offset) || (json_is_integer(offset) && json_integer_value(offset) >= 0)) &&
             (json_is_object(details) || json_is_null(details));
  if (!is_right) {
    char *text = error == NULL ? NULL : json_dumps(error, JSON_COMPACT | JSON_ENCODE_ANY);
    fail(file, line, "no error object: %.300s", text == NULL ? "(none)" : text);
    free(text);
  }
}

json_t *error_of(hco_status status, char *reply, hco_status wanted, const char *code, const char *file, int line) {
  if (status != wanted) {
    fail(
        file, line, "got %s %.200s, expected %s", hco_status_name(status), reply == NULL ? "" : reply,
        hco_status_name(wanted));
  }
  json_t *error = taken(reply);
  if (status == HCO_OK) return error;
  check_error_shape(error, file, line);
  if (code != NULL) check_text(text_of(error, "code"), code, "code", file, line);
  return error;
}

/* ---------------------------------------------------------------------------------------------------------- running */

static int run_child(const test *test) {
  alarm(SECONDS_FOR_A_TEST);
  test->body();
  fflush(stdout);
  if (failed > FAILURES_SHOWN) printf("  and %d more\n", failed - FAILURES_SHOWN);
  return failed == 0 ? 0 : 1;
}

static bool run_one(const test *test) {
  int state = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) exit(run_child(test));
  if (child < 0 || waitpid(child, &state, 0) != child) return false;
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return true;
  if (WIFSIGNALED(state)) printf("  ended by signal %d (%s)\n", WTERMSIG(state), strsignal(WTERMSIG(state)));
  return false;
}

int run_tests(const char *title, const test *tests, size_t count, int argc, char **argv) {
  int passed = 0, broken = 0;
  for (size_t index = 0; index < count; index++) {
    if (argc > 1 && strstr(tests[index].name, argv[1]) == NULL) continue;
    if (run_one(&tests[index])) {
      passed += 1;
    } else {
      broken += 1;
      printf("FAILED %s: %s\n", title, tests[index].name);
    }
  }
  printf("%s: %d passed, %d failed\n", title, passed, broken);
  return broken == 0 ? 0 : 1;
}
