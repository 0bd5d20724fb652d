/* XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha, on RFC 8439). No branch and no address depends on a key or a text, and
 * nothing is allocated. What was computed on the way is wiped. */
#define _GNU_SOURCE
#include "csystem.h"

#include <string.h>

static uint32_t load(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void store(uint8_t *bytes, uint32_t word) {
  for (int index = 0; index < 4; index++) bytes[index] = (uint8_t)(word >> 8 * index);
}

/* ---- ChaCha20 -------------------------------------------------------------------------------------------------- */

static uint32_t rotate(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

static void quarter_round(uint32_t *state, int a, int b, int c, int d) {
  state[a] += state[b], state[d] = rotate(state[d] ^ state[a], 16);
  state[c] += state[d], state[b] = rotate(state[b] ^ state[c], 12);
  state[a] += state[b], state[d] = rotate(state[d] ^ state[a], 8);
  state[c] += state[d], state[b] = rotate(state[b] ^ state[c], 7);
}

static void twenty_rounds(uint32_t state[16]) {
  for (int round = 0; round < 10; round++) {
    for (int column = 0; column < 4; column++) {
      quarter_round(state, column, 4 + column, 8 + column, 12 + column);
    }
    for (int column = 0; column < 4; column++) {
      quarter_round(state, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4);
    }
  }
}

/* "expand 32-byte k", the key, and four words of the caller's. */
static void fill(uint32_t state[16], const uint8_t key[32], const uint8_t last[16]) {
  state[0] = 0x61707865, state[1] = 0x3320646e, state[2] = 0x79622d32, state[3] = 0x6b206574;
  for (int index = 0; index < 8; index++) state[4 + index] = load(key + 4 * index);
  for (int index = 0; index < 4; index++) state[12 + index] = load(last + 4 * index);
}

void hcs_hchacha20(const uint8_t *key, const uint8_t *nonce, uint8_t *subkey) {
  uint32_t state[16];
  fill(state, key, nonce);
  twenty_rounds(state);
  for (int index = 0; index < 4; index++) {
    store(subkey + 4 * index, state[index]);
    store(subkey + 16 + 4 * index, state[12 + index]);
  }
  hcs_wipe(state, sizeof state);
}

void hcs_chacha20_block(const uint8_t *key, uint32_t counter, const uint8_t *nonce, uint8_t *block) {
  uint32_t start[16], state[16];
  uint8_t last[16];
  store(last, counter);
  memcpy(last + 4, nonce, 12);
  fill(start, key, last);
  memcpy(state, start, sizeof state);
  twenty_rounds(state);
  for (int index = 0; index < 16; index++) store(block + 4 * index, state[index] + start[index]);
  hcs_wipe(start, sizeof start);
  hcs_wipe(state, sizeof state);
}

/* In place: the same call hides and shows. */
static void chacha20(const uint8_t key[32], const uint8_t nonce[12], uint8_t *text, size_t length) {
  uint8_t block[64];
  for (size_t at = 0; at < length; at += sizeof block) {
    hcs_chacha20_block(key, (uint32_t)(1 + at / sizeof block), nonce, block);
    for (size_t index = 0; index < sizeof block && at + index < length; index++) text[at + index] ^= block[index];
  }
  hcs_wipe(block, sizeof block);
}

/* ---- Poly1305: numbers below 2^130 in five limbs of 26 bits ----------------------------------------------------- */

enum { LIMB = 0x3ffffff };

typedef struct poly1305 {
  uint32_t sum[5], factor[5];
  uint8_t block[17]; /* sixteen bytes and the 1 that follows them */
  size_t held;
} poly1305;

static void split(uint32_t limbs[5], const uint8_t bytes[17]) {
  limbs[0] = load(bytes) & LIMB;
  limbs[1] = load(bytes + 3) >> 2 & LIMB;
  limbs[2] = load(bytes + 6) >> 4 & LIMB;
  limbs[3] = load(bytes + 9) >> 6 & LIMB;
  limbs[4] = load(bytes + 13) & LIMB;
}

/* sum = (sum + block) * factor modulo 2^130 - 5. Limbs stay below 2^27, so that no sum of five products overflows. */
static void take_block(poly1305 *poly) {
  uint32_t block[5];
  uint64_t products[5] = {0}, carry = 0;
  split(block, poly->block);
  for (int index = 0; index < 5; index++) poly->sum[index] += block[index];
  for (int left = 0; left < 5; left++) {
    for (int right = 0; right < 5; right++) {
      uint64_t wraps = left + right < 5 ? 1 : 5;
      products[(left + right) % 5] += wraps * poly->sum[left] * poly->factor[right];
    }
  }
  for (int index = 0; index < 5; index++) {
    products[index] += carry;
    carry = products[index] >> 26;
    poly->sum[index] = (uint32_t)products[index] & LIMB;
  }
  carry = poly->sum[0] + 5 * carry;
  poly->sum[0] = (uint32_t)carry & LIMB;
  poly->sum[1] += (uint32_t)(carry >> 26);
  hcs_wipe(block, sizeof block);
  hcs_wipe(products, sizeof products);
  memset(poly->block, 0, sizeof poly->block);
  poly->held = 0;
}

static void take(poly1305 *poly, const uint8_t *bytes, size_t length) {
  for (size_t index = 0; index < length; index++) {
    poly->block[poly->held++] = bytes[index];
    if (poly->held < 16) continue;
    poly->block[16] = 1;
    take_block(poly);
  }
}

/* The smallest number that is the sum. */
static void reduce(uint32_t sum[5]) {
  uint32_t carry = 0, less[5];
  for (int pass = 0; pass < 2; pass++) {
    for (int index = 0; index < 5; index++) {
      sum[index] += carry;
      carry = sum[index] >> 26;
      sum[index] &= LIMB;
    }
    carry *= 5;
  }
  sum[0] += carry;
  carry = 5;
  for (int index = 0; index < 5; index++) {
    less[index] = sum[index] + carry;
    carry = less[index] >> 26;
    less[index] &= LIMB;
  }
  /* A carry is left exactly when the sum was 2^130 - 5 or more. */
  uint32_t is_more = 0 - carry;
  for (int index = 0; index < 5; index++) sum[index] = (sum[index] & ~is_more) | (less[index] & is_more);
  hcs_wipe(less, sizeof less);
}

static void finish(poly1305 *poly, const uint8_t addend[16], uint8_t tag[16]) {
  uint32_t *sum = poly->sum;
  uint64_t carry = 0;
  if (poly->held > 0) {
    poly->block[poly->held] = 1;
    take_block(poly);
  }
  reduce(sum);
  uint32_t words[4] = {
      sum[0] | sum[1] << 26, sum[1] >> 6 | sum[2] << 20, sum[2] >> 12 | sum[3] << 14, sum[3] >> 18 | sum[4] << 8};
  for (int index = 0; index < 4; index++) {
    carry += (uint64_t)words[index] + load(addend + 4 * index);
    store(tag + 4 * index, (uint32_t)carry);
    carry >>= 32;
  }
  hcs_wipe(words, sizeof words);
}

void hcs_poly1305(const uint8_t *key, const hcs_piece *pieces, size_t count, uint8_t *tag) {
  poly1305 poly = {.held = 0};
  uint8_t factor[17] = {0};
  memcpy(factor, key, 16);
  for (int index = 3; index < 16; index += 4) factor[index] &= 15;
  for (int index = 4; index < 16; index += 4) factor[index] &= 252;
  split(poly.factor, factor);
  for (size_t index = 0; index < count; index++) take(&poly, pieces[index].bytes, pieces[index].length);
  finish(&poly, key + 16, tag);
  hcs_wipe(&poly, sizeof poly);
  hcs_wipe(factor, sizeof factor);
}

/* ---- The two together ------------------------------------------------------------------------------------------- */

typedef struct one_time {
  uint8_t key[32];
  uint8_t nonce[12];
} one_time;

static one_time derive(const uint8_t key[32], const uint8_t nonce[24]) {
  one_time derived = {.nonce = {0}};
  hcs_hchacha20(key, nonce, derived.key);
  memcpy(derived.nonce + 4, nonce + 16, 8);
  return derived;
}

static void authenticate(
    const one_time *derived, const uint8_t *context, size_t context_length, const uint8_t *text, size_t length,
    uint8_t tag[16]) {
  static const uint8_t zeros[16];
  uint8_t block[64], lengths[16];
  for (int index = 0; index < 8; index++) {
    lengths[index] = (uint8_t)((uint64_t)context_length >> 8 * index);
    lengths[8 + index] = (uint8_t)((uint64_t)length >> 8 * index);
  }
  const hcs_piece pieces[] = {
      {context, context_length},
      {zeros, -context_length % 16},
      {text, length},
      {zeros, -length % 16},
      {lengths, sizeof lengths}};
  hcs_chacha20_block(derived->key, 0, derived->nonce, block);
  hcs_poly1305(block, pieces, sizeof pieces / sizeof *pieces, tag);
  hcs_wipe(block, sizeof block);
}

void hcs_cipher_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length, uint8_t *text,
    size_t length, uint8_t *tag) {
  one_time derived = derive(key, nonce);
  chacha20(derived.key, derived.nonce, text, length);
  authenticate(&derived, context, context_length, text, length, tag);
  hcs_wipe(&derived, sizeof derived);
}

int hcs_cipher_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length, uint8_t *text,
    size_t length, const uint8_t *tag) {
  uint8_t expected[16], difference = 0;
  one_time derived = derive(key, nonce);
  authenticate(&derived, context, context_length, text, length, expected);
  for (int index = 0; index < 16; index++) difference |= expected[index] ^ tag[index];
  if (difference == 0) chacha20(derived.key, derived.nonce, text, length);
  hcs_wipe(&derived, sizeof derived);
  hcs_wipe(expected, sizeof expected);
  return difference == 0 ? 0 : -1;
}
