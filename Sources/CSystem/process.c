#define _GNU_SOURCE
#include "process.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* An epoch is process id, number of forks before it, and a bit that says whether the process has been set up. It is
 * kept in a page that the kernel clears in a forked child: reading it costs no system call, and a child is told from
 * its parent even where both have the same id in namespaces of their own. Where the kernel cannot do that, the word
 * lies in ordinary memory and the id in it is compared. */
static _Atomic(_Atomic uint64_t *) word;
static _Atomic uint64_t ordinary_word;
static _Atomic uint32_t generation;

static pthread_mutex_t locks[PROCESS_LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

enum { READY = 1 };

static uint64_t value_with(uint32_t number, uint64_t ready) {
  return (uint64_t)(uint32_t)getpid() << 32 | (uint64_t)(number & 0x7fffffff) << 1 | ready;
}

static _Atomic uint64_t *shared_word(void) {
  _Atomic uint64_t *known = atomic_load_explicit(&word, memory_order_acquire);
  if (known != NULL) return known;
  long page = sysconf(_SC_PAGESIZE);
  size_t length = page > 0 ? (size_t)page : 4096;
  void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  _Atomic uint64_t *made = &ordinary_word;
  if (memory != MAP_FAILED && madvise(memory, length, MADV_WIPEONFORK) == 0) made = memory;
  if (atomic_compare_exchange_strong(&word, &known, made)) {
    if (memory != MAP_FAILED && (void *)made != memory) munmap(memory, length);
    return made;
  }
  if (memory != MAP_FAILED) munmap(memory, length);
  return known;
}

/* The word, or 0 when it was written by a parent. */
static uint64_t own_value(_Atomic uint64_t *at) {
  uint64_t value = atomic_load_explicit(at, memory_order_acquire);
  if (at == &ordinary_word && value >> 32 != (uint32_t)getpid()) return 0;
  return value;
}

uint64_t process_epoch(void) {
  _Atomic uint64_t *at = atomic_load_explicit(&word, memory_order_acquire);
  if (at == NULL) return 0;
  uint64_t value = own_value(at);
  return value & READY ? value : 0;
}

/* The first thread of a process to come here makes the locks new: whoever held them in the parent does not exist. */
static void enter(void) {
  _Atomic uint64_t *at = shared_word();
  for (;;) {
    uint64_t seen = atomic_load_explicit(at, memory_order_acquire);
    uint64_t own = at == &ordinary_word && seen >> 32 != (uint32_t)getpid() ? 0 : seen;
    if (own & READY) return;
    if (own != 0) {
      sched_yield(); /* another thread is at it, for a few microseconds */
      continue;
    }
    uint32_t number = atomic_fetch_add(&generation, 1) + 1;
    if (!atomic_compare_exchange_strong(at, &seen, value_with(number, 0))) continue;
    for (int lock = 0; lock < PROCESS_LOCKS; lock++) pthread_mutex_init(&locks[lock], NULL);
    handles_after_fork();
    atomic_store_explicit(at, value_with(number, READY), memory_order_release);
    return;
  }
}

void process_lock(int lock) {
  enter();
  pthread_mutex_lock(&locks[lock]);
}

void process_unlock(int lock) { pthread_mutex_unlock(&locks[lock]); }
