#define _GNU_SOURCE
#include "csystem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Pages that no core dump and no forked child gets to see -------------------------------------------------- */

static size_t page_size(void) {
  long size = sysconf(_SC_PAGESIZE);
  return size > 0 ? (size_t)size : 4096;
}

/* `length` rounded up to pages; 0 when it is too large. */
static size_t pages_for(size_t length) {
  size_t page = page_size();
  if (length > SIZE_MAX - page) return 0;
  size_t rounded = (length + page - 1) / page * page;
  return rounded == 0 ? page : rounded;
}

static void *private_pages(size_t length) {
  void *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  /* A kernel that knows neither leaves them as safe as any memory of the host. */
  madvise(memory, length, MADV_DONTDUMP);
  madvise(memory, length, MADV_WIPEONFORK);
  return memory;
}

static void give_back(void *memory, size_t length) {
  if (memory == NULL) return;
  explicit_bzero(memory, length);
  munmap(memory, length);
}

void hcs_wipe(void *bytes, size_t length) {
  if (bytes != NULL) explicit_bzero(bytes, length);
}

char *hcs_text_copy(const uint8_t *bytes, size_t length) {
  if (length == SIZE_MAX) return NULL;
  char *text = malloc(length + 1);
  if (text == NULL) return NULL;
  if (length > 0) memcpy(text, bytes, length);
  text[length] = 0;
  return text;
}

void hcs_free(void *memory) { free(memory); }

/* ---- The store: one mapping a secret, of which a checkout has a handful ---------------------------------------- */

typedef struct secret {
  struct secret *next;
  uint64_t id;
  size_t owners;
  size_t length;
  size_t mapped;
  uint8_t *bytes;
} secret;

struct hcs_secret_store {
  secret *first;
  uint64_t last_id;
};

static secret *find(hcs_secret_store *store, uint64_t id) {
  secret *each = store->first;
  while (each != NULL && each->id != id) each = each->next;
  return each;
}

static void discard(secret *gone) {
  give_back(gone->bytes, gone->mapped);
  free(gone);
}

hcs_secret_store *hcs_secret_store_create(void) { return calloc(1, sizeof(hcs_secret_store)); }

void hcs_secret_store_destroy(hcs_secret_store *store) {
  if (store == NULL) return;
  while (store->first != NULL) {
    secret *gone = store->first;
    store->first = gone->next;
    discard(gone);
  }
  free(store);
}

uint64_t hcs_secret_intern(hcs_secret_store *store, const uint8_t *bytes, size_t length) {
  for (secret *each = store->first; each != NULL; each = each->next) {
    if (each->length != length || (length > 0 && memcmp(each->bytes, bytes, length) != 0)) continue;
    each->owners++;
    return each->id;
  }
  size_t mapped = pages_for(length);
  secret *made = malloc(sizeof *made);
  if (made == NULL || mapped == 0 || (made->bytes = private_pages(mapped)) == NULL) {
    free(made);
    return 0;
  }
  if (length > 0) memcpy(made->bytes, bytes, length);
  made->id = ++store->last_id;
  made->owners = 1;
  made->length = length;
  made->mapped = mapped;
  made->next = store->first;
  store->first = made;
  return made->id;
}

void hcs_secret_retain(hcs_secret_store *store, uint64_t id) {
  secret *kept = find(store, id);
  if (kept != NULL) kept->owners++;
}

void hcs_secret_release(hcs_secret_store *store, uint64_t id) {
  secret **link = &store->first;
  while (*link != NULL && (*link)->id != id) link = &(*link)->next;
  secret *released = *link;
  if (released == NULL || --released->owners > 0) return;
  *link = released->next;
  discard(released);
}

size_t hcs_secret_length(hcs_secret_store *store, uint64_t id) {
  secret *found = find(store, id);
  return found == NULL ? 0 : found->length;
}

size_t hcs_secret_copy(hcs_secret_store *store, uint64_t id, uint8_t *out, size_t capacity) {
  secret *found = find(store, id);
  if (found == NULL) return 0;
  size_t length = found->length < capacity ? found->length : capacity;
  if (length > 0) memcpy(out, found->bytes, length);
  return length;
}

/* ---- Bodies ---------------------------------------------------------------------------------------------------- */

/* Ordinary memory until the first secret comes: most payments have none, and pages of their own cost four calls of the
 * kernel between the host's submit and the first byte. */
struct hcs_body {
  hcs_secret_store *store;
  uint8_t *bytes;
  size_t length;
  size_t capacity;
  int is_private;
  int failed;
};

enum { FIRST_BODY_BYTES = 512 };

static void give_back_body(uint8_t *bytes, size_t capacity, int is_private) {
  if (is_private) {
    give_back(bytes, capacity);
    return;
  }
  hcs_wipe(bytes, capacity);
  free(bytes);
}

hcs_body *hcs_body_create(hcs_secret_store *store) {
  hcs_body *body = calloc(1, sizeof *body);
  if (body == NULL) return NULL;
  body->store = store;
  body->capacity = FIRST_BODY_BYTES;
  body->bytes = malloc(body->capacity);
  if (body->bytes == NULL) {
    free(body);
    return NULL;
  }
  return body;
}

/* What is left behind is wiped. */
static int move(hcs_body *body, size_t capacity, int is_private) {
  if (is_private) capacity = pages_for(capacity);
  uint8_t *moved = capacity == 0 ? NULL : is_private ? private_pages(capacity) : malloc(capacity);
  if (moved == NULL) return -1;
  memcpy(moved, body->bytes, body->length);
  give_back_body(body->bytes, body->capacity, body->is_private);
  body->bytes = moved;
  body->capacity = capacity;
  body->is_private = is_private;
  return 0;
}

/* Makes room, and takes the body to private pages when it must be there. */
static int reserve(hcs_body *body, size_t more, int is_private) {
  if (more > SIZE_MAX - body->length) return -1;
  size_t needed = body->length + more;
  if (needed <= body->capacity && is_private <= body->is_private) return 0;
  if (needed > body->capacity && needed < SIZE_MAX / 2 && needed < body->capacity * 2) needed = body->capacity * 2;
  return move(body, needed, is_private || body->is_private);
}

static int append(hcs_body *body, const uint8_t *bytes, size_t length, int is_private) {
  if (body->failed || reserve(body, length, is_private) != 0) {
    body->failed = 1;
    return -1;
  }
  if (length > 0) memcpy(body->bytes + body->length, bytes, length);
  body->length += length;
  return 0;
}

int hcs_body_append_text(hcs_body *body, const uint8_t *bytes, size_t length) { return append(body, bytes, length, 0); }

int hcs_body_append_secret(hcs_body *body, uint64_t id) {
  secret *found = body->store == NULL ? NULL : find(body->store, id);
  if (found == NULL) {
    body->failed = 1;
    return -1;
  }
  return append(body, found->bytes, found->length, 1);
}

const uint8_t *hcs_body_bytes(const hcs_body *body, size_t *length) {
  *length = body->failed ? 0 : body->length;
  return body->failed ? NULL : body->bytes;
}

void hcs_body_destroy(hcs_body *body) {
  if (body == NULL) return;
  give_back_body(body->bytes, body->capacity, body->is_private);
  free(body);
}
