/* What the Swift side cannot say itself: clocks, descriptors, locks, handles, memory that is wiped, and libcurl.
 *
 * Nothing here starts a thread, runs at load time, or changes a signal disposition or a global of the host. Every
 * function is internal to the library. Unless it says otherwise, a function is called by one thread at a time for one
 * object: the runtime's lock sees to that.
 */
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#define HCS_NULLABLE _Nullable
#pragma clang assume_nonnull begin
#else
#define HCS_NULLABLE
#endif
#pragma GCC visibility push(hidden)

/* ---- Clock, randomness, identity (clock.c) -------------------------------------------------------------------- */

/* Milliseconds since boot, time asleep included. */
int64_t hcs_boot_milliseconds(void);
/* Milliseconds since 1970, as the device believes. */
int64_t hcs_wall_milliseconds(void);
/* Fills `out`; 0, or -1 when the kernel has no randomness to give. */
int hcs_random(void *out, size_t length);
int32_t hcs_process(void);
/* A number that no other living thread of this process has. */
uint64_t hcs_thread(void);

/* ---- Poller (poller.c): epoll with one timer and one event descriptor ----------------------------------------- */

enum { HCS_READ = 1, HCS_WRITE = 2 };

typedef struct hcs_poller hcs_poller;
typedef struct hcs_ready {
  int fd;
  int mask;
} hcs_ready;

/* The event descriptor stays the caller's; -1 means none. NULL when the process has no descriptors left. */
hcs_poller *HCS_NULLABLE hcs_poller_create(int event_descriptor);
/* Gives a poller that has none its event descriptor. 0, or -1 when the kernel refused. */
int hcs_poller_listen(hcs_poller *poller, int event_descriptor);
void hcs_poller_destroy(hcs_poller *HCS_NULLABLE poller);
/* Readable whenever a wait would return at once. */
int hcs_poller_descriptor(hcs_poller *poller);
/* What to report about `fd`; 0 forgets it. 0, or -1 when the kernel refused. */
int hcs_poller_watch(hcs_poller *poller, int fd, int mask);
/* When to wake at the latest, on the boot clock; negative for never. A deadline fires once. */
void hcs_poller_deadline(hcs_poller *poller, int64_t boot_milliseconds);
/* Waits (negative: for ever) and says how many sockets are ready; -1 when a signal came first. `woken` and `expired`
 * become 1 or 0, and what woke the poller has been drained. An error on a socket counts as readable and writable. When
 * there may be more than was taken, the event is signalled again. */
int hcs_poller_wait(
    hcs_poller *poller, int timeout_milliseconds, hcs_ready *ready, int capacity, int *woken, int *expired);

/* A counter that makes a poller wake. Signalling is async-signal-safe, sticky and coalescing, and ignores -1. */
void hcs_event_signal(int event_descriptor);

/* ---- Locks (lock.c) ------------------------------------------------------------------------------------------- */

typedef struct hcs_lock hcs_lock;

hcs_lock *HCS_NULLABLE hcs_lock_create(void);
void hcs_lock_destroy(hcs_lock *HCS_NULLABLE lock);
void hcs_lock_acquire(hcs_lock *lock);
void hcs_lock_release(hcs_lock *lock);

/* ---- Handles (handles.c): numbers that look like pointers and never are --------------------------------------- */

enum { HCS_HANDLE_OK = 0, HCS_HANDLE_INVALID = 1, HCS_HANDLE_FORKED = 2 };

/* Guards the table. In a forked child the first acquire starts with a fresh lock. */
void hcs_registry_acquire(void);
void hcs_registry_release(void);

/* With the registry held. A handle for `object`, or 0 when the table is full. `kind` is 1 to 7. */
uint64_t hcs_handle_open(int32_t kind, void *object);
/* With the registry held. */
int32_t hcs_handle_find(uint64_t handle, int32_t kind, void *HCS_NULLABLE *HCS_NULLABLE object);
/* With the registry held. It is still found, and nobody is woken by it any more. */
void hcs_handle_end(uint64_t handle);
/* With the registry held. The handle is stale from here on; one of a parent process is left alone. */
void hcs_handle_close(uint64_t handle);

/* Takes no lock: HCS_HANDLE_FORKED for a handle that a parent process opened, else HCS_HANDLE_OK, whatever it is. */
int32_t hcs_handle_check_fork(uint64_t handle);

/* With the registry held. The event descriptor of the handle's slot, made when the slot has none yet; -1 on failure.
 * It belongs to the slot: reused by later handles, never closed. */
int hcs_handle_event(uint64_t handle);
/* Takes no lock and is async-signal-safe: the same descriptor, or -1 for a handle that is stale, foreign or without. */
int hcs_runtime_event(uint64_t handle);

/* ---- Memory (secrets.c) --------------------------------------------------------------------------------------- */

/* A store for card numbers and PINs: pages that no core dump holds and that are wiped when given back. */
typedef struct hcs_secret_store hcs_secret_store;
/* The text of one request, assembled in such pages from the first secret on. */
typedef struct hcs_body hcs_body;

hcs_secret_store *HCS_NULLABLE hcs_secret_store_create(void);
/* Wipes what is left. Bodies made from the store are independent of it once assembled. */
void hcs_secret_store_destroy(hcs_secret_store *HCS_NULLABLE store);
/* The id of these bytes, with one more owner: equal bytes have one id while it lives, and no id is ever given twice.
 * 0 when out of memory. */
uint64_t hcs_secret_intern(hcs_secret_store *store, const uint8_t *HCS_NULLABLE bytes, size_t length);
void hcs_secret_retain(hcs_secret_store *store, uint64_t secret);
/* The last release wipes the bytes. */
void hcs_secret_release(hcs_secret_store *store, uint64_t secret);
/* 0 for an id that is not there. */
size_t hcs_secret_length(hcs_secret_store *store, uint64_t secret);
/* Copies at most `capacity` bytes to `out` and says how many. For what must be computed from a secret, as sealing it. */
size_t hcs_secret_copy(hcs_secret_store *store, uint64_t secret, uint8_t *out, size_t capacity);

/* The store may be NULL for a body without secrets. */
hcs_body *HCS_NULLABLE hcs_body_create(hcs_secret_store *HCS_NULLABLE store);
/* 0, or -1 when out of memory or, for a secret, when it is not there; the body then stays unusable. */
int hcs_body_append_text(hcs_body *body, const uint8_t *HCS_NULLABLE bytes, size_t length);
int hcs_body_append_secret(hcs_body *body, uint64_t secret);
/* NULL after a failed append. */
const uint8_t *HCS_NULLABLE hcs_body_bytes(const hcs_body *body, size_t *length);
/* Wipes it. */
void hcs_body_destroy(hcs_body *HCS_NULLABLE body);

/* Zeroes memory in a way that the compiler keeps. */
void hcs_wipe(void *HCS_NULLABLE bytes, size_t length);
/* A NUL-terminated copy for hcs_free. */
char *HCS_NULLABLE hcs_text_copy(const uint8_t *HCS_NULLABLE bytes, size_t length);
void hcs_free(void *HCS_NULLABLE memory);

/* ---- Sealing (seal.c): a gift card's number outside the store --------------------------------------------------- */

enum { HCS_SEALED_LENGTH = 105 };

/* Seals a number and its code (0: none) under a key of 32 bytes that is in the store, too. `nonce` has 24 bytes and must
 * be random: never the same twice. `context` is not hidden, and opening wants the same. `sealed` takes
 * HCS_SEALED_LENGTH bytes. 0, or -1 when something is not in the store, or number and code exceed 62 bytes together. */
int hcs_seal(
    hcs_secret_store *store, uint64_t key, const uint8_t *nonce, uint64_t number, uint64_t code,
    const uint8_t *context, size_t context_length, uint8_t *sealed);
/* Interns what was sealed: the ids are the caller's to release, and `code` is 0 when there is none. -1 when it was
 * sealed under another key or context, was edited, or when out of memory. */
int hcs_open(
    hcs_secret_store *store, uint64_t key, const uint8_t *sealed, size_t length, const uint8_t *context,
    size_t context_length, uint64_t *number, uint64_t *code);

/* What sealing is made of (xchacha20_poly1305.c), visible for the published vectors. A key has 32 bytes, a tag 16, a
 * nonce 24 where nothing else is said. */
typedef struct hcs_piece {
  const uint8_t *bytes;
  size_t length;
} hcs_piece;

/* From a nonce of 16 bytes. */
void hcs_hchacha20(const uint8_t *key, const uint8_t *nonce, uint8_t *subkey);
/* From a nonce of 12 bytes; a block has 64. */
void hcs_chacha20_block(const uint8_t *key, uint32_t counter, const uint8_t *nonce, uint8_t *block);
/* Of the pieces one after the other. */
void hcs_poly1305(const uint8_t *key, const hcs_piece *pieces, size_t count, uint8_t *tag);
/* XChaCha20-Poly1305, in place. */
void hcs_cipher_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length, uint8_t *text,
    size_t length, uint8_t *tag);
/* 0 and the text is open, or -1 and it is as it was. */
int hcs_cipher_open(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *context, size_t context_length, uint8_t *text,
    size_t length, const uint8_t *tag);

/* ---- HTTP (curl.c and its neighbours): libcurl, loaded when the first client is created ------------------------ */

typedef struct hcs_http hcs_http;
typedef struct hcs_http_options hcs_http_options;
typedef struct hcs_http_request hcs_http_request;

/* Asked once for each request, when connection and TLS stand and before its first byte: 1 lets it leave, 0 ends it.
 * Must not call any hcs_http function. */
typedef int (*hcs_http_gate)(void *HCS_NULLABLE context, uint64_t id);

enum {
  HCS_HTTP_CA_FILE = 0,
  HCS_HTTP_PROXY = 1,
  HCS_HTTP_USER_AGENT = 2,
  HCS_HTTP_CLIENT_CERTIFICATE = 3,
  HCS_HTTP_CLIENT_KEY = 4,
  HCS_HTTP_CLIENT_KEY_PASSWORD = 5,
  HCS_HTTP_TEXT_OPTIONS = 6
};

hcs_http_options *HCS_NULLABLE hcs_http_options_create(void);
/* 0, or -1 when out of memory, or when the text has a control character or the option is unknown. */
int hcs_http_options_text(
    hcs_http_options *options, int option, const uint8_t *HCS_NULLABLE bytes, size_t length);
/* Plain http to this machine, and to nothing else; without it https only. */
void hcs_http_options_allow_loopback(hcs_http_options *options, int allow);
void hcs_http_options_gate(hcs_http_options *options, hcs_http_gate gate, void *HCS_NULLABLE context);
void hcs_http_options_destroy(hcs_http_options *HCS_NULLABLE options);

enum {
  HCS_HTTP_OK = 0,
  HCS_HTTP_NO_MEMORY = 1,
  HCS_HTTP_URL_INVALID = 2,   /* not a URL, or one with a user name or password */
  HCS_HTTP_URL_REFUSED = 3,   /* neither https nor allowed loopback http */
  HCS_HTTP_TEXT_INVALID = 4,  /* a method, header or URL with a character that has no place in it */
  HCS_HTTP_ID_IN_USE = 5,
  HCS_HTTP_REENTRANT = 6,     /* called from the gate */
  HCS_HTTP_LIBRARY = 7        /* libcurl refused an option that safety rests on */
};

/* `method` and `url` are copied. NULL when out of memory or when they hold a control character. */
hcs_http_request *HCS_NULLABLE hcs_http_request_create(
    uint64_t id, const uint8_t *HCS_NULLABLE method, size_t method_length, const uint8_t *HCS_NULLABLE url,
    size_t url_length);
/* HCS_HTTP_OK, _NO_MEMORY or _TEXT_INVALID. */
int hcs_http_request_header(
    hcs_http_request *request, const uint8_t *HCS_NULLABLE name, size_t name_length,
    const uint8_t *HCS_NULLABLE value, size_t value_length);
/* The body is the request's from here on. */
void hcs_http_request_body(hcs_http_request *request, hcs_body *body);
/* Milliseconds to connect (TLS included) and in all, and the most bytes that the answer may have. */
void hcs_http_request_limits(
    hcs_http_request *request, int64_t connect_milliseconds, int64_t total_milliseconds, size_t response_bytes);
/* It can move money: a connection of its own, HTTP/1.1, and never sent twice. */
void hcs_http_request_money(hcs_http_request *request);
void hcs_http_request_destroy(hcs_http_request *HCS_NULLABLE request);

/* Loads libcurl when it is not loaded. On failure NULL, and `error` says why in words. The options are copied; the
 * poller must outlive the client. */
hcs_http *HCS_NULLABLE hcs_http_create(
    const hcs_http_options *options, hcs_poller *poller, char *error, size_t error_capacity);
/* Ends what runs, without results. */
void hcs_http_destroy(hcs_http *HCS_NULLABLE http);
/* Around many calls of one thread, to keep SIGPIPE away from it once instead of at each call. The thread must not wait
 * for long in between: a SIGPIPE that others send it would wait, too. */
void hcs_http_round_begin(hcs_http *http);
void hcs_http_round_end(hcs_http *http);
/* Takes the request over, whatever it answers. Nothing is sent before the next hcs_http_timeout; the deadline is due. */
int hcs_http_start(hcs_http *http, hcs_http_request *request);
/* Ends a running request, without a result. 0: it had not left; 1: it had; -1: none such runs (it may be finished). */
int hcs_http_cancel(hcs_http *http, uint64_t id);
void hcs_http_socket_ready(hcs_http *http, int fd, int mask);
/* To be called when the deadline is reached. Does nothing before. */
void hcs_http_timeout(hcs_http *http);
/* On the boot clock, or -1. */
int64_t hcs_http_deadline(const hcs_http *http);
/* How many run. */
size_t hcs_http_running(const hcs_http *http);

typedef struct hcs_http_result {
  uint64_t id;
  int32_t status;      /* of the final header block; 0 when there was none */
  int32_t curl_code;   /* CURLcode; 0 does not mean complete */
  int32_t left;        /* 1 when a byte of the request may have left this machine */
  int32_t complete;    /* 1 when the whole answer was read, as far as HTTP/1.1 can tell */
  int32_t refused;     /* 1 when the gate said no */
  int32_t too_large;   /* 1 when the answer was longer than allowed */
  int32_t secure;      /* 1 when it travelled over TLS */
  int32_t resent;      /* 1 when libcurl tried to send a money request again, which was prevented */
  int64_t left_at;     /* boot clock, when the gate let it go; -1 */
  int64_t answered_at; /* boot clock, when the final header block was complete; -1 */
  const char *HCS_NULLABLE date; /* headers, NULL when absent */
  const char *HCS_NULLABLE content_type;
  const char *HCS_NULLABLE retry_after;
  const uint8_t *HCS_NULLABLE body;
  size_t body_length;
  const char *HCS_NULLABLE error; /* words without URL, header or body; "" when nothing went wrong */
} hcs_http_result;

/* Takes the next finished request: 1, or 0 when there is none. Pointers are good until hcs_http_tidy or destroy. */
int hcs_http_finished(hcs_http *http, hcs_http_result *result);
/* Gives up what finished requests have left: their sockets, handles and bytes. It takes its time, and is called when
 * the host has been told. */
void hcs_http_tidy(hcs_http *http);

/* "libcurl/7.88.1 OpenSSL/3.0.22", or NULL when it is not loaded. */
const char *HCS_NULLABLE hcs_http_library_version(void);

#pragma GCC visibility pop
#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#endif
