#define _GNU_SOURCE
#include "probe.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int object;

static uint64_t open_handle(void) {
  hcs_registry_acquire();
  uint64_t handle = hcs_handle_open(1, &object);
  hcs_handle_event(handle);
  hcs_registry_release();
  return handle;
}

static int find_handle(uint64_t handle) {
  hcs_registry_acquire();
  int found = hcs_handle_find(handle, 1, NULL);
  hcs_registry_release();
  return found;
}

static void close_handle(uint64_t handle) {
  hcs_registry_acquire();
  hcs_handle_close(handle);
  hcs_registry_release();
}

static int event_of(uint64_t handle) {
  hcs_registry_acquire();
  int event = hcs_handle_event(handle);
  hcs_registry_release();
  return event;
}

/* Runs `body` in a child; its failed checks count here. */
static void in_child(void (*body)(void *context), void *context) {
  pid_t child = fork();
  if (child == 0) {
    int before = failures();
    alarm(10);
    body(context);
    _exit(failures() > before);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

/* ---- A parent's handles ----------------------------------------------------------------------------------------- */

static void use_as_foreign(void *context) {
  uint64_t parents = *(uint64_t *)context;
  CHECK(hcs_handle_check_fork(parents) == HCS_HANDLE_FORKED);
  CHECK(hcs_runtime_event(parents) == -1);
  CHECK(find_handle(parents) == HCS_HANDLE_FORKED);
  CHECK(event_of(parents) == -1);
  close_handle(parents);
  CHECK(hcs_handle_check_fork(parents) == HCS_HANDLE_FORKED);
  CHECK(find_handle(parents) == HCS_HANDLE_FORKED);
}

static void use_own(void *context) {
  use_as_foreign(context);
  uint64_t own = open_handle();
  CHECK(own != 0);
  CHECK(find_handle(own) == HCS_HANDLE_OK);
  CHECK(hcs_handle_check_fork(own) == HCS_HANDLE_OK);
  CHECK(hcs_runtime_event(own) >= 0);
  use_as_foreign(context);
  in_child(use_as_foreign, &own);
  close_handle(own);
  CHECK(find_handle(own) == HCS_HANDLE_INVALID);
}

/* The slot was free when the process forked: its descriptor is the parent's, and not to be used. */
static void use_slot_of_parent(void *context) {
  int parents_event = *(int *)context;
  uint64_t own = open_handle();
  CHECK(hcs_runtime_event(own) >= 0);
  CHECK(hcs_runtime_event(own) != parents_event);
}

static void use_network(void *context) {
  client made;
  CHECK(client_open(&made) == 0);
  CHECK(client_get(&made, *(int *)context, 1) == 200);
  client_close(&made);
}

void scenario_forks(int port) {
  uint64_t handle = open_handle();
  in_child(use_own, &handle);
  CHECK(find_handle(handle) == HCS_HANDLE_OK);
  int event = hcs_runtime_event(handle);
  close_handle(handle);
  in_child(use_slot_of_parent, &event);
  in_child(use_network, &port);
  use_network(&port);
  in_child(use_network, &port);
}

/* ---- Forked while other threads hold the lock ------------------------------------------------------------------- */

static atomic_int stop;

static void *hammer(void *context) {
  while (!atomic_load(&stop)) {
    uint64_t handle = open_handle();
    find_handle(handle);
    close_handle(handle);
  }
  return context;
}

void scenario_forks_under_load(void) {
  enum { THREADS = 2, ROUNDS = 300 };
  pthread_t threads[THREADS];
  uint64_t handle = open_handle();
  for (int index = 0; index < THREADS; index++) pthread_create(&threads[index], NULL, hammer, NULL);
  for (int round = 0; round < ROUNDS; round++) in_child(use_own, &handle);
  hcs_registry_acquire();
  in_child(use_own, &handle);
  hcs_registry_release();
  atomic_store(&stop, 1);
  for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
  CHECK(find_handle(handle) == HCS_HANDLE_OK);
}

/* ---- Secrets ---------------------------------------------------------------------------------------------------- */

static void look_for_secret(void *context) {
  const hcs_body *body = context;
  size_t length;
  const uint8_t *bytes = hcs_body_bytes(body, &length);
  CHECK(length == 16);
  for (size_t index = 0; index < length; index++) CHECK(bytes[index] == 0);
}

void scenario_secrets_in_child(void) {
  hcs_secret_store *store = hcs_secret_store_create();
  uint64_t number = hcs_secret_intern(store, (const uint8_t *)"411111111111", 12);
  hcs_body *body = hcs_body_create(store);
  CHECK(body != NULL);
  CHECK(hcs_body_append_text(body, (const uint8_t *)"{\"", 2) == 0);
  CHECK(hcs_body_append_secret(body, number) == 0);
  CHECK(hcs_body_append_text(body, (const uint8_t *)"\"}", 2) == 0);
  in_child(look_for_secret, body);
  size_t length;
  CHECK(memcmp(hcs_body_bytes(body, &length), "{\"411111111111\"}", 16) == 0);
  hcs_body_destroy(body);
  hcs_secret_store_destroy(store);
}
