/* Convention 10: what the library leaves alone, and what it starts: nothing. */
#include <dirent.h>
#include <dlfcn.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

extern char **environ;

typedef struct surroundings {
  struct sigaction actions[65];
  sigset_t mask;
  stack_t stack;
  char locale[256], directory[512], zone[2][32];
  char *environment;
  mode_t umask;
  int rounding, descriptors, threads;
} surroundings;

static int entries(const char *path) {
  DIR *directory = opendir(path);
  int count = 0;
  while (readdir(directory) != NULL) count += 1;
  closedir(directory);
  return count;
}

static char *environment_text(void) {
  char *text = format("%s", "");
  for (char **one = environ; *one != NULL; one++) text = format("%s%p %s\n", text, (void *)*one, *one);
  return text;
}

static surroundings look(void) {
  surroundings now;
  memset(&now, 0, sizeof now);
  for (int number = 1; number < 65; number++) sigaction(number, NULL, &now.actions[number]);
  pthread_sigmask(SIG_BLOCK, NULL, &now.mask);
  sigaltstack(NULL, &now.stack);
  snprintf(now.locale, sizeof now.locale, "%s", setlocale(LC_ALL, NULL));
  if (getcwd(now.directory, sizeof now.directory) == NULL) now.directory[0] = '\0';
  snprintf(now.zone[0], sizeof now.zone[0], "%s", tzname[0]);
  snprintf(now.zone[1], sizeof now.zone[1], "%s", tzname[1]);
  now.environment = environment_text();
  now.umask = umask(0);
  umask(now.umask);
  now.rounding = fegetround();
  now.descriptors = entries("/proc/self/fd");
  now.threads = entries("/proc/self/task");
  return now;
}

static void check_same(const surroundings *before, const char *when) {
  surroundings now = look();
  context("%s", when);
  for (int number = 1; number < 65; number++) {
    context("%s: signal %d", when, number);
    CHECK(before->actions[number].sa_handler == now.actions[number].sa_handler);
    CHECK_NUMBER(now.actions[number].sa_flags, before->actions[number].sa_flags);
  }
  context("%s", when);
  CHECK(memcmp(&before->mask, &now.mask, 8) == 0);
  CHECK(memcmp(&before->stack, &now.stack, sizeof now.stack) == 0);
  CHECK_TEXT(now.locale, before->locale);
  CHECK_TEXT(now.directory, before->directory);
  CHECK_TEXT(now.zone[0], before->zone[0]);
  CHECK_TEXT(now.zone[1], before->zone[1]);
  CHECK_TEXT(now.environment, before->environment);
  CHECK_NUMBER(now.umask, before->umask);
  CHECK_NUMBER(now.rounding, before->rounding);
  CHECK_NUMBER(now.threads, before->threads);
}

static void on_signal(int number) { (void)number; }

static void set_the_scene(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  static const int handled[] = {SIGUSR1, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGWINCH};
  for (int index = 0; index < 6; index++) sigaction(handled[index], &action, NULL);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  setenv("TZ", "Europe/Paris", 1);
  tzset();
  setlocale(LC_ALL, "");
}

static void nothing_of_the_host_changes(void) {
  set_the_scene();
  surroundings before = look();
  host host;
  host_init(&host);
  host_start(&host, NULL);
  check_same(&before, "after hco_runtime_create");
  host_create(&host, NULL, NULL);
  check_same(&before, "after hco_create");
  for (int round = 0; round < 1000; round++) {
    hco_free(host_state(&host));
    hco_set_primary(host.checkout, round % 2 == 0 ? "{\"item\":\"hipay-bancontact\"}" : "{\"none\":true}", NULL);
    if (round % 50 == 0) host_pump(&host);
  }
  check_same(&before, "after 1,000 calls");
  host_pay(&host);
  check_same(&before, "after a payment");
  host_close(&host);
  check_same(&before, "after hco_runtime_destroy");
}

static void nothing_changes_with_libcurl(void) {
  set_the_scene();
  surroundings before = look();
  hco_runtime *runtime = NULL;
  char *reply = NULL;
  hco_status status = hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &runtime, &reply);
  json_t *result = RESULT(status, reply);
  CHECK_TEXT(text_of(result, "transport"), "curl");
  const char *version = text_of(result, "libcurl");
  CHECK(version[0] != '\0' && strspn(version, "0123456789.") == strlen(version));
  check_same(&before, "after hco_runtime_create");
  session none = {0};
  hco_checkout *checkout = NULL;
  char *request = format(
      "{\"widgetData\":\"%s\",\"apiPaths\":{\"payment\":\"http://127.0.0.1:9\",\"datetime\":\"http://127.0.0.1:9\"}}",
      widget_data(&none));
  RESULT(hco_create(runtime, request, NULL, &checkout, &reply), reply);
  for (int round = 0; round < 100; round++) hco_runtime_poll(runtime, 2);
  check_same(&before, "after polling");
  hco_release(checkout);
  hco_runtime_destroy(runtime);
  check_same(&before, "after hco_runtime_destroy");
}

static void loading_starts_nothing(void) {
  surroundings before = look();
  const char *directory = getenv("HCO_LIBRARY_DIR");
  REQUIRE(directory != NULL);
  /* This binary is linked with the library; a copy of it is another one to the loader. */
  char copy[] = "/tmp/hco-copy-XXXXXX.so";
  int descriptor = mkstemps(copy, 3);
  REQUIRE(descriptor >= 0);
  close(descriptor);
  REQUIRE(system(format("cp %s/libheadlesscheckout.so.1 %s", directory, copy)) == 0);
  before = look();
  void *library = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != NULL);
  check_same(&before, "after dlopen");
  CHECK_NUMBER(look().descriptors, before.descriptors);
  unlink(copy);
}

/* Results do not depend on what belongs to the host. */
static void nothing_of_the_host_is_read(void) {
  static const char *const locales[] = {"C", "C.UTF-8", "POSIX", "de_DE.UTF-8", "tr_TR.UTF-8"};
  static const char *const zones[] = {"UTC", "America/New_York", "Asia/Kolkata", "", "nonsense"};
  session fixed = {
      .id = "22222222-0000-4000-8000-000000000001", .expires = "2099-01-01T00:00:00Z", .amount = "1234.56"};
  char *data = widget_data(&fixed), *first = NULL;
  for (int index = 0; index < 5; index++) {
    host host;
    char *reply = NULL;
    setlocale(LC_ALL, locales[index]);
    setenv("TZ", zones[index], 1);
    setenv("LC_ALL", locales[index], 1);
    setenv("HEADLESS_CHECKOUT_LIBRARY", "/nowhere", 1);
    tzset();
    host_init(&host);
    host_start(&host, NULL);
    RESULT(hco_create(host.runtime, create_text(data, NULL), NULL, &host.checkout, &reply), reply);
    char *state = host_state(&host);
    context("%s, %s", locales[index], zones[index]);
    if (first == NULL) first = state;
    CHECK_TEXT(state, first);
    hco_release(host.checkout);
    hco_runtime_destroy(host.runtime);
  }
}

/* Convention 4: with no lock held, another thread may use the library while a callback blocks. */
static host blocked;
static volatile bool is_inside, may_go;

static void block(host *host, int32_t kind, uint64_t ticket, const char *json) {
  (void)host;
  (void)ticket;
  (void)json;
  if (kind != HCO_HOOK_BEFORE_VALIDATE) return;
  is_inside = true;
  while (!may_go) usleep(1000);
}

static void *pump_blocked(void *user) {
  (void)user;
  host_pay(&blocked);
  return NULL;
}

static void c4_no_lock_is_held_in_a_callback(void) {
  pthread_t thread;
  host other;
  host_open(&blocked);
  blocked.spy = block;
  pthread_create(&thread, NULL, pump_blocked, NULL);
  for (int tries = 0; tries < 5000 && !is_inside; tries++) usleep(1000);
  REQUIRE(is_inside);
  CHECK_TEXT(host_session_state(&blocked), "submitting");
  host_open(&other);
  host_pay(&other);
  CHECK(OUTCOME(&other) != NULL);
  CHECK_NUMBER(hco_runtime_poll(blocked.runtime, 0), HCO_BUSY);
  may_go = true;
  pthread_join(thread, NULL);
  CHECK(OUTCOME(&blocked) != NULL);
}

/* Many runtimes and checkouts leave nothing behind. */
static void nothing_is_left_behind(void) {
  host host;
  host_open(&host);
  host_pay(&host);
  host_close(&host);
  int descriptors = entries("/proc/self/fd");
  for (int round = 0; round < 200; round++) {
    host_open(&host);
    host_close(&host);
  }
  CHECK_NUMBER(entries("/proc/self/fd"), descriptors);
  CHECK_NUMBER(entries("/proc/self/task"), 3);
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(nothing_of_the_host_changes), TEST(nothing_changes_with_libcurl),     TEST(loading_starts_nothing),
      TEST(nothing_of_the_host_is_read), TEST(c4_no_lock_is_held_in_a_callback), TEST(nothing_is_left_behind),
  };
  return RUN_TESTS("globals", tests);
}
