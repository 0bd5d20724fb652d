/* What the embedded flavour asks of the C library and may not find there. */
#ifdef HCO_EMBEDDED
#include "csystem.h"

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

/* swift_once is left as it is, though it spins while another thread runs the same initialiser: the compiler has put
 * copies of it into the code of its callers, and one of another make beside those would initialise twice. */

#pragma GCC visibility pop
#else
typedef int embedded_support_is_for_the_embedded_flavour;
#endif
