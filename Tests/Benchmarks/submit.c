/*
 * A whole payment over HTTP on loopback: submit SESSION_FILE ROUNDS NAME. Ours is the time from hco_submit to its outcome;
 * the session is created, its server time read and its primary chosen before that.
 *
 * The floor is what any host would write to send those bytes itself with libcurl: curl_easy_init, the headers, the
 * options, curl_easy_perform on a fresh connection to the same server, curl_easy_cleanup. Ours sets its request up in
 * that time, too. The line NAME_prepared has a lower floor: curl_easy_perform alone, with a handle that was set up, and
 * had sent the same before, when the clock starts.
 */
#include <curl/curl.h>
#include <headless_checkout.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "measure.h"
#include "server.h"
#include "session.h"

enum { WARM_UP = 20, WAIT_MS = 5000, DRAINING_POLLS = 20, DRAINING_MS = 1, LARGEST_ANSWER = 4096 };

typedef struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  journal *journal;
  char root[64];
  double outcome_at;
  int outcomes, successes, released;
} host;

/* ---- Ours -------------------------------------------------------------------------------------------------------- */

static void told(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  (void)checkout;
  host *host = user;
  if (kind != HCO_EVENT_OUTCOME) return;
  host->outcome_at = wall_now();
  host->outcomes += 1;
  if (strstr(json, "\"isSuccess\":true") != NULL) host->successes += 1;
}

static void released(void *user) { ((host *)user)->released += 1; }

static void poll_once(host *host, int timeout) {
  must("hco_runtime_poll", hco_runtime_poll(host->runtime, timeout), NULL);
}

/* What lies in the sockets is read and acted upon. */
static void drain(host *host) {
  for (int polls = 0; polls < DRAINING_POLLS; polls++) poll_once(host, DRAINING_MS);
}

static void choose_saved_card(host *host, const char *properties) {
  const char *tokens = strstr(properties, "\"paymentTokens\":[");
  const char *id = tokens == NULL ? NULL : strstr(tokens, "\"id\":\"");
  if (id == NULL) give_up("the session has no saved card");
  id += strlen("\"id\":\"");
  char request[256], *reply = NULL;
  snprintf(request, sizeof request, "{\"token\":\"%.*s\"}", (int)strcspn(id, "\""), id);
  must("hco_set_primary", hco_set_primary(host->checkout, request, &reply), reply);
}

static void open_checkout(host *host) {
  unsigned times = atomic_load(&host->journal->times);
  char *request = session_request(host->root, host->root), *reply = NULL;
  hco_callbacks callbacks = {.listener = told, .release = released, .user = host};
  hco_status status = hco_create(host->runtime, request, &callbacks, &host->checkout, &reply);
  free(request);
  if (status != HCO_OK) must("hco_create", status, reply);
  choose_saved_card(host, reply);
  hco_free(reply);
  double limit = wall_now() + WAIT_MS * 1000.0;
  while (atomic_load(&host->journal->times) == times && wall_now() < limit) poll_once(host, 0);
  drain(host);
}

static void close_checkout(host *host) {
  int expected = host->released + 1;
  hco_release(host->checkout);
  double limit = wall_now() + WAIT_MS * 1000.0;
  while (host->released != expected && wall_now() < limit) poll_once(host, 0);
  if (host->released != expected) give_up("the checkout was not released");
}

static double submit(host *host) {
  int expected = host->outcomes + 1;
  char *reply = NULL;
  double start = wall_now();
  hco_status status = hco_submit(host->checkout, "{}", &reply);
  while (host->outcomes != expected && wall_now() - start < WAIT_MS * 1000.0) poll_once(host, WAIT_MS);
  double taken = host->outcome_at - start;
  must("hco_submit", status, reply);
  if (host->outcomes != expected || host->successes != expected) give_up("the payment did not succeed");
  return taken;
}

/* ---- The floor --------------------------------------------------------------------------------------------------- */

enum { MOST_HEADERS = 32 };

typedef struct bare {
  CURL *easy;
  struct curl_slist *headers;
  char head[LARGEST_REQUEST], *lines[MOST_HEADERS];
  size_t line_count;
  char url[256], body[LARGEST_REQUEST];
  char answer[LARGEST_ANSWER];
  size_t length, answer_length;
} bare;

static size_t keep(char *bytes, size_t size, size_t count, void *user) {
  bare *bare = user;
  size_t length = size * count;
  if (length > sizeof bare->answer - bare->answer_length) return 0;
  memcpy(bare->answer + bare->answer_length, bytes, length);
  bare->answer_length += length;
  return length;
}

static int is_curls_own(const char *line) {
  return strncasecmp(line, "host:", 5) == 0 || strncasecmp(line, "content-length:", 15) == 0;
}

/* The request that the server saw last, to be sent again as it was. */
static void copy_request(bare *bare, const server *server) {
  char *rest = NULL;
  const char *end = strstr(server->journal->request, "\r\n\r\n");
  if (end == NULL) give_up("no request was kept");
  snprintf(bare->head, sizeof bare->head, "%.*s", (int)(end - server->journal->request), server->journal->request);
  snprintf(bare->body, sizeof bare->body, "%s", end + 4);
  bare->length = strlen(bare->body);
  char *line = strtok_r(bare->head, "\r\n", &rest), *space = strchr(line, ' ');
  if (space == NULL) give_up("no request was kept");
  const char *path = space + 1;
  snprintf(bare->url, sizeof bare->url, "http://127.0.0.1:%d%.*s", server->port, (int)strcspn(path, " "), path);
  while ((line = strtok_r(NULL, "\r\n", &rest)) != NULL) {
    if (is_curls_own(line)) continue;
    if (bare->line_count == MOST_HEADERS) give_up("more headers than room");
    bare->lines[bare->line_count++] = line;
  }
}

static void set_up(bare *bare) {
  bare->headers = NULL;
  for (size_t line = 0; line < bare->line_count; line++) {
    bare->headers = curl_slist_append(bare->headers, bare->lines[line]);
  }
  bare->easy = curl_easy_init();
  if (bare->easy == NULL) give_up("libcurl cannot start");
  curl_easy_setopt(bare->easy, CURLOPT_URL, bare->url);
  curl_easy_setopt(bare->easy, CURLOPT_PROXY, "");
  curl_easy_setopt(bare->easy, CURLOPT_HTTPHEADER, bare->headers);
  curl_easy_setopt(bare->easy, CURLOPT_POSTFIELDS, bare->body);
  curl_easy_setopt(bare->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)bare->length);
  curl_easy_setopt(bare->easy, CURLOPT_WRITEFUNCTION, keep);
  curl_easy_setopt(bare->easy, CURLOPT_WRITEDATA, bare);
  curl_easy_setopt(bare->easy, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(bare->easy, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(bare->easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(bare->easy, CURLOPT_TIMEOUT_MS, (long)WAIT_MS);
}

static void tear_down(bare *bare) {
  curl_easy_cleanup(bare->easy);
  curl_slist_free_all(bare->headers);
}

static void perform(bare *bare) {
  bare->answer_length = 0;
  CURLcode code = curl_easy_perform(bare->easy);
  if (code != CURLE_OK) give_up("the bare request failed: %s", curl_easy_strerror(code));
}

static void check_answer(const bare *bare) {
  if (bare->answer_length == 0) give_up("the bare request had no answer");
}

/* The whole of it. */
static double post(bare *bare) {
  double start = wall_now();
  set_up(bare);
  perform(bare);
  tear_down(bare);
  double taken = wall_now() - start;
  check_answer(bare);
  return taken;
}

/* With a handle that is ready. */
static double post_prepared(bare *bare) {
  double start = wall_now();
  perform(bare);
  double taken = wall_now() - start;
  check_answer(bare);
  return taken;
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

typedef struct samples {
  sample bare, prepared;
} samples;

/* All start from the same: a checkout that is ready, and this program running. They take turns in going first. */
static void one_round(host *host, bare *fresh, bare *prepared, int round, samples *samples) {
  double ours = 0, whole = 0, performed = 0;
  open_checkout(host);
  unsigned payments = atomic_load(&host->journal->payments);
  for (int turn = 0; turn < 3; turn++) {
    switch ((round + turn) % 3) {
      case 0: ours = submit(host); break;
      case 1: whole = post(fresh); break;
      default: performed = post_prepared(prepared); break;
    }
  }
  close_checkout(host);
  if (atomic_load(&host->journal->payments) != payments + 3) give_up("not three payment requests were sent");
  if (samples == NULL) return;
  sample_add(&samples->bare, ours, whole);
  sample_add(&samples->prepared, ours, performed);
}

static void run(const server *server, int rounds, const char *name) {
  host host = {.journal = server->journal};
  bare fresh = {0}, prepared = {0};
  char *reply = NULL, prepared_name[64];
  snprintf(host.root, sizeof host.root, "http://127.0.0.1:%d", server->port);
  snprintf(prepared_name, sizeof prepared_name, "%s_prepared", name);
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &host.runtime, &reply);
  must("hco_runtime_create", status, reply);
  open_checkout(&host);
  submit(&host);
  close_checkout(&host);
  size_t length = server->journal->length;
  copy_request(&fresh, server);
  copy_request(&prepared, server);
  set_up(&prepared);
  post_prepared(&prepared);
  if (server->journal->length != length) give_up("the bare request is not the same");
  for (int round = 0; round < WARM_UP; round++) one_round(&host, &fresh, &prepared, round, NULL);
  samples samples = {sample_make((size_t)rounds), sample_make((size_t)rounds)};
  for (int round = 0; round < rounds; round++) one_round(&host, &fresh, &prepared, round, &samples);
  sample_print(&samples.bare, name, "1.15");
  sample_print(&samples.prepared, prepared_name, NULL);
  tear_down(&prepared);
  hco_runtime_destroy(host.runtime);
}

int main(int count, char **arguments) {
  int rounds = count == 4 ? atoi(arguments[2]) : 0;
  if (rounds <= 0) give_up("usage: submit SESSION_FILE ROUNDS NAME");
  server server = server_start();
  session_load(arguments[1]);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  printf("submit: medians of %d rounds in turns; the same bytes each time, on a fresh connection\n", rounds);
  printf("submit: floor: curl_easy_init, setopt, perform, cleanup; floor of _prepared: perform alone\n");
  run(&server, rounds, arguments[3]);
  server_stop(&server);
  return 0;
}
