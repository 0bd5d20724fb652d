#define _POSIX_C_SOURCE 200809L
#include "backend.h"

#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_STEPS 200
#define STEP_NANOSECONDS 10000000L

/* States of /proc/net/tcp. */
enum { ESTABLISHED = 0x01, SYN_SENT = 0x02, SYN_RECEIVED = 0x03, FIN_WAIT_1 = 0x04, CLOSE_WAIT = 0x08, CLOSING = 0x0B };

typedef struct text {
  char *bytes;
  size_t length;
} text;

static size_t keep(char *bytes, size_t size, size_t count, void *user) {
  text *answer = user;
  size_t length = size * count;
  char *grown = realloc(answer->bytes, answer->length + length + 1);
  if (grown == NULL) return 0;
  memcpy(grown + answer->length, bytes, length);
  answer->bytes = grown;
  answer->length += length;
  answer->bytes[answer->length] = '\0';
  return length;
}

/* A GET on a connection of its own. `location`, when wanted, is where a redirect leads. NULL: no answer. */
static char *get(const char *url, char **location) {
  text answer = {0};
  char *leads_to = NULL;
  CURL *curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 10L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  if (curl_easy_perform(curl) != CURLE_OK) {
    free(answer.bytes);
    answer.bytes = NULL;
  } else if (location != NULL && curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &leads_to) == CURLE_OK &&
             leads_to != NULL) {
    *location = strdup(leads_to);
  }
  curl_easy_cleanup(curl);
  return answer.bytes;
}

/* The status of the session's last payment; "" when there is none; NULL when the back end did not answer. */
static char *payment_status(const char *sandbox, const char *session) {
  char url[512];
  snprintf(url, sizeof url, "%s/sandbox/payments?sessionId=%s", sandbox, session);
  char *body = get(url, NULL);
  json_t *document = body == NULL ? NULL : json_loads(body, 0, NULL);
  free(body);
  if (document == NULL) return NULL;
  const json_t *payments = json_object_get(document, "payments");
  const json_t *last = json_array_get(payments, json_array_size(payments) - 1);
  const char *status = json_string_value(json_object_get(last, "status"));
  char *result = strdup(status == NULL ? "" : status);
  json_decref(document);
  return result;
}

/*
 * Is something that a till sent still unread, or read and not yet answered? The tills that sent it are dead, so their
 * ends are closing, and the back end's end closes once it has handled what it holds. An idle connection of this very
 * till does not count.
 */
static bool is_something_on_its_way(unsigned port) {
  char line[512];
  bool is_busy = false;
  FILE *table = fopen("/proc/net/tcp", "r");
  if (table == NULL) return true;
  while (fgets(line, sizeof line, table) != NULL) {
    unsigned local, remote, state, sending, unread;
    if (sscanf(line, " %*d: %*x:%x %*x:%x %x %x:%x", &local, &remote, &state, &sending, &unread) != 5) continue;
    if (local == port && (state == CLOSE_WAIT || state == SYN_RECEIVED)) is_busy = true;
    if (local == port && state == ESTABLISHED && unread > 0) is_busy = true;
    if (remote == port && (state == FIN_WAIT_1 || state == CLOSING || state == SYN_SENT)) is_busy = true;
    if (remote == port && state == ESTABLISHED && sending > 0) is_busy = true;
  }
  fclose(table);
  return is_busy;
}

static void rest(void) {
  struct timespec step = {.tv_nsec = STEP_NANOSECONDS};
  nanosleep(&step, NULL);
}

/* One look. `is_certain` is false when another look may find more. */
static backend_verdict look(const char *sandbox, const char *session, bool *is_certain) {
  const char *colon = strrchr(sandbox, ':');
  /* Nothing on its way first, and no payment then: the other order would miss the one that is made between. */
  bool is_quiet = colon != NULL && !is_something_on_its_way((unsigned)strtoul(colon + 1, NULL, 10));
  char *status = payment_status(sandbox, session);
  backend_verdict verdict = BACKEND_ABANDONED;
  *is_certain = status != NULL && (status[0] != '\0' || is_quiet);
  if (*is_certain) {
    if (strcmp(status, "AUTHORIZED") == 0) verdict = BACKEND_PAID;
    if (strcmp(status, "REFUSED") == 0 || strcmp(status, "ERROR") == 0) verdict = BACKEND_DECLINED;
    if (status[0] == '\0') verdict = BACKEND_NOT_CREATED;
  }
  free(status);
  return verdict;
}

backend_verdict backend_verdict_of(const char *sandbox, const char *session) {
  bool is_certain = false;
  backend_verdict verdict = look(sandbox, session, &is_certain);
  for (int step = 1; !is_certain && step < PATIENCE_STEPS; step++) {
    rest();
    verdict = look(sandbox, session, &is_certain);
  }
  return verdict;
}

const char *backend_word(backend_verdict verdict) {
  static const char *const words[] = {"paid", "declined", "notCreated", "abandoned"};
  return words[verdict];
}

char *backend_approve(const char *page) {
  char url[512], *location = NULL;
  snprintf(url, sizeof url, "%s/approve", page);
  free(get(url, &location));
  return location;
}
