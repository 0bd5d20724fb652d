/* Tables of Swift's standard library that nothing here uses. Package.swift makes the linker take these functions for the
 * ones that read them, and the tables stay out. */
#include <stdint.h>

/* Texts are equal when their scalars are. Swift would take two spellings of one accented letter for one text, by tables
 * of compositions; the JSON here compares keys by their bytes, and two ids of a back end are two. */
uint16_t __wrap__swift_stdlib_getNormData(uint32_t scalar);
uint32_t __wrap__swift_stdlib_getDecompositionEntry(uint32_t scalar);
uint32_t __wrap__swift_stdlib_getComposition(uint32_t first, uint32_t second);
extern const uint8_t *const __wrap__swift_stdlib_nfd_decompositions;

const uint8_t *const __wrap__swift_stdlib_nfd_decompositions = 0;

/* Every scalar is in its normal form. */
uint16_t __wrap__swift_stdlib_getNormData(uint32_t scalar) {
  (void)scalar;
  return 0;
}

/* Hence never asked for. */
uint32_t __wrap__swift_stdlib_getDecompositionEntry(uint32_t scalar) { return scalar; }

/* No pair is composed. */
uint32_t __wrap__swift_stdlib_getComposition(uint32_t first, uint32_t second) {
  (void)first, (void)second;
  return UINT32_MAX;
}

#ifndef HCO_EMBEDDED
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);

/* Half a megabyte of names. How many bytes this one's has: none. */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar, (void)buffer, (void)capacity;
  return 0;
}
#endif
