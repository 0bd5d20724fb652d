#define _GNU_SOURCE
#include "probe.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int count_entries(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) return -1;
  int count = 0;
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

int thread_count(void) { return count_entries("/proc/self/task"); }

int descriptor_count(void) { return count_entries("/proc/self/fd"); }

static int gate(void *context, uint64_t id) {
  (void)id;
  client *asked = context;
  if (asked->breaks_a_pipe) {
    int ends[2];
    if (pipe(ends) != 0) return 0;
    close(ends[0]);
    ssize_t put = write(ends[1], "x", 1);
    close(ends[1]);
    return put < 0;
  }
  return 1;
}

int client_open(client *made) {
  memset(made, 0, sizeof *made);
  made->poller = hcs_poller_create(-1);
  hcs_http_options *options = hcs_http_options_create();
  if (made->poller == NULL || options == NULL) return -1;
  hcs_http_options_allow_loopback(options, 1);
  hcs_http_options_gate(options, gate, made);
  made->http = hcs_http_create(options, made->poller, made->error, sizeof made->error);
  hcs_http_options_destroy(options);
  return made->http == NULL ? -1 : 0;
}

void client_close(client *gone) {
  hcs_http_destroy(gone->http);
  hcs_poller_destroy(gone->poller);
}

static int run(client *through, const char *url, int64_t milliseconds, int money, hcs_http_result *result) {
  static uint64_t last_id;
  hcs_http_request *request = hcs_http_request_create(
      ++last_id, (const uint8_t *)"POST", 4, (const uint8_t *)url, strlen(url));
  if (request == NULL) return -1;
  hcs_http_request_limits(request, milliseconds, milliseconds, 1 << 20);
  if (money) hcs_http_request_money(request);
  hcs_body *body = hcs_body_create(NULL);
  if (body != NULL) hcs_http_request_body(request, body);
  if (hcs_http_start(through->http, request) != HCS_HTTP_OK) return -1;
  while (hcs_http_running(through->http) > 0) {
    hcs_ready ready[8];
    int woken, expired;
    hcs_poller_deadline(through->poller, hcs_http_deadline(through->http));
    int count = hcs_poller_wait(through->poller, 1000, ready, 8, &woken, &expired);
    for (int index = 0; index < count; index++) {
      hcs_http_socket_ready(through->http, ready[index].fd, ready[index].mask);
    }
    if (expired) hcs_http_timeout(through->http);
  }
  return hcs_http_finished(through->http, result) == 1 ? 0 : -1;
}

int client_get(client *through, int port, int money) {
  char url[64];
  hcs_http_result result;
  snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
  if (run(through, url, 5000, money, &result) != 0 || !result.complete) return -1;
  return result.status;
}

int client_run(client *through, const char *url, int64_t milliseconds) {
  hcs_http_result result;
  return run(through, url, milliseconds, 1, &result) == 0 ? result.curl_code : -1;
}
