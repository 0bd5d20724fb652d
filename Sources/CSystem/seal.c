/* A gift card's number and code, sealed under the host's key. Sealed is always as long, whatever is in it:
 *
 *   version (1)  nonce (24)  text (64)  tag (16)
 *
 * and the text, hidden, is: length of the number (1), length of the code or 0 (1), number, code, zeros. */
#define _GNU_SOURCE
#include "csystem.h"

#include <string.h>

enum { VERSION = 1, NONCE_AT = 1, TEXT_AT = 25, TEXT = 64, TAG_AT = 89, TYPED_AT = 2 };
_Static_assert(TAG_AT + 16 == HCS_SEALED_LENGTH, "the parts make the whole");

static int copy_key(hcs_secret_store *store, uint64_t key, uint8_t out[32]) {
  if (hcs_secret_length(store, key) != 32) return -1;
  return hcs_secret_copy(store, key, out, 32) == 32 ? 0 : -1;
}

/* 0, or -1 when it is not there or does not fit. */
static int assemble(hcs_secret_store *store, uint64_t number, uint64_t code, uint8_t text[TEXT]) {
  size_t number_length = hcs_secret_length(store, number);
  size_t code_length = code == 0 ? 0 : hcs_secret_length(store, code);
  if (number_length == 0 || number_length > TEXT - TYPED_AT || code_length > TEXT - TYPED_AT - number_length) return -1;
  text[0] = (uint8_t)number_length;
  text[1] = (uint8_t)code_length;
  hcs_secret_copy(store, number, text + TYPED_AT, number_length);
  if (code_length > 0) hcs_secret_copy(store, code, text + TYPED_AT + number_length, code_length);
  return 0;
}

int hcs_seal(
    hcs_secret_store *store, uint64_t key, const uint8_t *nonce, uint64_t number, uint64_t code,
    const uint8_t *context, size_t context_length, uint8_t *sealed) {
  uint8_t key_bytes[32], text[TEXT] = {0};
  int result = -1;
  if (copy_key(store, key, key_bytes) == 0 && assemble(store, number, code, text) == 0) {
    hcs_cipher_seal(key_bytes, nonce, context, context_length, text, TEXT, sealed + TAG_AT);
    sealed[0] = VERSION;
    memcpy(sealed + NONCE_AT, nonce, 24);
    memcpy(sealed + TEXT_AT, text, TEXT);
    result = 0;
  }
  hcs_wipe(key_bytes, sizeof key_bytes);
  hcs_wipe(text, sizeof text);
  return result;
}

static int intern(hcs_secret_store *store, const uint8_t text[TEXT], uint64_t *number, uint64_t *code) {
  size_t number_length = text[0], code_length = text[1];
  if (number_length == 0 || number_length + code_length > TEXT - TYPED_AT) return -1;
  *number = hcs_secret_intern(store, text + TYPED_AT, number_length);
  if (*number == 0) return -1;
  if (code_length == 0) return 0;
  *code = hcs_secret_intern(store, text + TYPED_AT + number_length, code_length);
  if (*code != 0) return 0;
  hcs_secret_release(store, *number);
  *number = 0;
  return -1;
}

int hcs_open(
    hcs_secret_store *store, uint64_t key, const uint8_t *sealed, size_t length, const uint8_t *context,
    size_t context_length, uint64_t *number, uint64_t *code) {
  uint8_t key_bytes[32], text[TEXT];
  int result = -1;
  *number = 0;
  *code = 0;
  if (length != HCS_SEALED_LENGTH || sealed[0] != VERSION || copy_key(store, key, key_bytes) != 0) return -1;
  memcpy(text, sealed + TEXT_AT, TEXT);
  if (hcs_cipher_open(key_bytes, sealed + NONCE_AT, context, context_length, text, TEXT, sealed + TAG_AT) == 0) {
    result = intern(store, text, number, code);
  }
  hcs_wipe(key_bytes, sizeof key_bytes);
  hcs_wipe(text, sizeof text);
  return result;
}
