/* What the embedded flavour asks of the C library and may not find there, or not as the host of a library needs it. */
#ifdef HCO_EMBEDDED
#define _GNU_SOURCE
#include "csystem.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

/* Seeds the hashing of dictionaries. glibc has it from 2.36 on, other C libraries never. */
void arc4random_buf(void *out, size_t length);
void arc4random_buf(void *out, size_t length) {
  if (hcs_random(out, length) == 0) return;
  /* A weak seed is better than a host that is killed. */
  uint64_t state = (uint64_t)hcs_boot_milliseconds() ^ (uint64_t)(uintptr_t)out;
  for (size_t index = 0; index < length; index++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    ((unsigned char *)out)[index] = (unsigned char)(state >> 56);
  }
}

/* Runs an initialiser once. The one in Swift's embedded library spins while another thread is at it, for ever in a
 * child that was forked meanwhile. The token is 0, the id of the process that is running the initialiser, or -1 when
 * done; a child takes over what its parent left, which only stores a value. */
void swift_once(intptr_t *token, void (*initialise)(void *), void *context);
void swift_once(intptr_t *token, void (*initialise)(void *), void *context) {
  _Atomic intptr_t *state = (_Atomic intptr_t *)token;
  intptr_t seen = atomic_load_explicit(state, memory_order_acquire);
  if (seen == -1) return;
  int32_t own = hcs_process();
  while (seen != -1) {
    if (seen == own) {
      /* The low half of the token, which is little-endian as everything that Swift runs on. */
      syscall(SYS_futex, token, FUTEX_WAIT_PRIVATE, own, NULL, NULL, 0);
      seen = atomic_load_explicit(state, memory_order_acquire);
    } else if (atomic_compare_exchange_strong(state, &seen, own)) {
      initialise(context);
      atomic_store_explicit(state, -1, memory_order_release);
      syscall(SYS_futex, token, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
      return;
    }
  }
}

#pragma GCC visibility pop
#else
typedef int embedded_support_is_for_the_embedded_flavour;
#endif
