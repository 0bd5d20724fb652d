/*
 * Two processes, one snapshot: a kiosk's two screens, a till and its watchdog, an app that was started twice. Each
 * restores the same saved state and each presses Pay at the same moment. One pays.
 *
 *   two_processes http://127.0.0.1:PORT
 *
 * The library knows nothing of other processes: your store decides. It is asked before the money leaves, by the
 * checkpoint, and it compares and swaps: a snapshot is stored only by whoever has seen the one that it replaces. The
 * other process answers its checkpoint with an error, and its payment is never sent.
 *
 * Exit code: 0 when exactly one of them paid, else 1.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "merchant.h"

#define AMOUNT 12000
enum { PAID = 10, REFUSED = 11 };

/* ---------------------------------------------------------------------------------------------------------- the store */

/* A file for the snapshot, and one beside it that is only locked. Its revision is in the snapshot itself. */
typedef struct store {
  char path[64], lock[64], beside[96];
} store;

/* The stored snapshot, to be freed; NULL when there is none. */
static char *read_snapshot(const store *store) {
  json_t *document = json_load_file(store->path, 0, NULL);
  char *snapshot = document == NULL ? NULL : strdup(text(document, "snapshot"));
  json_decref(document);
  return snapshot;
}

static json_int_t revision_of(const char *snapshot) {
  json_t *document = snapshot == NULL ? NULL : json_loads(snapshot, 0, NULL);
  json_int_t revision = number(document, "revision");
  json_decref(document);
  return revision;
}

/* Write beside, then rename: a crash leaves the old snapshot or the new one, never half of one. */
static bool replace(const store *store, const char *snapshot) {
  json_t *document = json_pack("{s:s}", "snapshot", snapshot);
  char *whole = json_dumps(document, 0);
  FILE *file = fopen(store->beside, "w");
  bool is_written = file != NULL && fputs(whole, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
  if (file != NULL && fclose(file) != 0) is_written = false;
  free(whole);
  json_decref(document);
  return is_written && rename(store->beside, store->path) == 0;
}

/*
 * Compare and swap: stores `snapshot` if the stored one is still that of `seen`. A database does the same with
 * UPDATE ... SET snapshot = :new, revision = :new_revision WHERE id = :id AND revision = :seen.
 */
static bool compare_and_swap(const store *store, json_int_t seen, const char *snapshot) {
  int lock = open(store->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || flock(lock, LOCK_EX) != 0) return false;
  char *stored = read_snapshot(store);
  bool is_mine = revision_of(stored) == seen && replace(store, snapshot);
  free(stored);
  close(lock);
  return is_mine;
}

/* --------------------------------------------------------------------------------------------------------- the screen */

typedef struct screen {
  const char *name;
  const store *store;
  json_int_t seen; /* the revision that this process read or stored last */
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *outcome;
} screen;

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  screen *screen = user;
  (void)checkout;
  if (kind == HCO_EVENT_OUTCOME) screen->outcome = json_loads(json, 0, NULL);
}

/* Every checkpoint goes through the store. One that only tells something has ticket 0 and is not answered. */
static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  screen *screen = user;
  json_t *question = json_loads(json, 0, NULL);
  bool is_stored = true;
  if (kind == HCO_HOOK_CHECKPOINT) {
    is_stored = compare_and_swap(screen->store, screen->seen, text(question, "snapshot"));
    if (is_stored) screen->seen = number(question, "revision");
  }
  if (ticket != 0) {
    answer_ticket(
        checkout, ticket,
        is_stored ? json_pack("{s:{}}", "ok") : json_pack("{s:{s:s}}", "error", "message", "another screen was first"));
  }
  json_decref(question);
}

static void start(screen *screen) {
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &screen->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
}

static void stop(screen *screen) {
  hco_release(screen->checkout);
  hco_runtime_destroy(screen->runtime);
  json_decref(screen->outcome);
}

/* What both screens find: a checkout with its saved card chosen, stored as revision 1. */
static void prepare(const store *store, const char *sandbox, const json_t *session) {
  screen screen = {.name = "first", .store = store};
  start(&screen);
  json_t *request = create_request(sandbox, merchant_widget_data(session), NULL);
  char *request_text = json_dumps(request, 0), *reply = NULL, *snapshot = NULL;
  hco_status status = hco_create(screen.runtime, request_text, NULL, &screen.checkout, &reply);
  json_t *properties = reply_of("hco_create", status, reply);
  const json_t *saved_card = json_array_get(json_object_get(properties, "paymentTokens"), 0);
  json_decref(must(hco_set_primary, screen.checkout, json_pack("{s:s}", "token", text(saved_card, "id"))));
  if (hco_save_state(screen.checkout, &snapshot) != HCO_OK || !compare_and_swap(store, 0, snapshot)) exit(1);
  hco_free(snapshot);
  free(request_text);
  json_decref(request);
  json_decref(properties);
  stop(&screen);
}

/* Restores what is stored; the reply's `pendingAttempt` and `sessionState` say what is known of it. */
static json_t *restore(screen *screen, const char *sandbox) {
  char *snapshot = read_snapshot(screen->store), *reply = NULL;
  screen->seen = revision_of(snapshot);
  json_t *request = json_pack(
      "{s:{s:s, s:s}, s:[s]}", "apiPaths", "payment", sandbox, "datetime", sandbox, "hooks", "checkpoint");
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .user = screen};
  hco_status status = hco_restore(screen->runtime, snapshot, request_text, &callbacks, &screen->checkout, &reply);
  free(snapshot);
  free(request_text);
  json_decref(request);
  return reply_of("hco_restore", status, reply);
}

static void pay(screen *screen) {
  json_decref(must(hco_submit, screen->checkout, json_object()));
  while (screen->outcome == NULL) {
    if (hco_runtime_poll(screen->runtime, 1000) != HCO_OK) exit(1);
  }
  /* What is told after the outcome is stored too. */
  if (hco_runtime_poll(screen->runtime, 0) != HCO_OK) exit(1);
}

/* The screen that was too late forgets its checkout and shows what the store says: the other one's payment. */
static int give_way(screen *screen, const char *sandbox) {
  json_t *error = NULL;
  hco_release(screen->checkout);
  json_t *properties = restore(screen, sandbox);
  hco_status status = call(hco_submit, screen->checkout, json_object(), &error);
  bool is_blocked = status == HCO_REFUSED && strcmp(text(error, "code"), "SUBMIT_BLOCKED") == 0;
  printf("%s: another screen was first, the session is %s\n", screen->name, text(properties, "sessionState"));
  json_decref(error);
  json_decref(properties);
  return is_blocked ? REFUSED : 1;
}

static int run(const char *name, const store *store, const char *sandbox, int ready, int go) {
  screen screen = {.name = name, .store = store};
  char byte = 0;
  start(&screen);
  json_decref(restore(&screen, sandbox));
  /* Both have the snapshot before either presses Pay. */
  if (write(ready, "r", 1) != 1 || read(go, &byte, 1) < 0) return 1;
  pay(&screen);
  const char *code = text(json_object_get(screen.outcome, "error"), "code");
  int end = 1;
  if (strcmp(text(screen.outcome, "status"), "SUCCESS") == 0) {
    printf("%s: paid\n", name);
    end = PAID;
  } else if (strcmp(code, "CHECKPOINT_REFUSED") == 0) {
    end = give_way(&screen, sandbox);
  }
  stop(&screen);
  return end;
}

/* Waits for both, and says how many ended in each way. */
static void count_ends(int *paid, int *refused) {
  for (int child = 0; child < 2; child++) {
    int status = 0;
    if (wait(&status) < 0 || !WIFEXITED(status)) continue;
    *paid += WEXITSTATUS(status) == PAID;
    *refused += WEXITSTATUS(status) == REFUSED;
  }
}

int main(int argc, char **argv) {
  char directory[] = "/tmp/two-processes-XXXXXX";
  int ready[2], go[2], paid = 0, refused = 0;
  if (argc < 2 || mkdtemp(directory) == NULL || pipe(ready) != 0 || pipe(go) != 0) return 1;
  store store;
  snprintf(store.path, sizeof store.path, "%s/snapshot", directory);
  snprintf(store.lock, sizeof store.lock, "%s/lock", directory);
  snprintf(store.beside, sizeof store.beside, "%s/snapshot.new", directory);
  json_t *session = merchant_create_session(argv[1], AMOUNT);
  prepare(&store, argv[1], session);

  fflush(stdout);
  for (int child = 0; child < 2; child++) {
    if (fork() != 0) continue;
    close(go[1]);
    int end = run(child == 0 ? "left" : "right", &store, argv[1], ready[1], go[0]);
    json_decref(session);
    exit(end);
  }
  close(go[0]);
  close(ready[1]);
  char bytes[2];
  for (size_t got = 0; got < sizeof bytes;) {
    ssize_t count = read(ready[0], bytes, sizeof bytes - got);
    if (count <= 0) break;
    got += (size_t)count;
  }
  close(go[1]); /* both read the end of it at the same moment */
  count_ends(&paid, &refused);

  json_int_t sum = 0;
  int validates = merchant_count_validates(argv[1], session, &sum);
  printf("journal: %d validate; %d paid, %d gave way\n", validates, paid, refused);
  bool is_as_wanted = paid == 1 && refused == 1 && validates == 1 && sum == AMOUNT;
  if (is_as_wanted) printf("example two_processes: ok\n");
  json_decref(session);
  unlink(store.path);
  unlink(store.lock);
  rmdir(directory);
  return is_as_wanted ? 0 : 1;
}
