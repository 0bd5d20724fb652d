/*
 * The library inside a loop of your own: its one descriptor is watched beside your timer and your keyboard.
 *
 *   event_loop http://127.0.0.1:PORT
 *
 * Exit code: 0 when the payment succeeded and the loop's own timer was heard meanwhile, else 1.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "calls.h"
#include "merchant.h"

#define CARD "purse-creditcard"

typedef struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *outcome;
  int ticks;
} host;

static void pay(hco_checkout *checkout) {
  json_decref(must(
      hco_element_report, checkout,
      json_pack("{s:s, s:s, s:b}", "element", CARD, "report", "formValidity", "valid", 1)));
  json_decref(must(hco_submit, checkout, json_object()));
}

/* The element is open: on with it. Every function but poll and next may be called from a callback. */
static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  host *host = user;
  if (kind == HCO_EVENT_RESULT) pay(checkout);
  if (kind == HCO_EVENT_OUTCOME) host->outcome = json_loads(json, 0, NULL);
}

/* The one question this host declared that it can answer. */
static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  (void)user;
  (void)json;
  if (kind != HCO_HOOK_STEP) return;
  answer_ticket(checkout, ticket, json_pack("{s:{s:s}}", "ok", "vault_form_token", "tok_slow_00000000000000000000000"));
}

static void create(host *host, const char *sandbox, const json_t *session) {
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &host->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  json_t *more = json_pack("{s:[{s:s, s:[s]}]}", "capabilities", "item", CARD, "steps", "collect");
  json_t *request = create_request(sandbox, merchant_widget_data(session), more);
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .user = host};
  reply = NULL;
  status = hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply);
  json_decref(reply_of("hco_create", status, reply));
  json_decref(request);
  free(request_text);
}

static int tick_every(long milliseconds) {
  struct itimerspec often = {{0, milliseconds * 1000000}, {0, milliseconds * 1000000}};
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  if (timer < 0 || timerfd_settime(timer, 0, &often, NULL) != 0) exit(1);
  return timer;
}

/* A keyboard that is a file or /dev/null cannot be watched: that is no fault. */
static void watch(int loop, int descriptor, uint32_t events) {
  struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
  if (epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event) != 0 && descriptor != STDIN_FILENO) exit(1);
}

static void on_ready(host *host, int descriptor, int timer, int loop) {
  uint64_t expirations;
  char line[256];
  if (descriptor == timer) {
    if (read(timer, &expirations, sizeof expirations) == sizeof expirations) host->ticks += (int)expirations;
  } else if (descriptor == STDIN_FILENO) {
    ssize_t length = read(STDIN_FILENO, line, sizeof line);
    if (length > 0) printf("  you typed %zd bytes while the payment runs\n", length);
    if (length <= 0) epoll_ctl(loop, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
  } else if (hco_runtime_poll(host->runtime, 0) != HCO_OK) {
    exit(1);
  }
}

int main(int argc, char **argv) {
  host host = {0};
  if (argc < 2) return 1;
  json_t *session = merchant_create_session(argv[1], 4200);
  create(&host, argv[1], session);

  int loop = epoll_create1(EPOLL_CLOEXEC);
  int timer = tick_every(100);
  watch(loop, hco_runtime_fd(host.runtime), EPOLLIN | EPOLLET); /* edge triggered, because it can */
  watch(loop, timer, EPOLLIN);
  watch(loop, STDIN_FILENO, EPOLLIN);

  json_decref(must(hco_set_primary, host.checkout, json_pack("{s:s}", "item", CARD)));
  json_decref(must(hco_element_open, host.checkout, json_pack("{s:s}", "item", CARD)));
  while (host.outcome == NULL) {
    struct epoll_event ready[8];
    int count = epoll_wait(loop, ready, 8, 20000);
    if (count == 0) break; /* twenty seconds of nothing, not even the timer */
    for (int index = 0; index < count; index++) on_ready(&host, ready[index].data.fd, timer, loop);
  }
  int is_as_wanted = strcmp(text(host.outcome, "status"), "SUCCESS") == 0 && host.ticks > 0;
  printf("outcome: %s %s, after %d ticks\n", text(host.outcome, "kind"), text(host.outcome, "status"), host.ticks);

  hco_release(host.checkout);
  hco_runtime_destroy(host.runtime);
  close(timer);
  close(loop);
  json_decref(host.outcome);
  json_decref(session);
  if (is_as_wanted) printf("example event_loop: ok\n");
  return is_as_wanted ? 0 : 1;
}
