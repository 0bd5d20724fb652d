/* Convention 4: any function from any thread. `make threads` runs this under the thread sanitizer too. */
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum { THREADS = 64 };

/* What the threads of one round do, all let go at one instant. */
typedef struct crowd crowd;
struct crowd {
  pthread_barrier_t start;
  pthread_t threads[THREADS];
  void (*body)(crowd *crowd, int number);
  host *host;
  const char *create;         /* the request of hco_create */
  hco_checkout *checkouts[2]; /* even threads use the first, odd ones the second */
  atomic_int accepted, blocked, other, running;
};

typedef struct member {
  crowd *crowd;
  int number;
} member;

static void *start_member(void *user) {
  member *member = user;
  pthread_barrier_wait(&member->crowd->start);
  member->crowd->body(member->crowd, member->number);
  atomic_fetch_sub(&member->crowd->running, 1);
  return NULL;
}

/* Runs `count` threads; this one polls meanwhile. */
static void run_crowd(crowd *crowd, int count) {
  member members[THREADS];
  atomic_store(&crowd->running, count);
  pthread_barrier_init(&crowd->start, NULL, (unsigned)count + 1);
  for (int index = 0; index < count; index++) {
    members[index] = (member){crowd, index};
    REQUIRE(pthread_create(&crowd->threads[index], NULL, start_member, &members[index]) == 0);
  }
  pthread_barrier_wait(&crowd->start);
  while (atomic_load(&crowd->running) > 0 && crowd->host != NULL) {
    host_pump(crowd->host);
    usleep(1000);
  }
  for (int index = 0; index < count; index++) pthread_join(crowd->threads[index], NULL);
  pthread_barrier_destroy(&crowd->start);
}

/* ---------------------------------------------------------------------------------------------------------- one payment */

static void submit(crowd *crowd, int number) {
  char *reply = NULL;
  hco_status status = hco_submit(crowd->checkouts[number % 2], NULL, &reply);
  bool is_blocked = status == HCO_REFUSED && reply != NULL && strstr(reply, "\"SUBMIT_BLOCKED\"") != NULL;
  atomic_fetch_add(status == HCO_OK ? &crowd->accepted : is_blocked ? &crowd->blocked : &crowd->other, 1);
  hco_free(reply);
}

static void check_one_payment(crowd *crowd, host *host) {
  host_pump(host);
  CHECK_NUMBER(atomic_load(&crowd->accepted), 1);
  CHECK_NUMBER(atomic_load(&crowd->blocked), THREADS - 1);
  CHECK_NUMBER(atomic_load(&crowd->other), 0);
  CHECK_NUMBER(host->backend.validates, 1);
  CHECK_NUMBER(count_of(host->events, "outcome"), 1);
}

static void c4_sixty_four_submits(void) {
  for (int round = 0; round < 4; round++) {
    host host;
    context("round %d", round);
    host_open(&host);
    host_choose_card(&host);
    crowd crowd = {.body = submit, .host = &host, .checkouts = {host.checkout, host.checkout}};
    run_crowd(&crowd, THREADS);
    check_one_payment(&crowd, &host);
    host_close(&host);
  }
}

/* Two checkouts of one session: the session pays once, whichever is asked. */
static void c4_sixty_four_submits_of_two_checkouts(void) {
  for (int round = 0; round < 4; round++) {
    host host;
    session same = {.id = "two-windows"};
    context("round %d", round);
    host_init(&host);
    host_start(&host, NULL);
    host_create(&host, &same, NULL);
    host_choose_card(&host);
    hco_checkout *first = host.checkout;
    host_create(&host, &same, NULL);
    host_choose_card(&host);
    crowd crowd = {.body = submit, .host = &host, .checkouts = {first, host.checkout}};
    run_crowd(&crowd, THREADS);
    check_one_payment(&crowd, &host);
    hco_release(first);
    host_pump(&host);
    host.checkout_released = 0;
    host_close(&host);
  }
}

/* ----------------------------------------------------------------------------------------------------------- every call */

static void call_everything(crowd *crowd, int number) {
  hco_checkout *checkout = crowd->checkouts[0];
  hco_runtime *runtime = crowd->host->runtime;
  for (int round = 0; round < 12; round++) {
    char *text = NULL;
    int32_t verdict = 0;
    switch ((number + round) % 12) {
      case 0: hco_state(checkout, NULL, &text); break;
      case 1: hco_save_state(checkout, &text); break;
      case 2: hco_set_primary(checkout, "{\"item\":\"purse-creditcard\"}", &text); break;
      case 3: hco_submit(checkout, NULL, &text); break;
      case 4: hco_abort(checkout, "{\"attempt\":1}", &text); break;
      case 5: hco_element_report(
          checkout, "{\"element\":\"purse-creditcard\",\"report\":\"formValidity\",\"valid\":true}", &text); break;
      case 6: hco_redirect_check(checkout, "https://bank.example/", &verdict, &text); break;
      case 7: hco_runtime_notify(runtime, "{\"app\":\"foreground\"}", &text); break;
      case 8: hco_runtime_wake(runtime); break;
      case 9: hco_answer(checkout, 999, "{\"ok\":{}}", &text); break;
      case 10: hco_runtime_info(runtime, &text); break;
      default: hco_read_secondary(checkout, "{\"item\":\"buybox-giftcard\",\"number\":\"6000000100003000\"}", &text);
    }
    hco_free(text);
  }
  if (number == 7) hco_teardown(checkout, NULL);
}

static void c4_every_call_at_once(void) {
  for (int round = 0; round < 3; round++) {
    host host;
    context("round %d", round);
    host_open(&host);
    host_choose_card(&host);
    host.backend.may_be_late = true; /* another thread aborts or tears down meanwhile */
    crowd crowd = {.body = call_everything, .host = &host, .checkouts = {host.checkout, host.checkout}};
    run_crowd(&crowd, 24);
    host_pump(&host);
    CHECK(host.backend.validates <= 1);
    host_close(&host);
  }
}

/* Handles come and go in every thread, and each thread wakes and asks those of the others. */
static _Atomic(hco_runtime *) runtimes[THREADS];
static _Atomic(hco_checkout *) shared_checkouts[THREADS];

static void come_and_go(crowd *crowd, int number) {
  for (int round = 0; round < 8; round++) {
    hco_runtime *runtime = NULL;
    hco_checkout *checkout = NULL, *about = NULL;
    char *text = NULL;
    int32_t kind = 0;
    uint64_t ticket = 0;
    if (hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":\"host\"}", NULL, &runtime, NULL) != HCO_OK) continue;
    atomic_store(&runtimes[number], runtime);
    hco_create(runtime, crowd->create, NULL, &checkout, NULL);
    atomic_store(&shared_checkouts[number], checkout);
    for (int other = 0; other < 8; other++) {
      hco_runtime_wake(atomic_load(&runtimes[other]));
      hco_state(atomic_load(&shared_checkouts[other]), NULL, &text);
      hco_free(text);
      text = NULL;
    }
    hco_runtime_next(runtime, 0, &about, &kind, &ticket, &text);
    hco_free(text);
    if (round % 2 == 0) hco_release(checkout);
    hco_runtime_destroy(runtime);
    if (hco_runtime_wake(runtime) != HCO_INVALID_HANDLE) atomic_fetch_add(&crowd->other, 1);
  }
}

static void c4_handles_come_and_go(void) {
  session plain = {0};
  crowd crowd = {.body = come_and_go, .create = create_text(widget_data(&plain), NULL)};
  run_crowd(&crowd, 8);
  CHECK_NUMBER(atomic_load(&crowd.other), 0);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(c4_sixty_four_submits),
      TEST(c4_sixty_four_submits_of_two_checkouts),
      TEST(c4_every_call_at_once),
      TEST(c4_handles_come_and_go),
  };
  return RUN_TESTS("threads", tests);
}
