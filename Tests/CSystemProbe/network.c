#define _GNU_SOURCE
#include "probe.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- What a host finds unchanged ------------------------------------------------------------------------------- */

typedef struct {
  struct sigaction actions[NSIG];
  sigset_t mask;
} signal_state;

static signal_state signals_now(void) {
  signal_state state;
  memset(&state, 0, sizeof state);
  for (int number = 1; number < NSIG; number++) sigaction(number, NULL, &state.actions[number]);
  pthread_sigmask(SIG_SETMASK, NULL, &state.mask);
  return state;
}

static int same_signals(const signal_state *one, const signal_state *other) {
  for (int number = 1; number < NSIG; number++) {
    if (one->actions[number].sa_handler != other->actions[number].sa_handler) return 0;
    if (one->actions[number].sa_flags != other->actions[number].sa_flags) return 0;
    if (sigismember(&one->mask, number) != sigismember(&other->mask, number)) return 0;
  }
  return 1;
}

static int pipe_signal_is_pending(void) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE);
}

static void once(int port) {
  client made;
  CHECK(client_open(&made) == 0);
  made.breaks_a_pipe = 1;
  CHECK(client_get(&made, port, 0) == 200);
  CHECK(client_get(&made, port, 0) == 200);
  CHECK(client_get(&made, port, 1) == 200);
  CHECK(thread_count() == 1);
  client_close(&made);
}

void scenario_hygiene(int port) {
  CHECK(thread_count() == 1);
  signal_state before = signals_now();
  once(port);
  signal_state after = signals_now();
  CHECK(same_signals(&before, &after));
  CHECK(!pipe_signal_is_pending());
  int descriptors = descriptor_count();
  for (int round = 0; round < 20; round++) once(port);
  for (int round = 0; round < 1000; round++) {
    client made;
    if (client_open(&made) != 0) CHECK(0);
    client_close(&made);
  }
  CHECK(descriptor_count() == descriptors);
  CHECK(thread_count() == 1);
}

/* The host blocks SIGPIPE and has one waiting: it is still there afterwards, once. */
void scenario_pending(int port) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &only, NULL);
  once(port);
  CHECK(!pipe_signal_is_pending());
  pthread_kill(pthread_self(), SIGPIPE);
  once(port);
  CHECK(pipe_signal_is_pending());
}

/* ---- Many first clients at once --------------------------------------------------------------------------------- */

static pthread_barrier_t barrier;

static void *first_client(void *context) {
  client made;
  int port = *(int *)context;
  pthread_barrier_wait(&barrier);
  intptr_t wrong = client_open(&made) != 0;
  if (!wrong) wrong = client_get(&made, port, 1) != 200;
  client_close(&made);
  return (void *)wrong;
}

void scenario_threads(int port) {
  enum { THREADS = 64 };
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int index = 0; index < THREADS; index++) pthread_create(&threads[index], NULL, first_client, &port);
  for (int index = 0; index < THREADS; index++) {
    void *wrong;
    pthread_join(threads[index], &wrong);
    CHECK(wrong == NULL);
  }
}

/* ---- Names that take long, libraries that are not there --------------------------------------------------------- */

/* Run with a getaddrinfo that takes seconds: giving up on it must not. */
void scenario_slow_names(void) {
  client made;
  CHECK(client_open(&made) == 0);
  int64_t start = hcs_boot_milliseconds();
  CHECK(client_run(&made, "https://slow.invalid/", 200) == 28);
  client_close(&made);
  int64_t taken = hcs_boot_milliseconds() - start;
  CHECK(taken >= 190 && taken < 1500);
}

void scenario_load(void) {
  client made;
  if (client_open(&made) != 0) printf("%s\n", made.error);
  else printf("%s\n", hcs_http_library_version());
}
