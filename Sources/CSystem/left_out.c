/* Nothing here asks for the name of a Unicode character, but Swift's standard library can answer with it, from half a
 * megabyte of names. Package.swift makes the linker take this function for the one that reads them. */
#ifndef HCO_EMBEDDED
#include <stdint.h>

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);

/* How many bytes the name has: none. */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar, (void)buffer, (void)capacity;
  return 0;
}
#endif
