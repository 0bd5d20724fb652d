/* libcurl's multi interface, driven by the poller of one runtime. */
#include "curl_library.h"
#include "curl_transfer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { KEPT_CONNECTIONS = 4 };

struct hcs_http {
  CURLM *multi;
  hcs_poller *poller;
  transfer_common common;
  int64_t deadline; /* -1: none */
  int in_round; /* `round_thread` has SIGPIPE kept away until the round ends */
  pthread_t round_thread;
  pipe_guard round_guard;
  size_t count;
  transfer *running;
  transfer *finished;
  transfer **last_finished;
  transfer *told; /* what the pointers of the results point into */
};

/* ---- SIGPIPE ------------------------------------------------------------------------------------------------------ */

/* A round is many calls of one thread under one guard. A thread that comes in between has a guard of its own. */
static int is_guarded(const hcs_http *http) {
  return http->in_round && pthread_equal(http->round_thread, pthread_self());
}

static void enter(const hcs_http *http, pipe_guard *guard) {
  if (!is_guarded(http)) pipe_guard_enter(guard);
}

static void leave(const hcs_http *http, const pipe_guard *guard) {
  if (!is_guarded(http)) pipe_guard_leave(guard);
}

void hcs_http_round_begin(hcs_http *http) {
  if (http->in_round) return;
  pipe_guard_enter(&http->round_guard);
  http->round_thread = pthread_self();
  http->in_round = 1;
}

void hcs_http_round_end(hcs_http *http) {
  if (!is_guarded(http)) return;
  http->in_round = 0;
  pipe_guard_leave(&http->round_guard);
}

/* ---- What libcurl asks of the poller ----------------------------------------------------------------------------- */

static int on_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context) {
  (void)easy, (void)socket_context;
  hcs_http *http = context;
  int mask = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) mask |= HCS_READ;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) mask |= HCS_WRITE;
  /* A socket that cannot be watched ends in its time-out. */
  hcs_poller_watch(http->poller, socket, mask);
  return 0;
}

static int on_timer(CURLM *multi, long milliseconds, void *context) {
  (void)multi;
  hcs_http *http = context;
  if (milliseconds < 0) {
    http->deadline = -1;
  } else {
    /* One more, since the clock is read in whole milliseconds: never early, or libcurl would ask in circles. */
    http->deadline = hcs_boot_milliseconds() + milliseconds + (milliseconds > 0);
  }
  return 0;
}

/* ---- Creating ---------------------------------------------------------------------------------------------------- */

static int check_files(const hcs_http_options *options, char *error, size_t capacity) {
  static const struct {
    int option;
    const char *words;
  } files[] = {
      {HCS_HTTP_CA_FILE, "the file of certificate authorities cannot be read"},
      {HCS_HTTP_CLIENT_CERTIFICATE, "the client certificate cannot be read"},
      {HCS_HTTP_CLIENT_KEY, "the client certificate's key cannot be read"},
  };
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    const char *path = options->text[files[index].option];
    if (path == NULL || access(path, R_OK) == 0) continue;
    snprintf(error, capacity, "%s", files[index].words);
    return -1;
  }
  return 0;
}

static int set_up(hcs_http *http) {
  http->multi = curl.multi_init();
  if (http->multi == NULL) return -1;
  int failed = curl.multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, on_socket) != CURLM_OK;
  failed |= curl.multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http) != CURLM_OK;
  failed |= curl.multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, on_timer) != CURLM_OK;
  failed |= curl.multi_setopt(http->multi, CURLMOPT_TIMERDATA, http) != CURLM_OK;
  failed |= curl.multi_setopt(http->multi, CURLMOPT_MAXCONNECTS, (long)KEPT_CONNECTIONS) != CURLM_OK;
  return failed ? -1 : 0;
}

hcs_http *hcs_http_create(const hcs_http_options *options, hcs_poller *poller, char *error, size_t error_capacity) {
  if (error_capacity > 0) error[0] = 0;
  if (curl_load(error, error_capacity) != 0 || check_files(options, error, error_capacity) != 0) return NULL;
  hcs_http *http = calloc(1, sizeof *http);
  if (http != NULL) {
    http->poller = poller;
    http->deadline = -1;
    http->last_finished = &http->finished;
    http->common.options = http_options_copy(options);
  }
  pipe_guard guard;
  pipe_guard_enter(&guard);
  if (http == NULL || http->common.options == NULL || set_up(http) != 0) {
    hcs_http_destroy(http);
    http = NULL;
    snprintf(error, error_capacity, "out of memory");
  }
  pipe_guard_leave(&guard);
  return http;
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static transfer **place_of(hcs_http *http, uint64_t id) {
  transfer **place = &http->running;
  while (*place != NULL && (*place)->request->id != id) place = &(*place)->next;
  return place;
}

static void forget_running(hcs_http *http, transfer *gone) {
  transfer **place = &http->running;
  while (*place != NULL && *place != gone) place = &(*place)->next;
  if (*place == NULL) return;
  *place = gone->next;
  gone->next = NULL;
  http->count--;
}

static int start(hcs_http *http, hcs_http_request *request) {
  transfer *made = NULL;
  int result = transfer_create(request, &http->common, &made);
  if (result != HCS_HTTP_OK) return result;
  if (curl.multi_add_handle(http->multi, made->easy) != CURLM_OK) {
    transfer_destroy(made);
    return HCS_HTTP_LIBRARY;
  }
  made->next = http->running;
  http->running = made;
  http->count++;
  return HCS_HTTP_OK;
}

int hcs_http_start(hcs_http *http, hcs_http_request *request) {
  int refusal = http->common.in_gate ? HCS_HTTP_REENTRANT : HCS_HTTP_OK;
  if (refusal == HCS_HTTP_OK && *place_of(http, request->id) != NULL) refusal = HCS_HTTP_ID_IN_USE;
  if (refusal != HCS_HTTP_OK) {
    hcs_http_request_destroy(request);
    return refusal;
  }
  pipe_guard guard;
  enter(http, &guard);
  int result = start(http, request);
  leave(http, &guard);
  return result;
}

int hcs_http_cancel(hcs_http *http, uint64_t id) {
  transfer *gone = http->common.in_gate ? NULL : *place_of(http, id);
  if (gone == NULL) return -1;
  pipe_guard guard;
  enter(http, &guard);
  int left = transfer_has_left(gone);
  forget_running(http, gone);
  curl.multi_remove_handle(http->multi, gone->easy);
  transfer_destroy(gone);
  transfer_close_sockets(&http->common);
  leave(http, &guard);
  return left;
}

static void collect(hcs_http *http) {
  int waiting = 0;
  CURLMsg *message;
  while ((message = curl.multi_info_read(http->multi, &waiting)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL *easy = message->easy_handle;
    CURLcode code = message->data.result; /* the message does not outlive the handle's removal */
    transfer *ended = NULL;
    curl.easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&ended);
    curl.multi_remove_handle(http->multi, easy);
    forget_running(http, ended);
    transfer_end(ended, code);
    *http->last_finished = ended;
    http->last_finished = &ended->next;
  }
}

static void act(hcs_http *http, curl_socket_t socket, int events) {
  int still_running = 0;
  pipe_guard guard;
  if (http->common.in_gate) return;
  enter(http, &guard);
  curl.multi_socket_action(http->multi, socket, events, &still_running);
  collect(http);
  leave(http, &guard);
}

void hcs_http_socket_ready(hcs_http *http, int fd, int mask) {
  int events = 0;
  if (mask & HCS_READ) events |= CURL_CSELECT_IN;
  if (mask & HCS_WRITE) events |= CURL_CSELECT_OUT;
  act(http, fd, events);
}

void hcs_http_timeout(hcs_http *http) {
  if (http->common.in_gate || http->deadline < 0 || http->deadline > hcs_boot_milliseconds()) return;
  http->deadline = -1; /* libcurl names the next one */
  act(http, CURL_SOCKET_TIMEOUT, 0);
}

int64_t hcs_http_deadline(const hcs_http *http) { return http->deadline; }

size_t hcs_http_running(const hcs_http *http) { return http->count; }

/* ---- Results ----------------------------------------------------------------------------------------------------- */

int hcs_http_finished(hcs_http *http, hcs_http_result *result) {
  transfer *next = http->finished;
  if (next == NULL) return 0;
  http->finished = next->next;
  if (http->finished == NULL) http->last_finished = &http->finished;
  next->next = http->told;
  http->told = next;
  transfer_describe(next, result);
  return 1;
}

static void destroy_all(transfer **list) {
  while (*list != NULL) {
    transfer *gone = *list;
    *list = gone->next;
    transfer_destroy(gone);
  }
}

void hcs_http_tidy(hcs_http *http) {
  pipe_guard guard;
  if (http->told == NULL && http->common.closing_count == 0) return;
  enter(http, &guard);
  transfer_close_sockets(&http->common);
  destroy_all(&http->told);
  leave(http, &guard);
}

void hcs_http_destroy(hcs_http *http) {
  if (http == NULL) return;
  pipe_guard guard;
  enter(http, &guard);
  for (transfer *running = http->running; running != NULL; running = running->next) {
    curl.multi_remove_handle(http->multi, running->easy);
  }
  destroy_all(&http->running);
  destroy_all(&http->finished);
  destroy_all(&http->told);
  if (http->common.spare != NULL) curl.easy_cleanup(http->common.spare);
  if (http->multi != NULL) curl.multi_cleanup(http->multi);
  transfer_close_sockets(&http->common);
  leave(http, &guard);
  hcs_http_options_destroy(http->common.options);
  free(http);
}

const char *hcs_http_library_version(void) { return curl_loaded_version(); }
