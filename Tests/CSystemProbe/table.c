#define _GNU_SOURCE
#include "probe.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static int object;

/* The lock is held throughout: nobody else is here. */
void scenario_table(void) {
  enum { MOST = 65536 };
  uint64_t *handles = calloc(MOST + 1, sizeof *handles);
  int descriptors = descriptor_count();
  hcs_registry_acquire();
  for (int index = 0; index < MOST; index++) {
    handles[index] = hcs_handle_open(1 + index % 7, &object);
    if (handles[index] == 0) CHECK(0);
  }
  CHECK(hcs_handle_open(1, &object) == 0);
  for (int index = 0; index < MOST; index++) {
    if (hcs_handle_find(handles[index], 1 + index % 7, NULL) != HCS_HANDLE_OK) CHECK(0);
  }
  hcs_handle_close(handles[4711]);
  uint64_t again = hcs_handle_open(1, &object);
  CHECK(again != 0 && again != handles[4711]);
  CHECK(hcs_handle_find(handles[4711], 1 + 4711 % 7, NULL) == HCS_HANDLE_INVALID);

  /* A slot's event descriptor is made on first use, serves the next handle, and is never closed. */
  CHECK(hcs_runtime_event(again) == -1);
  int event = hcs_handle_event(again);
  CHECK(event >= 0 && hcs_runtime_event(again) == event);
  hcs_handle_close(again);
  CHECK(hcs_runtime_event(again) == -1);
  for (int round = 0; round < 1000; round++) {
    uint64_t next = hcs_handle_open(2, &object);
    CHECK(hcs_handle_event(next) == event);
    hcs_handle_close(next);
  }
  CHECK(descriptor_count() == descriptors + 1);

  for (int index = 0; index < MOST; index++) hcs_handle_close(handles[index]);
  hcs_registry_release();
  free(handles);
}

static uint64_t woken_handle;

static void on_alarm(int number) {
  (void)number;
  hcs_event_signal(hcs_runtime_event(woken_handle));
}

/* From a signal handler, while the interrupted code holds the registry's lock. */
void scenario_wake(void) {
  hcs_ready ready[1];
  int woken, expired;
  hcs_registry_acquire();
  woken_handle = hcs_handle_open(1, &object);
  hcs_poller *poller = hcs_poller_create(hcs_handle_event(woken_handle));
  CHECK(poller != NULL);
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval soon = {{0, 0}, {0, 20000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  int count = hcs_poller_wait(poller, 5000, ready, 1, &woken, &expired);
  CHECK(count == -1 && !woken); /* interrupted, and the wake sticks */
  count = hcs_poller_wait(poller, 5000, ready, 1, &woken, &expired);
  CHECK(count == 0 && woken);
  hcs_handle_close(woken_handle);
  hcs_registry_release();
  hcs_poller_destroy(poller);
}
