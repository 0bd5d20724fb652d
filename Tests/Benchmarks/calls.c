/*
 * What calls cost a C host: calls SESSION_FILE ROUNDS. The transport is the host's, so that no socket is in the
 * figures. The floor of a call is a text of its reply's size, allocated, written by snprintf and freed: less than that
 * no library can do which hands out a text.
 */
#include <headless_checkout.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "session.h"

enum { CALLS_A_ROUND = 20, MOST_POLLS = 1000 };

typedef hco_status function(hco_checkout *checkout, const char *request, char **reply);

typedef struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  char gift_card[128];
  int has_gift_card, released;
} host;

/* ---- The back end ------------------------------------------------------------------------------------------------ */

static const char time_body[] = "{\"utc\":\"Mon, 30 Nov 2026 12:00:00 GMT\",\"iso\":\"2026-11-30T12:00:00.000Z\"}";
static const char init_body[] =
    "{\"id\":\"i1\",\"session_id\":\"s\",\"date\":\"2026-11-30T12:00:00Z\",\"partner\":\"illicado\","
    "\"method\":\"giftcard\",\"step_id\":1,"
    "\"status\":{\"action\":\"INIT\",\"state\":\"SUCCESS\",\"code\":\"SUCCEEDED\"},"
    "\"plugin_result\":{\"amount\":50.00,\"currency_code\":\"EUR\",\"expiration_date\":\"2031-01-01T00:00:00Z\"}}";

static void asked(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  (void)checkout;
  host *host = user;
  if (kind != HCO_HOOK_HTTP) return;
  const char *body = strstr(json, "/datetime\"") != NULL ? time_body : init_body;
  char *reply = NULL;
  hco_status status =
      hco_runtime_answer_http(host->runtime, ticket, "{\"ok\":{\"status\":200}}", body, strlen(body), &reply);
  must("hco_runtime_answer_http", status, reply);
}

/* ---- The host ---------------------------------------------------------------------------------------------------- */

static void told(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  (void)checkout;
  host *host = user;
  const char *id = kind == HCO_EVENT_RESULT ? strstr(json, "\"id\":\"") : NULL;
  if (id == NULL) return;
  id += strlen("\"id\":\"");
  snprintf(host->gift_card, sizeof host->gift_card, "%.*s", (int)strcspn(id, "\""), id);
  host->has_gift_card = 1;
}

static void released(void *user) { ((host *)user)->released += 1; }

static void poll_until(host *host, const int *flag, int value) {
  for (int polls = 0; *flag != value; polls++) {
    if (polls == MOST_POLLS) give_up("nothing came");
    must("hco_runtime_poll", hco_runtime_poll(host->runtime, 0), NULL);
  }
}

static char *create(host *host, const char *request) {
  char *reply = NULL;
  hco_callbacks callbacks = {.listener = told, .release = released, .user = host};
  hco_status status = hco_create(host->runtime, request, &callbacks, &host->checkout, &reply);
  if (status != HCO_OK) must("hco_create", status, reply);
  return reply;
}

static void read_gift_card(host *host) {
  char *reply = NULL;
  const char *request = "{\"item\":\"illicado-giftcard\",\"number\":\"6000000000000000001\",\"cvv\":\"1234\"}";
  must("hco_read_secondary", hco_read_secondary(host->checkout, request, &reply), reply);
  poll_until(host, &host->has_gift_card, 1);
}

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

static double floor_of(size_t length) {
  char *text = malloc(length + 1);
  if (text == NULL) give_up("out of memory");
  memset(text, 'x', length);
  text[length] = '\0';
  int written = 0;
  double start = thread_now();
  for (int index = 0; index < CALLS_A_ROUND; index++) {
    char *copy = malloc(length + 1);
    if (copy == NULL) give_up("out of memory");
    written += snprintf(copy, length + 1, "%s", text) == (int)length;
    free(copy);
  }
  double taken = thread_now() - start;
  free(text);
  if (written != CALLS_A_ROUND) give_up("snprintf failed");
  return taken / CALLS_A_ROUND;
}

/* hco_create alone, and a checkout's whole life: created, its requests and events handled by polls, released. */
static void measure_create(host *host, int rounds) {
  sample call = sample_make((size_t)rounds), life = sample_make((size_t)rounds);
  for (int round = 0; round < rounds; round++) {
    char *request = session_request("https://backend.invalid/pay", "https://backend.invalid/time");
    int expected = host->released + 1;
    double start = thread_now();
    char *reply = create(host, request);
    double created = thread_now();
    size_t length = strlen(reply);
    hco_free(reply);
    must("hco_runtime_poll", hco_runtime_poll(host->runtime, 0), NULL);
    hco_release(host->checkout);
    poll_until(host, &host->released, expected);
    double end = thread_now();
    free(request);
    double floor = floor_of(length);
    sample_add(&call, created - start, floor);
    sample_add(&life, end - start, floor);
  }
  sample_print(&call, "create", NULL);
  sample_print(&life, "create_to_release", NULL);
}

/* Requests take turns, so that a call that could notice a repetition cannot. */
static void measure_call(host *host, const char *name, function *function, const char *const requests[2], int rounds) {
  sample sample = sample_make((size_t)rounds);
  for (int round = 0; round < rounds; round++) {
    char *reply = NULL;
    double start = thread_now();
    for (int index = 0; index < CALLS_A_ROUND; index++) {
      hco_free(reply);
      hco_status status = function(host->checkout, requests[index % 2], &reply);
      if (status != HCO_OK) must(name, status, reply);
    }
    double taken = thread_now() - start;
    double floor = floor_of(strlen(reply));
    hco_free(reply);
    must("hco_runtime_poll", hco_runtime_poll(host->runtime, 0), NULL);
    sample_add(&sample, taken / CALLS_A_ROUND, floor);
  }
  sample_print(&sample, name, NULL);
}

static void measure_calls(host *host, int rounds) {
  char *request = session_request("https://backend.invalid/pay", "https://backend.invalid/time");
  hco_free(create(host, request));
  free(request);
  read_gift_card(host);
  const char *const nothing[2] = {"{}", "{}"};
  const char *const primaries[2] = {"{\"item\":\"hipay-bancontact\"}", "{\"item\":\"oney-cb3x\"}"};
  char amounts[2][192];
  for (int index = 0; index < 2; index++) {
    snprintf(amounts[index], sizeof amounts[index], "{\"token\":\"%s\",\"amount\":%d}", host->gift_card, 1000 + index);
  }
  const char *const cards[2] = {amounts[0], amounts[1]};
  measure_call(host, "set_primary", hco_set_primary, primaries, rounds);
  measure_call(host, "apply_secondary", hco_apply_secondary, cards, rounds);
  measure_call(host, "split", hco_split, nothing, rounds);
  measure_call(host, "state", hco_state, nothing, rounds);
  hco_release(host->checkout);
}

int main(int count, char **arguments) {
  int rounds = count == 3 ? atoi(arguments[2]) : 0;
  if (rounds <= 0) give_up("usage: calls SESSION_FILE ROUNDS");
  session_load(arguments[1]);
  host host = {0};
  char *reply = NULL;
  hco_callbacks callbacks = {.hook = asked, .user = &host};
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":\"host\"}", &callbacks, &host.runtime, &reply);
  must("hco_runtime_create", status, reply);
  printf("calls: medians of %d rounds of thread time; floor: malloc, snprintf, free of the reply's size\n", rounds);
  measure_create(&host, rounds);
  measure_calls(&host, rounds);
  hco_runtime_destroy(host.runtime);
  return 0;
}
