/*
 * A small test harness. Each test runs in a process of its own, so that one that crashes or hangs is one failed test
 * and nothing else. A binary prints the failures and one line of totals.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <headless_checkout.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct test {
  const char *name;
  void (*body)(void);
} test;

#define TEST(name) {#name, name}

/* Runs all tests, or those whose names hold argv[1]; the exit code of main. */
int run_tests(const char *title, const test *tests, size_t count, int argc, char **argv);
#define RUN_TESTS(title, tests) run_tests(title, tests, sizeof(tests) / sizeof *(tests), argc, argv)

/* Notes a failure and goes on. */
void check(bool is_right, const char *what, const char *file, int line);
#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)
void check_number(long long got, long long wanted, const char *what, const char *file, int line);
#define CHECK_NUMBER(got, wanted) check_number(got, wanted, #got, __FILE__, __LINE__)
void check_text(const char *got, const char *wanted, const char *what, const char *file, int line);
#define CHECK_TEXT(got, wanted) check_text(got, wanted, #got, __FILE__, __LINE__)
/* Ends the test: nothing after it would make sense. */
#define REQUIRE(condition) require(condition, #condition, __FILE__, __LINE__)
void require(bool is_right, const char *what, const char *file, int line);

/* Printed with every failure until it is set again. */
void context(const char *format, ...) __attribute__((format(printf, 1, 2)));
int failures(void);

/* A text of its own, never freed: a test's process is short. */
char *format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * What came out of the library: looked through for numbers with a fraction or an exponent and for duplicate keys
 * (convention 7), parsed, and freed if it is owned.
 */
json_t *seen(const char *text);
json_t *taken(char *text);

/* Members, tolerant of what is not there. */
const char *text_of(const json_t *object, const char *key);
long long number_of(const json_t *object, const char *key);

/* The reply of a call that must have been fine: its result. `reply` is looked at after the call. */
json_t *result_of(hco_status status, char *reply, const char *file, int line);
#define RESULT(call, reply)                               \
  ({                                                      \
    hco_status status_of_call = (call);                   \
    result_of(status_of_call, reply, __FILE__, __LINE__); \
  })
/* The reply of a call that must have been refused so, in the shape of an error object. `code` NULL: any. */
json_t *error_of(hco_status status, char *reply, hco_status wanted, const char *code, const char *file, int line);
#define ERROR(call, reply, wanted, code)                               \
  ({                                                                   \
    hco_status status_of_call = (call);                                \
    error_of(status_of_call, reply, wanted, code, __FILE__, __LINE__); \
  })
void check_error_shape(const json_t *error, const char *file, int line);

#endif
