/* Convention 3: a forked child has none of the parent's handles, and can make its own. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "functions.h"
#include "host.h"

static host parent;

/* Runs `body` in a child with an alarm; true when it found no fault. */
static bool child_is_fine(void (*body)(void), unsigned seconds) {
  int state = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(seconds);
    int before = failures();
    body();
    fflush(stdout);
    _exit(failures() == before ? 0 : 1);
  }
  waitpid(child, &state, 0);
  if (WIFSIGNALED(state)) printf("  the child ended by signal %d\n", WTERMSIG(state));
  return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

static void child_uses_the_parents_handles(void) {
  for (int index = 0; index < function_count; index++) {
    const function *function = &functions[index];
    outs outs;
    char *reply = (void *)&outs;
    context("%s in the child", function->name);
    void *handle = function->owner == OF_RUNTIME ? (void *)parent.runtime : (void *)parent.checkout;
    hco_status status = function->call(handle, "{}", &reply, &outs);
    CHECK_NUMBER(status, HCO_FORKED);
    CHECK(outs.are_clear);
    if (reply != NULL) CHECK_TEXT(text_of(taken(reply), "code"), "FORKED");
  }
  context("%s", "");
  CHECK_NUMBER(hco_runtime_fd(parent.runtime), -1);
  hco_release(parent.checkout);
  hco_runtime_destroy(parent.runtime);
  CHECK_NUMBER(parent.checkout_released, 0);
  CHECK_NUMBER(parent.runtime_released, 0);
  CHECK_TEXT(hco_version(), HCO_VERSION_TEXT);
}

static void child_pays(void) {
  host child;
  for (int round = 0; round < 3; round++) {
    host_open(&child);
    host_pay(&child);
    CHECK_TEXT(text_of(OUTCOME(&child), "kind"), "completed");
    CHECK_NUMBER(child.backend.validates, 1);
    CHECK_NUMBER(hco_state(parent.checkout, NULL, NULL), parent.checkout == NULL ? HCO_INVALID_HANDLE : HCO_FORKED);
    host_close(&child);
  }
}

static void check_parent(void) {
  host_pump(&parent);
  CHECK_TEXT(host_session_state(&parent), "ready");
  host_pay(&parent);
  CHECK_TEXT(text_of(OUTCOME(&parent), "kind"), "completed");
  host_close(&parent);
}

static void the_childs_statuses(void) {
  host_open(&parent);
  CHECK(child_is_fine(child_uses_the_parents_handles, 20));
  check_parent();
}

static void the_child_pays_by_itself(void) {
  host_open(&parent);
  CHECK(child_is_fine(child_pays, 20));
  check_parent();
}

static void grandchild(void) {
  CHECK(child_is_fine(child_pays, 20));
  child_pays();
}

static void the_childs_child(void) {
  host_open(&parent);
  CHECK(child_is_fine(grandchild, 40));
  check_parent();
}

static void child_only(void) { child_pays(); }

static void a_fork_before_any_runtime(void) {
  CHECK(child_is_fine(child_only, 20));
  host_open(&parent);
  check_parent();
}

/* A handle of the child's is no handle of the parent's parent's making. */
static void child_restores(void) {
  host child;
  char *reply = NULL;
  char *snapshot = getenv("SNAPSHOT");
  host_init(&child);
  host_start(&child, NULL);
  hco_callbacks callbacks = host_callbacks(&child);
  RESULT(hco_restore(child.runtime, snapshot, restore_text(NULL), &callbacks, &child.checkout, &reply), reply);
  host_pump(&child);
  host_pay(&child);
  CHECK_TEXT(text_of(OUTCOME(&child), "kind"), "completed");
}

static void the_child_restores_a_snapshot(void) {
  char *snapshot = NULL;
  host_open(&parent);
  CHECK_NUMBER(hco_save_state(parent.checkout, &snapshot), HCO_OK);
  setenv("SNAPSHOT", snapshot, 1);
  CHECK(child_is_fine(child_restores, 20));
  hco_free(snapshot);
}

static atomic_bool is_over;

static void *hammer(void *user) {
  unsigned seed = (unsigned)(uintptr_t)user;
  session none = {0};
  char *request = create_text(widget_data(&none), NULL);
  while (!atomic_load(&is_over)) {
    hco_checkout *checkout = NULL;
    char *reply = NULL;
    switch (rand_r(&seed) % 5) {
      case 0:
        if (hco_create(parent.runtime, request, NULL, &checkout, NULL) == HCO_OK) hco_release(checkout);
        break;
      case 1: hco_state(parent.checkout, NULL, &reply); break;
      case 2: hco_runtime_poll(parent.runtime, 0); break;
      case 3: hco_read_secondary(parent.checkout, "{\"item\":\"illicado-giftcard\",\"number\":\"1\"}", &reply); break;
      default: hco_runtime_info(parent.runtime, &reply);
    }
    hco_free(reply);
  }
  return NULL;
}

static void child_of_a_busy_parent(void) {
  CHECK_NUMBER(hco_state(parent.checkout, NULL, NULL), HCO_FORKED);
  CHECK_NUMBER(hco_runtime_poll(parent.runtime, 0), HCO_FORKED);
  hco_release(parent.checkout);
  hco_runtime_destroy(parent.runtime);
  host child;
  host_open(&child);
  host_pay(&child);
  CHECK_TEXT(text_of(OUTCOME(&child), "kind"), "completed");
  host_close(&child);
}

/* Whatever lock another thread held at the fork, the child does not wait for it. */
static void forks_while_other_threads_call(void) {
  pthread_t threads[2];
  host_init(&parent);
  host_start(&parent, NULL);
  host_create(&parent, NULL, NULL);
  host_pump(&parent);
  parent.is_polled_elsewhere = true;
  parent.backend.may_be_late = true;
  for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, hammer, (void *)(uintptr_t)(index + 7));
  for (int round = 0; round < 150; round++) {
    context("fork %d", round);
    CHECK(child_is_fine(child_of_a_busy_parent, 20));
  }
  atomic_store(&is_over, true);
  for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
}

/* Leaving, with live handles, from anywhere. */
static void leave_inside_a_callback(host *host, int32_t kind, uint64_t ticket, const char *json) {
  (void)host;
  (void)ticket;
  (void)json;
  if (kind == HCO_HOOK_BEFORE_VALIDATE) exit(0);
}

static void exit_in_a_callback(void) {
  host_open(&parent);
  parent.spy = leave_inside_a_callback;
  host_pay(&parent);
  CHECK(!"still here");
}

static void *leave(void *user) {
  (void)user;
  usleep(20000);
  exit(0);
}

static void exit_in_another_thread(void) {
  pthread_t thread;
  host_open(&parent);
  pthread_create(&thread, NULL, leave, NULL);
  parent.poller = pthread_self();
  parent.is_polling = true;
  for (;;) hco_runtime_poll(parent.runtime, 1000);
}

static void exit_with_a_payment_in_flight(void) {
  host_open(&parent);
  parent.backend.way = HELD;
  host_pay(&parent);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(the_childs_statuses),       TEST(the_child_pays_by_itself),      TEST(the_childs_child),
      TEST(a_fork_before_any_runtime), TEST(the_child_restores_a_snapshot), TEST(forks_while_other_threads_call),
      TEST(exit_in_a_callback),        TEST(exit_in_another_thread),        TEST(exit_with_a_payment_in_flight),
  };
  return RUN_TESTS("fork", tests);
}
