#define _GNU_SOURCE
#include "curl_library.h"

#include "csystem.h"
#include "process.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

/* CURLOPT_PREREQFUNCTION, the last look before a payment leaves, is of this version. */
enum { OLDEST = 0x075000 };

curl_functions curl;

enum { ABSENT, LOADING, LOADED };
static int state; /* under PROCESS_LOCK_LIBRARY */
static char version_words[128];
static _Atomic(const char *) loaded_version;

static int fail(char *error, size_t capacity, const char *words) {
  if (capacity > 0) snprintf(error, capacity, "%s", words);
  return -1;
}

static int find_functions(void *library, char *error, size_t capacity) {
#define CURL_FIND(member, name)                                                                 \
  *(void **)&curl.member = dlsym(library, #name);                                               \
  if (curl.member == NULL) return fail(error, capacity, "libcurl.so.4 has no function " #name);
  CURL_FUNCTIONS(CURL_FIND)
#undef CURL_FIND
  return 0;
}

static int load(char *error, size_t capacity) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return fail(error, capacity, "libcurl.so.4 cannot be loaded: is libcurl installed?");
  /* It stays loaded: others in this process may have begun to use it, and libcurl cannot be initialised twice. */
  if (find_functions(library, error, capacity) != 0) return -1;
  const curl_version_info_data *about = curl.version_info(CURLVERSION_NOW);
  if (about->version_num < OLDEST) {
    if (capacity > 0) snprintf(error, capacity, "libcurl %s is too old: 7.80.0 or later is needed", about->version);
    return -1;
  }
  if ((about->features & CURL_VERSION_SSL) == 0) return fail(error, capacity, "this libcurl is built without TLS");
  state = LOADING;
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    state = ABSENT;
    return fail(error, capacity, "libcurl could not be initialised");
  }
  state = LOADED;
  /* Not curl_version(): where libcurl speaks LDAP that looks this machine's own name up, and waits for the network. */
  snprintf(version_words, sizeof version_words, "libcurl/%s %s", about->version, about->ssl_version);
  atomic_store(&loaded_version, version_words);
  return 0;
}

int curl_load(char *error, size_t capacity) {
  pipe_guard guard;
  process_lock(PROCESS_LOCK_LIBRARY);
  int result;
  if (state == LOADED) {
    result = 0;
  } else if (state == LOADING) {
    /* Seen only in a child: nobody else lets go of the lock in this state. */
    result = fail(error, capacity, "this process was forked while another thread was initialising libcurl");
  } else {
    pipe_guard_enter(&guard);
    result = load(error, capacity);
    pipe_guard_leave(&guard);
  }
  process_unlock(PROCESS_LOCK_LIBRARY);
  return result;
}

const char *curl_loaded_version(void) { return atomic_load(&loaded_version); }

static int pipe_is_pending(void) {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE) == 1;
}

void pipe_guard_enter(pipe_guard *guard) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &only, &guard->mask);
  /* One that this thread did not block would not have waited. */
  guard->pending = sigismember(&guard->mask, SIGPIPE) == 1 && pipe_is_pending();
}

void pipe_guard_leave(const pipe_guard *guard) {
  if (!guard->pending && pipe_is_pending()) {
    sigset_t only;
    struct timespec at_once = {0, 0};
    sigemptyset(&only);
    sigaddset(&only, SIGPIPE);
    while (sigtimedwait(&only, NULL, &at_once) < 0 && errno == EINTR) {}
  }
  pthread_sigmask(SIG_SETMASK, &guard->mask, NULL);
}
