#include "csystem.h"
#include "process.h"

#include <stdatomic.h>
#include <sys/eventfd.h>

/* A handle is the slot, its generation and its kind, 43 bits, with 16 check bits, scrambled with a salt of this load.
 * The five bits that are left are fixed so that no processor takes the number for an address: on x86-64 (4 or 5 levels
 * of pages, with or without linear address masking), with ARM's top byte ignored, and on RISC-V. */
enum { SLOTS = 65536, SLOT_BITS = 16, GENERATION_BITS = 24, KIND_BITS = 3, LAST_GENERATION = (1 << 24) - 1 };

_Static_assert(sizeof(void *) == 8, "a handle needs 64 bits");

#define FIXED_MASK ((1ull << 63) | (1ull << 62) | (1ull << 56) | (1ull << 55) | (1ull << 47))
#define FIXED_BITS ((1ull << 62) | (1ull << 56) | (1ull << 55) | (1ull << 47))
#define PAYLOAD_MASK ((1ull << (SLOT_BITS + GENERATION_BITS + KIND_BITS)) - 1)

typedef struct {
  _Atomic uint32_t generation; /* of the handle that is open, or of the next; a slot is given up after the last one */
  _Atomic int32_t kind;        /* 0: free */
  _Atomic uint64_t owner;      /* epoch of the process that opened it */
  _Atomic int32_t ending; /* what it stands for is destroyed, and closes it later */
  void *_Atomic object;
  _Atomic uint64_t event_owner; /* epoch of the process that made the event descriptor; 0: none yet */
  _Atomic int event;
  int32_t next_free; /* slot + 1; 0: none */
} slot_record;

/* Untouched pages of it cost nothing. */
static slot_record slots[SLOTS];
static int32_t first_free; /* slot + 1; 0: none */
static int32_t used;       /* slots from here on were never opened */
static _Atomic uint64_t salt;

/* The finaliser of SplitMix64. */
static uint64_t scramble(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ value >> 27) * 0x94d049bb133111ebull;
  return value ^ value >> 31;
}

static uint64_t check_of(uint64_t payload, uint64_t key) {
  return scramble(scramble(payload ^ key) + key) & 0xffff;
}

static uint64_t mask_of(uint64_t check, uint64_t key) {
  return scramble(check * 0x9e3779b97f4a7c15ull ^ (key << 32 | key >> 32)) & PAYLOAD_MASK;
}

/* Moves 59 bits into the places that are not fixed: below bit 47, 48 to 54, 57 to 61. */
static uint64_t spread(uint64_t bits) {
  return FIXED_BITS | (bits & 0x7fffffffffffull) | (bits >> 47 & 0x7f) << 48 | (bits >> 54 & 0x1f) << 57;
}

static uint64_t gather(uint64_t handle) {
  return (handle & 0x7fffffffffffull) | (handle >> 48 & 0x7f) << 47 | (handle >> 57 & 0x1f) << 54;
}

/* 0 when there is no randomness, or, without `make`, no handle yet. */
static uint64_t salt_of(int make) {
  uint64_t known = atomic_load_explicit(&salt, memory_order_acquire);
  if (known != 0 || !make) return known;
  uint64_t fresh = 0;
  if (hcs_random(&fresh, sizeof fresh) != 0) return 0;
  fresh |= 1;
  return atomic_compare_exchange_strong(&salt, &known, fresh) ? fresh : known;
}

/* The slot of a handle that was opened by this load of the library, in this process or a parent; else NULL. */
static slot_record *slot_of(uint64_t handle, int32_t *kind) {
  uint64_t key = salt_of(0);
  if (key == 0 || (handle & FIXED_MASK) != FIXED_BITS) return NULL;
  uint64_t bits = gather(handle);
  uint64_t check = bits & 0xffff;
  uint64_t payload = (bits >> 16) ^ mask_of(check, key);
  if (check_of(payload, key) != check) return NULL;
  slot_record *slot = &slots[payload & (SLOTS - 1)];
  uint32_t generation = (uint32_t)(payload >> SLOT_BITS) & LAST_GENERATION;
  *kind = (int32_t)(payload >> (SLOT_BITS + GENERATION_BITS));
  if (atomic_load(&slot->kind) != *kind || atomic_load(&slot->generation) != generation) return NULL;
  return slot;
}

void hcs_registry_acquire(void) { process_lock(PROCESS_LOCK_REGISTRY); }

void hcs_registry_release(void) { process_unlock(PROCESS_LOCK_REGISTRY); }

/* The parent may have been changing the list of free slots when it forked. */
void handles_after_fork(void) {
  first_free = 0;
  for (int32_t index = used - 1; index >= 0; index--) {
    if (atomic_load(&slots[index].kind) != 0 || atomic_load(&slots[index].generation) > LAST_GENERATION) continue;
    slots[index].next_free = first_free;
    first_free = index + 1;
  }
}

uint64_t hcs_handle_open(int32_t kind, void *object) {
  uint64_t key = salt_of(1);
  if (key == 0 || kind < 1 || kind >= 1 << KIND_BITS) return 0;
  int32_t index;
  if (first_free != 0) {
    index = first_free - 1;
    first_free = slots[index].next_free;
  } else if (used < SLOTS) {
    index = used++;
  } else {
    return 0;
  }
  slot_record *slot = &slots[index];
  uint64_t generation = atomic_load(&slot->generation);
  atomic_store(&slot->object, object);
  atomic_store(&slot->ending, 0);
  atomic_store(&slot->owner, process_epoch());
  atomic_store(&slot->kind, kind);
  uint64_t payload =
      (uint64_t)index | generation << SLOT_BITS | (uint64_t)kind << (SLOT_BITS + GENERATION_BITS);
  uint64_t check = check_of(payload, key);
  return spread((payload ^ mask_of(check, key)) << 16 | check);
}

int32_t hcs_handle_find(uint64_t handle, int32_t kind, void **object) {
  if (object != NULL) *object = NULL;
  int32_t found = 0;
  slot_record *slot = slot_of(handle, &found);
  if (slot == NULL || found != kind) return HCS_HANDLE_INVALID;
  if (atomic_load(&slot->owner) != process_epoch()) return HCS_HANDLE_FORKED;
  if (object != NULL) *object = atomic_load(&slot->object);
  return HCS_HANDLE_OK;
}

void hcs_handle_end(uint64_t handle) {
  int32_t kind = 0;
  slot_record *slot = slot_of(handle, &kind);
  if (slot != NULL && atomic_load(&slot->owner) == process_epoch()) atomic_store(&slot->ending, 1);
}

void hcs_handle_close(uint64_t handle) {
  int32_t kind = 0;
  slot_record *slot = slot_of(handle, &kind);
  if (slot == NULL || atomic_load(&slot->owner) != process_epoch()) return;
  uint32_t next = atomic_load(&slot->generation) + 1;
  atomic_store(&slot->kind, 0);
  atomic_store(&slot->object, NULL);
  atomic_store(&slot->generation, next);
  if (next > LAST_GENERATION) return;
  slot->next_free = first_free;
  first_free = (int32_t)(slot - slots) + 1;
}

int32_t hcs_handle_check_fork(uint64_t handle) {
  int32_t kind = 0;
  slot_record *slot = slot_of(handle, &kind);
  return slot != NULL && atomic_load(&slot->owner) != process_epoch() ? HCS_HANDLE_FORKED : HCS_HANDLE_OK;
}

int hcs_handle_event(uint64_t handle) {
  int32_t kind = 0;
  slot_record *slot = slot_of(handle, &kind);
  uint64_t epoch = process_epoch();
  if (slot == NULL || atomic_load(&slot->owner) != epoch) return -1;
  if (atomic_load(&slot->event_owner) == epoch) return atomic_load(&slot->event);
  /* A parent's descriptor is not closed here: the child may have closed it, and its number be someone else's. */
  int made = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (made < 0) return -1;
  atomic_store(&slot->event, made);
  atomic_store(&slot->event_owner, epoch);
  return made;
}

int hcs_runtime_event(uint64_t handle) {
  int32_t kind = 0;
  slot_record *slot = slot_of(handle, &kind);
  uint64_t epoch = process_epoch();
  if (slot == NULL || epoch == 0 || atomic_load(&slot->owner) != epoch || atomic_load(&slot->event_owner) != epoch ||
      atomic_load(&slot->ending)) {
    return -1;
  }
  return atomic_load(&slot->event);
}
