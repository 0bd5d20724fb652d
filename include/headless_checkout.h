/*
 * Headless Checkout: a payment checkout with no screen, for every host language.
 *
 * This header is the manual and the contract. It is C99 and C++ clean and stands alone. If something is not said here
 * it is not promised. The JSON that crosses this boundary is described beside the function, event or hook it belongs
 * to; include/README.md has the longer tables (states, errors, published properties).
 *
 * THE TEN CONVENTIONS (tests cite them by number)
 *
 *  1. Every function that can fail returns an hco_status and may write an owned JSON text through `char **reply` (NULL:
 *     not wanted): the result when the status is HCO_OK, otherwise the error object. Out parameters are cleared first.
 *     A call that does not answer HCO_OK has changed nothing in any checkout; a failed hco_create or hco_restore still
 *     runs `release`.
 *  2. A `char *` that you receive is yours and is freed by hco_free only; a `const char *` is not yours. Text that you
 *     pass is NUL-terminated UTF-8 and is copied before the call returns; NULL means `{}`. Text that a callback receives
 *     is valid during that call only.
 *  3. Handles are opaque and never dereferenced. One that is stale, forged or of the wrong kind answers
 *     HCO_INVALID_HANDLE; one that belongs to the parent of a forked child answers HCO_FORKED there (hco_release and
 *     hco_runtime_destroy then do nothing); a new runtime works in the child. NULL is harmless for hco_release,
 *     hco_runtime_destroy and hco_free.
 *  4. Any function may be called from any thread. Callbacks run only inside hco_runtime_poll, on the thread that called
 *     it, one at a time, with no lock held (`release` may also run inside a failed hco_create or hco_restore and inside
 *     hco_runtime_destroy). Every function may be called from a callback, except hco_runtime_poll and hco_runtime_next
 *     (HCO_REENTRANT). While one thread polls, another's poll or next answers HCO_BUSY.
 *  5. There are two callbacks, for ever: the `listener` is told (an event kind and JSON), the `hook` is asked (a hook
 *     kind, a ticket and JSON). The kind stands in the JSON too, as "type". Ignore kinds, keys and values that you do
 *     not know: they are how this library grows.
 *  6. A ticket is answered by hco_answer, inside the callback or later, from any thread: {"ok":{...}},
 *     {"error":{"message":"..."}}, {"canceled":true} or {"unset":true} (as if the hook were not set). It counts once; a
 *     late, second or foreign answer is HCO_REFUSED, code TICKET_CLOSED. A malformed answer is HCO_INVALID_ARGUMENT and
 *     leaves the ticket open. No answer is no consent.
 *  7. Amounts are integers in minor units of the session's currency (1999 is 19.99 EUR), from 0 to 2^53-1. No number
 *     in any JSON of this boundary has a fraction or an exponent, except inside a partner's own object ("init"), which
 *     is told as it came. Times are ISO 8601 in UTC with seconds; durations are
 *     integers in milliseconds and their keys end in Ms.
 *  8. What you pass is read strictly: an unknown key, a wrong type or a duplicate key is HCO_INVALID_ARGUMENT with
 *     `path` and `offset` (bytes), never with the value; null for an optional key counts as left out. Card numbers and PINs that you pass are cut out of the text at
 *     once and live in memory that is wiped after use and excluded from core dumps; the copies that libcurl, or your own
 *     HTTP transport, makes of a request body cannot be wiped.
 *  9. Calls that finish later take an optional "tag" (a string of up to 64 bytes), answer {"call":n,"tag":"..."} and
 *     finish with exactly one `result` event; one that was not HCO_OK has none. They are hco_start, hco_refresh, hco_read_secondary,
 *     hco_element_open, hco_redirect_present, hco_set_wallet_session, hco_token_update, hco_token_delete and
 *     hco_simulate_loan. One that has nothing to do gets its result too, {"ignored":true}. hco_submit answers {"attempt":n} and ends in one `outcome` event.
 * 10. No signal disposition, locale, environment variable or other global of the host is changed, and no thread is
 *     started (libcurl may start a short one to resolve a DNS name). Loading the library starts nothing. Do not let a
 *     C++ exception or a longjmp leave a callback.
 *
 * THE ERROR OBJECT  (HCO_REFUSED, HCO_INVALID_ARGUMENT and the rest; also the "error" of events)
 *   {"code":"SUBMIT_BLOCKED",      stable, from the table in include/README.md
 *    "message":"...",              for people; never holds an amount, a card number or a name
 *    "category":"checkout",        checkout | api | session | argument
 *    "moved":"no",                 no | unknown | yes: whether money may have moved
 *    "retryable":false,            the same call may succeed later without a new session
 *    "path":"widgetData.session",  where in the JSON, or null
 *    "offset":17,                  byte offset in the text that you passed (for a session: in the decoded text), or null
 *    "details":{...}}              by code, or null
 *
 * QUICK START
 *   hco_runtime_create -> hco_create (widget.data from your backend) -> hco_set_primary -> hco_submit, while your loop
 *   calls hco_runtime_poll. The `outcome` event ends the attempt. A card needs its "collect" step in the "capabilities"
 *   of hco_create, and hco_element_open before the submit. At a sandbox on this machine hco_runtime_create wants
 *   "allowLoopbackHTTP" and hco_create "apiPaths". examples/checkout.c is the whole of it.
 *   With Primer: hco_create with "provider":"primer" and the client token, hco_start, and at its result the same.
 */
#ifndef HEADLESS_CHECKOUT_H
#define HEADLESS_CHECKOUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. hco_abi_version() tells the library's; the first number of both must agree. */
#define HCO_VERSION_MAJOR 0
#define HCO_VERSION_MINOR 1
#define HCO_VERSION_PATCH 0
#define HCO_VERSION_TEXT "0.1.0"
/* Raised only when a function, a struct or the meaning of a value changes so that a compiled host must change. */
#define HCO_ABI_VERSION 1

/* ------------------------------------------------------------------------------------------------------------------
 * Types
 * --------------------------------------------------------------------------------------------------------------- */

/* Result of a call. Values are fixed for ever; new ones may be added. */
typedef int32_t hco_status;
#define HCO_OK 0               /* done; reply holds the result */
#define HCO_REFUSED 1          /* a typed checkout error (reply.code); nothing changed */
#define HCO_INVALID_ARGUMENT 2 /* what you passed cannot be read (reply.path, reply.offset); nothing changed */
#define HCO_INVALID_HANDLE 3   /* NULL, released, forged, or of the other kind */
#define HCO_BUSY 4             /* another thread polls this runtime */
#define HCO_REENTRANT 5        /* poll or next inside a callback */
#define HCO_FORKED 6           /* the handle belongs to the parent process */
#define HCO_INTERNAL 7         /* out of memory or descriptors, no libcurl, a file that cannot be read; nothing changed */

/* A runtime drives any number of checkouts: descriptor, timers, HTTP. A checkout is one payment session. */
typedef struct hco_runtime hco_runtime;
typedef struct hco_checkout hco_checkout;

/* Events, for the listener (1-99). All carry "type" and a rising "seq". */
#define HCO_EVENT_CHANGE 1
#define HCO_EVENT_ELEMENT 2
#define HCO_EVENT_OUTCOME 3
#define HCO_EVENT_RESULT 4
#define HCO_EVENT_REDIRECT 5
#define HCO_EVENT_TICKET 6
#define HCO_EVENT_PLUGIN 7
#define HCO_EVENT_MONITORING 8
#define HCO_EVENT_LOG 9
/*
 * change    {"type":"change","seq":n,"changed":{property: its full value, ...}}
 *           Published properties that changed (the list is at hco_state). Coalesced, and delivered before any other
 *           event, so that you always see the final state first.
 * element   {"type":"element","seq":n,"element":id,"what":what, ...}
 *           what "ready": "isReady":bool, whenever that changes. "requiresAction": a page, or the partner's app, comes
 *             next; told before the redirection hook. "paymentId": "paymentId", what the return's URL says of itself,
 *             unverified: for your log, never for a decision.
 *             "closed": "reason", the code of a disabled state (another session does not have the item any more).
 *           "initialized": "init":{...}, the partner's new data after the amount or the session moved: show the widget
 *             anew with them and report ready. "initFailed": "error"; the element stays stale until the amount moves or
 *             you open it again.
 * outcome   {"type":"outcome","seq":n,"attempt":n,"element":id or null,"kind":kind, ...}: exactly one per attempt.
 *           kind "completed": "status" (the back end's own word), "isSuccess", "verdict" success | pending | declined,
 *             "results":[{"item","state","code"}]. Not success is a declined or pending payment, not an error.
 *           kind "returnedFromRedirect": "url" or null. Not a verdict: confirm the payment on your backend.
 *           kind "canceled": "spent" (true when the back end had answered about the payment already).
 *           kind "failed": "error". With "moved":"unknown" never show it as a failed payment: see hco_resolve.
 *           "resolved":true when it comes from hco_resolve.
 *           With Primer also "checkoutData":{"payment":{"id","orderId","status","paymentFailureReason"}}|null, the payment
 *             as far as it is known, whatever the kind; "voucher":{"entity","reference","expiresAt"} of a pending payment
 *             that the shopper makes elsewhere; and after hco_dismiss one with "attempt":null, kind "canceled",
 *             "dismissed":true. A payment that Primer declined is kind "failed", and may be tried again.
 * result    {"type":"result","seq":n,"call":n,"tag":"..." or null,"result":{...}} or "error" instead of "result".
 * redirect  {"type":"redirect","seq":n,"state":"open","attempt":n,"presentation":"...","action":action} opens a page:
 *             action {"kind":"get","url","returnURLPrefix","surfaces":["systemBrowser","webView","secondDevice"]}
 *                    {"kind":"postForm","url","formDataURLEncoded","returnURLPrefix","surfaces":["webView"]}
 *                    {"kind":"postHTML","html","returnURLPrefix","surfaces":["webView"]}
 *             The library never opens it: the screen is yours. "surfaces" says where it may be shown. systemBrowser: a GET
 *             whose return is an app's own scheme, which a browser hands on. webView: a view of yours that asks
 *             hco_redirect_check at each navigation. secondDevice: a GET whose "url" (at most 2,953 bytes) fits into a QR
 *             code: encode the url as it is, for the shopper's telephone; see hco_redirect_report for how that ends.
 *             returnURLPrefix is "" when the session names none: then no URL is a return.
 *           {"type":"redirect","seq":n,"state":"closed","attempt":n,"presentation":"...","reason":"..."} takes it away:
 *             reason returned | canceled | failed | tornDown | replaced (by another session) | late (a return after the
 *             outcome, "url" with it).
 * ticket    {"type":"ticket","seq":n,"ticket":n,"reason":code}: the library closed a ticket that you have not answered.
 * plugin    {"type":"plugin","seq":n,"element":id,"event":name}: what hco_element_report said of a partner, told after
 *             the checkout has reacted to it: ready | redirect | canceled | endOfSession | initFailed and clientError (with
 *             "message") | partnerError (with "message" and "recoverable"). Of a message at most 64 characters, digits
 *             masked.
 * monitoring {"type":"monitoring","seq":n,"messages":[...]}: the audit copy. A batch of monitoring is being sent to Purse;
 *           `messages` is its body to the byte, so that you can keep, show and check what leaves. Each is
 *           {"instanceId","entityId","paymentSessionId","walletSessionId"?,"version","env","platform":"c",
 *            "event":{"code","dateString","clientDate","type","payload":{...}}}; include/README.md lists the codes. No card
 *           data, amount, transaction id, name or partner's payload is in it. May also come after hco_teardown.
 * log       {"type":"log","seq":n,"level":"warning","code":"DECISION_AWAITED","message","attempt":n,"ticket":n}: a
 *           beforePayment ticket has not been answered for 5 s. Once for each; it waits on.
 */

/* Hooks, for the hook callback (101-199). All carry "type"; those of an attempt carry "attempt". */
#define HCO_HOOK_CHECKPOINT 101
#define HCO_HOOK_STEP 102
#define HCO_HOOK_BEFORE_VALIDATE 103
#define HCO_HOOK_AFTER_VALIDATE 104
#define HCO_HOOK_REDIRECTION 105
#define HCO_HOOK_HTTP 106
#define HCO_HOOK_BEFORE_PAYMENT 107
#define HCO_HOOK_IDEMPOTENCY_KEY 108
/*
 * A hook is asked only when its name is in the "hooks" of hco_create, hco_restore or hco_set_hooks ("checkpoint",
 * "beforeValidate", "afterValidate", "redirection"; with Primer "checkpoint", "beforePayment", "idempotencyKey"); steps are
 * asked by "capabilities".
 *
 * checkpoint      {"type":"checkpoint","attempt":n|null,"reason":"beforeSend"|"answered"|"outcome"|"resolved"|"session",
 *                  "revision":n,"marked":bool,"savedAt":seconds,"snapshot":"<text>"}
 *                 Store the snapshot's bytes, and never replace a higher revision by a lower one: if you hold a higher one of
 *                 this process answer ok, if another process stored it answer error. With "beforeSend" the
 *                 payment waits for {"ok":{}}: the snapshot says that the request may have left. error or canceled: the
 *                 attempt fails CHECKPOINT_REFUSED, nothing sent. Every other reason has ticket 0: nothing to answer.
 *                 With Primer it is also asked before a payment that waited for its shopper goes on: refused, the
 *                 attempt ends OUTCOME_UNKNOWN, because that payment exists.
 * step            {"type":"step","attempt":n,"element":id,"step":"collect","data":{"tenantId","brands","selectedBrand",
 *                  "securityCodeOnly":bool,"amount","currency"}}
 *                   -> {"ok":{"vault_form_token":"<32>","selected_network":"VISA"}} (the keys go into the payment_data;
 *                   without selected_network the brand that was reported as selected is sent). securityCodeOnly: the
 *                   element is a saved card's, and the form token is of its security code alone.
 *                 {"step":"prepare","data":{"init":{...},"amount","currency","appReturnURL"}}: let the shopper go
 *                   through the partner's widget, shown with init (Klarna's client token, Apple Pay's payment request)
 *                   -> {"ok":{"payment_data":{...}}}, sent as it is; kept for another attempt of the same amount.
 *                 {"step":"postValidate","data":{"result":{...}}} -> {"ok":{}}
 *                 A collect or prepare that is canceled ends the attempt canceled; one answered error, or without what
 *                 is wanted, ends it failed, code PARTNER_UI_ERROR; both leave the session ready. A collect answer that
 *                 holds what looks like a card number is refused. A postValidate that is not ok, or not answered in
 *                 60 s, puts the session in error (spent).
 * beforeValidate  {"type":"beforeValidate","attempt":n,"split":[{"item","token"?,"amount"}]} -> {"ok":{}}
 *                 error or canceled: failed ON_BEFORE_VALIDATE_HOOK_FAILED, nothing sent, ready again.
 * afterValidate   {"type":"afterValidate","attempt":n} -> {"ok":{}}. Whatever the answer the payment goes on; 30 s.
 * redirection     {"type":"redirection","attempt":n,"presentation":"...","action":action}
 *                   -> {"ok":{"takeOver":true}}: you open the page and confirm its outcome; the attempt is completed with
 *                   the answer that it has. Nothing is ever told of the return: the presentation is closed from then on,
 *                   in every later snapshot too, so answer (and store) before you open the page.
 *                   -> {"ok":{"takeOver":false}} or unset: the `redirect` event follows. error: POST_VALIDATE_FAILED.
 * beforePayment   (Primer) {"type":"beforePayment","attempt":n,"paymentMethodType":"PAYMENT_CARD",
 *                  "retainedIdempotencyKey":"..."|null}: before every payment, and before anything of it is sent.
 *                   -> {"ok":{}} or {"ok":{"idempotencyKey":"..."}}: go on, under that key (1 to 255 visible characters).
 *                   error: the attempt fails merchant-error with your message, or "Payment creation aborted"; canceled:
 *                   it ends canceled. Nothing was sent, and the session is ready. No time limit: see the `log` event.
 *                   Meanwhile awaitingDecision is true, hco_dismiss and a canceled report of the form are ignored, and a
 *                   closed form changes nothing; hco_abort, hco_cancel, hco_teardown and hco_release work.
 * idempotencyKey  (Primer) {"type":"idempotencyKey","attempt":n}: asked once for each attempt, when beforePayment is not set
 *                 or went on without a key. -> {"ok":{"idempotencyKey":"..."}}, or {"ok":{}} for none. error: as above.
 *                 A key that an earlier request of this session left without a verdict is retained and outranks both:
 *                 then this is not asked. Without any key none is sent, unless hco_create said ownIdempotencyKey. A key
 *                 that Primer has seen, for a declined payment too, ends the attempt OUTCOME_UNKNOWN: give each its own.
 * http            (runtime, checkout NULL) see hco_runtime_answer_http.
 */

/* Told of an event. `json` is valid during the call. Since 0.1.0. */
typedef void (*hco_listener)(void *user, hco_checkout *checkout, int32_t kind, const char *json);
/* Asked with a ticket (0: nothing to answer). `json` is valid during the call. Since 0.1.0. */
typedef void (*hco_hook)(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json);
/* Called exactly once for each hco_callbacks that you passed, whatever happened to the call; the last use of `user`. */
typedef void (*hco_release_user)(void *user);

/* Copied by the call that takes it. Any member may be NULL. This struct never grows. Since 0.1.0. */
typedef struct hco_callbacks {
  hco_listener listener;
  hco_hook hook;
  hco_release_user release;
  void *user;
} hco_callbacks;

/* ------------------------------------------------------------------------------------------------------------------
 * Version and memory. These never fail, take no lock, and may be called from any thread. Since 0.1.0.
 * --------------------------------------------------------------------------------------------------------------- */

/* "0.1.0". Static text, not yours. */
const char *hco_version(void);
/* The HCO_ABI_VERSION that the library was built with. */
int32_t hco_abi_version(void);
/* "HCO_REFUSED" for 1; "HCO_UNKNOWN" for a number that is no status. Static text, not yours. */
const char *hco_status_name(hco_status status);
/* Frees a text that this library gave you, and only such. NULL is harmless. */
void hco_free(char *text);

/* ------------------------------------------------------------------------------------------------------------------
 * Runtime. Since 0.1.0.
 * --------------------------------------------------------------------------------------------------------------- */

/*
 * Makes a runtime. `abi_version` is HCO_ABI_VERSION (another major: HCO_INVALID_ARGUMENT).
 * options (JSON, all optional):
 *   {"transport":"curl"|"host",       default curl; libcurl.so.4 (7.80 or later) is loaded here, HCO_INTERNAL without it
 *    "timeouts":{"connectMs":5000,"initMs":15000,"validateMs":60000,"timeMs":5000},  validateMs: every payment request
 *    "maxResponseBytes":4194304, "allowLoopbackHTTP":false, "proxy":"http://...", "caFile":"/path.pem",
 *    "clientCertificate":{"certificateFile","keyFile"}, "userAgent":"...",
 *    "monitoring":true,               false: nothing is reported to Purse, and no monitoring event is told
 *    "device":{"osVersion","model","screen":"1920x1080"},  reported at creation; the library reads none of it itself
 *    "locale":"en-US",                in which hco_format_amount writes, unless it is told another
 *    "hookTimeoutMs":0,               0: hooks wait for ever (afterValidate 30 s and postValidate 60 s always end)
 *    "clock":"real"|"manual"}         manual: time moves by hco_runtime_notify {"advanceMs":n} only, for tests
 * callbacks: hook is called for `http` when the transport is the host's; listener is not used. NULL, or neither: pull.
 * *runtime: the handle, destroyed by hco_runtime_destroy. reply: {"abiVersion","transport","libcurl":"7.88.1"|null}.
 */
hco_status hco_runtime_create(int32_t abi_version, const char *options, const hco_callbacks *callbacks,
                              hco_runtime **runtime, char **reply);

/* reply: {"version","abiVersion","flavour":"normal"|"embedded","transport","libcurl","checkouts":n,"waiting":n}. */
hco_status hco_runtime_info(hco_runtime *runtime, char **reply);

/*
 * Destroys the runtime and every checkout that is left in it. Never waits and never fails. Nothing but `release` is
 * called; events that were not delivered are lost, so a payment in flight has an unknown outcome: the stored checkpoint
 * says so. Inside a callback, or while another thread polls, it is carried out when that poll returns.
 */
void hco_runtime_destroy(hco_runtime *runtime);

/*
 * A descriptor that is readable whenever hco_runtime_poll has something to do: sockets, timers, deliveries. It is an
 * epoll descriptor; watch it in your own loop (level or edge triggered) and call hco_runtime_poll(runtime, 0). Spurious
 * readiness happens. Not yours to read, write or close. -1 for a handle that is not valid.
 */
int hco_runtime_fd(hco_runtime *runtime);

/*
 * Does the work: waits up to timeout_ms (negative: for ever; 0: never blocks), moves I/O and timers, runs callbacks. One
 * call delivers what was queued when it began and what its own pass brought. Early returns are legal.
 * HCO_OK after callbacks, a time-out, a wake or a signal; HCO_BUSY, HCO_REENTRANT, HCO_INVALID_HANDLE, HCO_FORKED.
 */
hco_status hco_runtime_poll(hco_runtime *runtime, int32_t timeout_ms);

/*
 * Pull instead of callbacks: does the work of hco_runtime_poll for checkouts that were created with no callbacks, and
 * takes one delivery. *kind is 0 on a time-out; *json is yours (hco_free); *checkout is the handle it is about (NULL for
 * the runtime's own `http` hook); *ticket is 0 for events. Statuses as hco_runtime_poll. No out parameter may be NULL.
 */
hco_status hco_runtime_next(hco_runtime *runtime, int32_t timeout_ms, hco_checkout **checkout, int32_t *kind,
                            uint64_t *ticket, char **json);

/* Makes a running or the next poll return at once. Sticky, coalescing, async-signal-safe. */
hco_status hco_runtime_wake(hco_runtime *runtime);

/*
 * Tells the runtime what only the host knows: {"app":"background"|"foreground"} (foreground re-checks expiry; background
 * sends the monitoring that waits: poll until the descriptor is quiet before you let yourself be suspended), or
 * {"advanceMs":n} under the manual clock (n >= 0). reply: {}.
 */
hco_status hco_runtime_notify(hco_runtime *runtime, const char *request, char **reply);

/*
 * Answers an `http` hook (transport "host"): {"type":"http","method":"POST","url","headers":{name:value},"body":"text"|null,
 * "timeoutMs","money":"none"|"opens"|"continues","freshConnection":bool}. A money request must be sent once, on a fresh connection,
 * and never be retried. answer: {"ok":{"status":200,"headers":{"date":"..."}}} with the body's bytes (body may be NULL
 * when length is 0), or {"error":{"message":"..."},"left":false}; without "left":false the request counts as sent.
 * After the request's deadline: HCO_REFUSED TICKET_CLOSED. The body is copied.
 */
hco_status hco_runtime_answer_http(hco_runtime *runtime, uint64_t ticket, const char *answer, const void *body,
                                   size_t length, char **reply);

/* ------------------------------------------------------------------------------------------------------------------
 * A checkout's life. Since 0.1.0.
 * --------------------------------------------------------------------------------------------------------------- */

/*
 * Makes a checkout from a client session of Purse or of Primer. request for Primer:
 *   {"provider":"primer",
 *    "clientToken":"<JWT>",                required: of the client session that your backend created. Its addresses must be
 *                                          https, or this machine's under allowLoopbackHTTP
 *    "lockedEnvironment","disabledMethods","hooks","redirectHosts","sealKey": as below
 *    "paymentHandling":"auto",             "manual" is refused when the session is started: invalid-value
 *    "ownIdempotencyKey":false,            true: a payment for which nobody names a key gets one of the library's
 *    "pollTimeoutMs":900000}               so long a payment that waits for its shopper is asked about, then its outcome
 *                                          is unknown; 0: for ever
 * Its session has to be started: sessionState is idle and phase initializing until hco_start has ended well.
 * Errors: invalid-client-token (not to be read, an address that is not allowed, or expired before this library was
 * released), ENVIRONMENT_MISMATCH, SUBMIT_BLOCKED. request for Purse:
 *   {"widgetData":"<base64>",              required: widget.data of the session that your backend created
 *    "provider":"purse",                   the default
 *    "lockedEnvironment":"production",     a session of another environment is refused ENVIRONMENT_MISMATCH
 *    "disabledMethods":["paypal-wallet"],  item ids that this checkout never offers
 *    "hooks":["checkpoint","beforeValidate","afterValidate","redirection"],
 *    "capabilities":[{"item":"purse-creditcard","steps":["collect","postValidate"]},
 *                    {"item":"klarna-paylater","steps":["prepare"]}],
 *                                          steps that you can do, none by default: a card needs collect, a partner's
 *                                          widget (Klarna, Apple Pay, Google Pay, PayPal's popup) prepare; without it
 *                                          the item is PLUGIN_INCOMPATIBLE and not listed
 *    "apiPaths":{"payment":"https://...","datetime":"https://...","wallet":"https://...","logs":"https://..."},
 *                                          roots that replace the environment's; monitoring goes to logs, and nowhere
 *                                          when only others are given
 *    "idempotencyHeader":"Idempotency-Key",                          name, or null for none; our choice
 *    "redirectHosts":["acs.example","bank.example:8443"],  the only hosts that a page may visit; absent: any by https
 *    "sealKey":"<Base64 of 32 random bytes>"}  seals the numbers of gift cards that cannot be paid with otherwise into
 *                                          the saved state (XChaCha20-Poly1305); without it they are not in it
 * The key is yours to keep, away from the snapshots. The library's copies are wiped, and no text of its own holds it.
 * callbacks: copied; NULL, or no listener and no hook, means pull by hco_runtime_next.
 * *checkout: the handle, released by hco_release. reply: every published property (hco_state).
 * Errors: SESSION_MALFORMED (path, offset), EXPIRED_SESSION (it ended before this library was released: of anything later
 * the server's time is asked first), ENVIRONMENT_MISMATCH, SUBMIT_BLOCKED (this session is in
 * flight, spent or unknown in this runtime), INVALID_INIT_PARAMS (apiPaths missing for an unknown environment, or
 * neither https nor allowed loopback). Hooks and capabilities need a hook callback, or none at all (pull).
 */
hco_status hco_create(hco_runtime *runtime, const char *request, const hco_callbacks *callbacks,
                      hco_checkout **checkout, char **reply);

/*
 * Rebuilds a checkout from a snapshot (hco_save_state, or a checkpoint). request: as hco_create without widgetData,
 * lockedEnvironment and disabledMethods; pass the same hooks, capabilities, apiPaths, redirectHosts and sealKey again. With
 * Primer, as hco_create with or without "clientToken": the snapshot holds the one that it was made with, which is taken
 * only if its addresses are of primer.io or this machine's under allowLoopbackHTTP; a new one must be of the same client
 * session. A payment that was under way is never gone on with: its return ends it returnedFromRedirect, still unknown.
 * reply: every published property and "skipped":[{"item","reason"}]. A gift card that needs its number is skipped as needsNumber when
 * it was not sealed or no sealKey is passed, and as cannotBeOpened when the key is another or the snapshot was edited;
 * while a payment is unresolved it stays, and leaves when hco_resolve says notCreated. When "pendingAttempt" is not null
 * a payment had left or was open: ask your backend, then hco_resolve, or report the redirect's return. After a teardown
 * it is resolved in another restore of the same snapshot: in this runtime once you have let go of the checkout and its
 * `release` has run, SUBMIT_BLOCKED until then. It never fails for expiry. Its snapshots have higher revisions
 * than any that this runtime made or restored before.
 * Errors: SESSION_MALFORMED (not a snapshot of a supported version), ENVIRONMENT_MISMATCH, SUBMIT_BLOCKED,
 * invalid-client-token, INVALID_ARGUMENT ("provider" is not the snapshot's; "clientToken" is another session's).
 */
hco_status hco_restore(hco_runtime *runtime, const char *snapshot, const char *request, const hco_callbacks *callbacks,
                       hco_checkout **checkout, char **reply);

/*
 * *snapshot: plain JSON text, yours. Works in every state, after teardown too. It holds what hco_restore needs: the
 * session (with its API key), the primary, gift cards by their init handle or sealed under sealKey, what native steps
 * collected, the attempt and its mark. Never a typed form, and a card number or PIN only sealed: the same bytes each time,
 * which open for this card of this session alone. "revision", "savedAt" (seconds) and "marked" may be read; the rest is
 * opaque.
 */
hco_status hco_save_state(hco_checkout *checkout, char **snapshot);

/*
 * Ends the checkout for good: reads and hco_save_state still work, a ticket is TICKET_CLOSED, everything else answers
 * CHECKOUT_TORN_DOWN. An
 * attempt of which nothing has left fails CHECKOUT_TORN_DOWN; one that has left ends by its answer. Idempotent. reply: {}.
 */
hco_status hco_teardown(hco_checkout *checkout, char **reply);

/*
 * hco_teardown, and the handle is invalid at once. `release` runs in a later poll, after the last delivery and the last
 * batch of monitoring (5 s at most).
 */
void hco_release(hco_checkout *checkout);

/*
 * With Primer: loads the session. request {"tag"?}; result {"phase":"ready"}, and clientSession and paymentMethods are
 * there. A start that fails ends the session (sessionState terminated; hco_cancel makes it startable again). While it is
 * being started, is ready or has ended there is nothing to do: {"ignored":true}. Under hco_cancel its result is
 * {"canceled":true}. With Purse there is never anything to do. Any thread. Since 0.1.0.
 * Errors in the result: invalid-client-token (expired), invalid-value (manual payment handling), missing-configuration (no
 * client session, or no method that can be offered), misconfigured-payment-methods (no methods),
 * generic-underlying-errors (details {"statusCode"} or {"left"}: no usable answer), CHECKOUT_TORN_DOWN.
 */
hco_status hco_start(hco_checkout *checkout, const char *request, char **reply);

/*
 * With Primer: loads a ready session again, for an order that your backend changed. request {"tag"?}; meanwhile phase is
 * initializing and sessionState idle; elements are closed and the primary is none. result and errors as hco_start; a
 * refresh that fails leaves the session as it was, ready. {"ignored":true} in any other state, and for a second one
 * meanwhile. Only hco_start and hco_refresh change clientSession. With Purse there is never anything to do. Since 0.1.0.
 */
hco_status hco_refresh(hco_checkout *checkout, const char *request, char **reply);

/*
 * With Primer: back to a session that can be started, from anywhere. request {}; reply {}. clientSession is null, phase
 * initializing, elements and choices are gone, what was typed is wiped, and nothing is told but a running attempt's one
 * outcome: canceled if nothing had left; if its payment request had, that goes on and its answer is the outcome, also
 * after a new hco_start; a payment that waits for its shopper ends OUTCOME_UNKNOWN. A session that is spent or whose
 * outcome is unknown stays so. May be repeated. Works while a decision is awaited. Since 0.1.0.
 * Errors: METHOD_NOT_IMPLEMENTED (Purse), CHECKOUT_TORN_DOWN.
 */
hco_status hco_cancel(hco_checkout *checkout, const char *request, char **reply);

/*
 * With Primer: the shopper closes the checkout. request {}; reply {"ignored":bool}. A ready session ends (terminated) with
 * one `outcome`, kind canceled, "dismissed":true. Ignored in any other state: while an attempt is in flight or a decision
 * is awaited, after a success, and once dismissed. Since 0.1.0. Errors: METHOD_NOT_IMPLEMENTED (Purse), CHECKOUT_TORN_DOWN.
 */
hco_status hco_dismiss(hco_checkout *checkout, const char *request, char **reply);

/* Answers a ticket (convention 6). reply: {}. */
hco_status hco_answer(hco_checkout *checkout, uint64_t ticket, const char *answer, char **reply);

/* request {"hooks":[...]}: which hooks are asked from the next attempt on. reply: {}. */
hco_status hco_set_hooks(hco_checkout *checkout, const char *request, char **reply);

/*
 * A new client session for the same checkout; decodes and swaps, no network. request {"widgetData":"..."}; with
 * Primer {"clientToken":"..."}: the session is then idle, and has to be started.
 * reply {"ignored":bool,"items":[{"id","fate":"kept"|"rebuilt"|"dropped","reason"}]}. The same session id is ignored. A
 * primary method whose configuration is unchanged keeps what was collected and its place; gift cards, and what a
 * partner prepared for an amount, are dropped, and an element with data of the old session is initialised again.
 * Errors, in this order: CHECKOUT_TORN_DOWN, SUBMIT_BLOCKED (in flight, unknown), SESSION_MALFORMED,
 * ENVIRONMENT_MISMATCH, SUBMIT_BLOCKED (that session is spent or busy in this runtime), EXPIRED_SESSION.
 */
hco_status hco_set_session(hco_checkout *checkout, const char *request, char **reply);

/*
 * request {} or {"keys":["sessionState",...]}; reply: the published properties:
 *   sessionState submitting|submitted|error|terminated|expired|idle|ready (idle: Primer, not started or being loaded) ·
 *   phase initializing|ready · isTornDown · outcomeUnknown · sessionId ·
 *   environment · expiresAt · currency{code,digits} · amount · isInformationRequest · paymentMethods[] · paymentTokens[] ·
 *   savedSecondaryTokens[] · secondaryTokens[] · primary · amountSplit[] · remainingAmountToPay · isPaymentFulfilled ·
 *   submitBlockers[{code,item,details}] (empty: this checkout may submit; another one of the same session in
 *   this runtime may still pay or have paid it, and then hco_submit says so) · elements[] · itemGenerations{} · registrations[] ·
 *   walletSession{id,expiresAt}|null · disabledMethods[] ·
 *   pendingAttempt{attempt,moved}|null · waitingFor[{ticket,kind,since}] · awaitingDecision · clientSession|null
 *   expiresAt is null when the session never expires; amount is null before a session is loaded, currency also when the
 *   table of currencies does not have it
 *   clientSession (Primer) {"customerId","orderId","currencyCode","totalAmount","lineItems":[{"itemId","itemDescription",
 *           "amount","discountAmount","quantity","taxCode","taxAmount"}],"orderDetails":{"countryCode","shipping":{"amount",
 *           "methodId","methodName","methodDescription"}},"customer":{"emailAddress","mobileNumber","firstName","lastName",
 *           "billingAddress":{...},"shippingAddress":{...}},"paymentMethod":{"orderedAllowedCardNetworks":[...]},
 *           "fees":[{"type","amount"}]}, each null where Primer says nothing: as it was when the session was last loaded.
 *           amount is what is charged: the merchant's amount if there is one, else totalAmount
 *   method {"id","partner","method","kind":"primary"|"secondary","position","minAmount","maxAmount","limit",
 *           "canBeRegistered","simulable","disabled":null|{...},"hasUI","selfSubmitting"}; hasUI: a form or a widget is
 *           shown for it; selfSubmitting: its own button pays, see hco_element_report
 *   token  {"id","item","mask","name","isFavorite","expiresAt","disabled","hasUI","selfSubmitting"}; hasUI: its security
 *           code is wanted
 *   secondary token {"id","item","mask","balance","totalBalance","expiresAt","applied","disabled"}; totalBalance: what
 *           a loyalty account holds in all, where the balance is what may be used; else null
 *   saved secondary token: the same with "name" and "isFavorite"; "balance" is null until it has been read. Balances
 *           are read in parallel after hco_create, hco_restore, hco_set_session and hco_set_wallet_session; one that
 *           cannot be read is disabled TOKEN_INIT_FAILED for the rest of the session
 *   registration {"item" or "token","name"|null}: what the next payment saves (hco_register)
 *   disabled {"code","messageKey":"disabled.<code>","message","details":{...}|null,"isFiltered","isTechnical",
 *           "requiresUIClear","isRecoverable","isAmountDriven"}: the table is in include/README.md. message is a
 *           default in English; put your own under messageKey. details hold the numbers: MIN_AMOUNT_NOT_MET
 *           {"minAmount","restToPay","missing","mend":[{"token","less","amount"}]}, where mend says how much less
 *           which gift cards must give (amount: what hco_apply_secondary is then called with; 0:
 *           hco_remove_secondary); MAX_AMOUNT_EXCEEDED {"maxAmount","restToPay","excess"}
 *   element {"element": the id of its item or token,"hasUI","selfSubmitting","isReady","stale","card":null|{"tenantId",
 *           "securityCodeOnly","supportedBrands","detectedBrands","selectedBrand","isFormValid"}}
 */
hco_status hco_state(hco_checkout *checkout, const char *request, char **reply);

/* As hco_state, with amountSplit, remainingAmountToPay, isPaymentFulfilled, primary, submitBlockers when {} is passed. */
hco_status hco_split(hco_checkout *checkout, const char *request, char **reply);

/*
 * An amount as text, to be shown; nothing else is made of it. request {"amount":-123456,"currency":"EUR"?,"locale":"de-DE"?,
 * "style":"sdk"|"standard"?}. amount: minor units, any integer of 64 bits: those below 0 and beyond 2^53 are exact too.
 * currency: the session's when left out; its decimals come from the back end's table. locale: as Unicode, BCP 47 or POSIX
 * spell it; the runtime's when left out. One that CLDR does not have is shortened from its end until it has
 * ("de-DE-u-nu-latn", "de-DE", "de"); if nothing is left, CLDR's root is used.
 * style: "sdk" (default) is how Primer's own interface writes: the symbol of CLDR's root (US$, CA$, JP¥, a code where
 * there is none), no space between it and the number, and the side, groups and digits of the locale. "standard" is the
 * locale's own pattern and symbol for it.
 * reply {"text":"-1.234,56€"}; {"text":null} when the back end's table does not have the currency, and with Primer when
 * no session is loaded: before hco_start has ended well and after hco_cancel. While a session is refreshed the amounts of
 * the order as it was are still written. Works in every state, torn down too. Any thread. Since 0.1.0.
 * The text may hold no-break spaces and marks of direction: show it as it is, and parse nothing out of it.
 */
hco_status hco_format_amount(hco_checkout *checkout, const char *request, char **reply);

/* ------------------------------------------------------------------------------------------------------------------
 * Choosing what pays. Refused SUBMIT_BLOCKED in flight and in any state but ready (EXPIRED_SESSION when expired). Since 0.1.0.
 * --------------------------------------------------------------------------------------------------------------- */

/*
 * request {"item":"purse-creditcard"}, {"token":"<saved card>"} or {"none":true}. The form need not be filled.
 * reply: as hco_split. Errors: PAYMENT_METHOD_NOT_FOUND, METHOD_DISABLED.
 */
hco_status hco_set_primary(hco_checkout *checkout, const char *request, char **reply);

/*
 * Asks the issuer for a gift card's balance. request {"item","number","cvv"?,"tag"?}; spaces and dashes in the number
 * do not count; which numbers and codes an issuer has is in include/README.md. result {"token":{secondary token}}.
 * Errors: PAYMENT_METHOD_NOT_FOUND, SECONDARY_METHOD_WRONG_PAN_FORMAT, SECONDARY_METHOD_WRONG_CVV_FORMAT,
 * SECONDARY_METHOD_REQUIRED_CVV, TOKEN_ALREADY_EXISTS (the same number, read or being read), METHOD_DISABLED; in the
 * result also FAILED_TO_INIT_SECONDARY_TOKEN (details {"statusCode"} with "code", the issuer's own word, or
 * {"reason":"expired"|"currency"}), SECONDARY_TOKEN_EMPTY_BALANCE, SECONDARY_METHOD_REQUEST_ABORTED and, from issuers
 * that wait for the shopper, USER_ACTION_REQUEST_HAS_EXPIRED, USER_ACTION_REQUEST_ABORTED_BY_CUSTOMER,
 * OTHER_TRANSACTION_PENDING_FOR_ACCOUNT.
 */
hco_status hco_read_secondary(hco_checkout *checkout, const char *request, char **reply);

/*
 * Draws a gift card in: {"token":"gc1"} takes min(balance, what is left, what its method may still take),
 * {"token":"gc1","amount":3000} exactly that. A card whose policy is all or nothing gives min(balance, what is left)
 * and no other amount; what the order does not need of it is lost (amountLoss). Applying again replaces its slice in
 * place. reply {"applied","amountLoss","amountSplit","remainingAmountToPay"}.
 * Errors: MISSING_TOKEN, INVALID_TAKE_AMOUNT (details {"amount","balance","left","minAmount"}), USAGE_LIMIT_ERROR (the
 * method's limit of cards), MAX_AMOUNT_REACHED (details {"partner","method","amount","amountLimit"}: its maximum, over
 * all its slices), SECONDARY_METHOD_TAKE_POLICY_VIOLATED, METHOD_DISABLED (details: the state; TOKEN_EXPIRED among
 * them).
 */
hco_status hco_apply_secondary(hco_checkout *checkout, const char *request, char **reply);

/* {"token":"gc1"}: takes its slice out of the split; the token stays. reply: as hco_split. Errors: MISSING_TOKEN. */
hco_status hco_remove_secondary(hco_checkout *checkout, const char *request, char **reply);

/*
 * What paying in instalments would come to. request {"item","amount"?,"tag"?}; amount: what the method would pay now when
 * left out. Only for methods that are "simulable". result {"item","amount","loans":[{"installmentCount",
 *   "installments":[...],            what is paid each time, in order; they sum to totalAmount, to the minor unit
 *   "initialInstallmentAmount","installmentAmount","finalInstallmentAmount","totalCost","totalAmount","isPreferred",
 *   "aprc":"0.0499"|null,            a ratio in decimal text
 *   "legalText"|null}]}
 * Errors: PAYMENT_METHOD_NOT_FOUND, METHOD_IS_NOT_SIMULABLE, METHOD_DISABLED, INVALID_LOAN_SIMULATION (nothing is left to
 * pay; in the result: refused, not readable, or amounts that do not add up).
 */
hco_status hco_simulate_loan(hco_checkout *checkout, const char *request, char **reply);

/* ------------------------------------------------------------------------------------------------------------------
 * Saved instruments. Since 0.1.0.
 * --------------------------------------------------------------------------------------------------------------- */

/*
 * Decides that a method's instrument, or a gift card that was read, is saved when it pays. request {"item" or "token",
 * "name"?,"register"?}; register false takes the decision back, true is the default. Nothing is saved that was not
 * decided. reply {"registrations":[...]}. Refused like hco_set_primary. A decision survives hco_set_session with its
 * method, and hco_restore. A name has up to 128 bytes on one line and is no card number.
 * Errors: PAYMENT_METHOD_NOT_FOUND, MISSING_TOKEN, METHOD_NOT_REGISTERABLE, TOKEN_NOT_REGISTERABLE, INVALID_TOKEN_NAME.
 */
hco_status hco_register(hco_checkout *checkout, const char *request, char **reply);

/*
 * Attaches the wallet session that your backend created for this shopper, when the client session brought none or another.
 * request {"walletSession":{"session_id","owner_reference","merchant","expiration_date"?},"tag"?}, the object as your
 * backend received it: keys of it that are not known are passed over. The wallet is asked first; its list then is the list: the shopper's instruments that it does not
 * have are disabled TOKEN_DELETED, another shopper's are taken off. result {"walletSession":{"id","expiresAt"}}.
 * This call, hco_token_update and hco_token_delete are refused SUBMIT_BLOCKED in flight and while the outcome is unknown.
 * Errors: SET_WALLET_SESSION_FAILED (expired; in the result: refused, not answered, or replaced by a later call).
 */
hco_status hco_set_wallet_session(hco_checkout *checkout, const char *request, char **reply);

/*
 * Renames a saved instrument, or makes it the favorite in place of another. request {"token","name"} or
 * {"token","favorite":true}, and "tag"?. result {"token","name","isFavorite"}.
 * Errors: MISSING_TOKEN (also in the result, when it was deleted elsewhere: it is then disabled TOKEN_DELETED),
 * MISSING_WALLET_SESSION (none, or expired), INVALID_TOKEN_NAME, TOKEN_NAME_EXISTS, TOKEN_NOT_REGISTERED and
 * TOKEN_NOT_REGISTERABLE (a gift card that is not a saved one); in the result UNKNOWN_ERROR (details.statusCode).
 */
hco_status hco_token_update(hco_checkout *checkout, const char *request, char **reply);

/*
 * Deletes a saved instrument {"token"}, or all {"all":true}, and "tag"?. result {"deleted":["<id>",...]}. From the accepted
 * call on it pays nothing: it leaves the primary and the split at once and is disabled TOKEN_BEING_DELETED until the wallet
 * has answered; then it leaves the list and its element is closed. When the wallet refuses it can be used again, but is not
 * chosen. One that was deleted elsewhere already counts as deleted.
 * Errors: MISSING_TOKEN, MISSING_WALLET_SESSION, METHOD_NOT_IMPLEMENTED (a gift card that is not a saved one); in the
 * result UNKNOWN_ERROR or FAILED_TO_DELETE_ALL_TOKENS: the wallet is then asked what is left.
 */
hco_status hco_token_delete(hco_checkout *checkout, const char *request, char **reply);

/* ------------------------------------------------------------------------------------------------------------------
 * Elements: one method's own step. Since 0.1.0.
 * --------------------------------------------------------------------------------------------------------------- */

/*
 * request {"item" or "token","redirect":"host"|"none","appReturnURL"?,"securityCode"?:bool,"tag"?}. redirect "host":
 * you can show pages, so an answer that asks for one opens a presentation; "none" (default): it is `completed` and no
 * hook is asked. appReturnURL: where a page, or Klarna's own app, returns to; Klarna needs it. securityCode true: a
 * saved card's security code is wanted even if the session does not say so.
 * result {"element":{element},"init":{...}}; opening again gives the same element. Klarna, Apple Pay and Google Pay ask
 * the back end for their data first: "init" is the partner's own object, with Klarna's client_token. It is for one
 * amount of one session: when either moves, the element is stale and not ready, is initialised again by itself, and the
 * `element` event "initialized" brings the new data. Nothing is asked once the session is in flight, spent or unknown.
 * isReady: the form is valid, or the widget was reported ready and its data still hold, or there is nothing to show.
 * Errors: PAYMENT_METHOD_NOT_FOUND, METHOD_DISABLED, INVALID_INIT_PARAMS (appReturnURL is missing or not a return URL);
 * in the result also PARTNER_UI_ERROR (the data were refused; the item stays usable), CHECKOUT_TORN_DOWN.
 */
hco_status hco_element_open(hco_checkout *checkout, const char *request, char **reply);

/*
 * What only the host knows of an open element: {"element","report",...} with one of
 *   "ready"                                the widget is there; ends PARTNER_UI_RECOVERABLE_ERROR
 *   "formValidity" with "valid":bool       the card's form, or the form for a saved card's security code
 *   "brands" with "brands":["VISA",...]    those of the typed card; the first of the method's that it has is selected
 *   "brandSelected" with "brand"           the shopper's choice of them
 *   "approved" with "payment_data"?:{}     the shopper approved with Apple Pay's, Google Pay's or PayPal's own button:
 *                                          the item becomes the primary and is paid with, in one step, refused whole.
 *                                          payment_data as a prepare step answers it; without it that step is asked.
 *                                          beforeValidate is never skipped. reply {"attempt":n}, as hco_submit
 *   "redirect"                             the partner is about to leave for its own page or app
 *   "canceled"                             the shopper backed out
 *   "initFailed", "clientError" with "message", "partnerError" with "message" and "recoverable":bool
 *                                          it failed: PARTNER_UI_FATAL_ERROR for the session, or until ready
 *   "endOfSession"                         the partner ended the session: terminated
 * reply {} except for approved. Before the request has left, canceled and the errors end a running attempt of the
 * element, endOfSession any; after it all reports wait for its answer. `plugin` events tell of the partner's.
 * Errors: MISSING_TOKEN (no such element), NOT_SUPPORTED_BRAND, BRAND_NOT_BELONGS_TO_DETECTED; of approved:
 * METHOD_NOT_IMPLEMENTED (the element does not submit by itself), METHOD_DISABLED, and those of hco_submit.
 */
hco_status hco_element_report(hco_checkout *checkout, const char *request, char **reply);

/*
 * Puts what the shopper typed into a field of a card form that is the library's own: with Primer that of PAYMENT_CARD.
 * `text`: `length` bytes of UTF-8, not JSON, not NUL-terminated, yours; empty text empties the field. field "cardNumber"
 * (digits, spaces do not count), "expiryDate" (MM/YY or MM/YYYY), "cvv" (3 or 4 digits), "cardholderName". The form is
 * ready once number, expiry and code are there. What was typed is in no snapshot, event, error or log; it is wiped once a
 * payment has sent it, and when the form is closed, the session cancelled or the checkout torn down. reply {}. Since 0.1.0.
 * Errors: MISSING_TOKEN (no such element), METHOD_NOT_IMPLEMENTED (its form is the host's), INVALID_ARGUMENT (path
 * "field": unknown; "text" or "expiryDate": not what the field takes), SUBMIT_BLOCKED.
 */
hco_status hco_element_set_field(hco_checkout *checkout, const char *element, const char *field, const char *text,
                                 size_t length, char **reply);

/* {"element"}: closes it. Before the request has left a running attempt of it is canceled; later it goes on. reply: {}. */
hco_status hco_element_close(hco_checkout *checkout, const char *request, char **reply);

/* ------------------------------------------------------------------------------------------------------------------
 * Paying. Since 0.1.0.
 * --------------------------------------------------------------------------------------------------------------- */

/*
 * Sends the split. request {"element"?,"token"?,"skipOnBeforeValidate":false}; element or token, when given, must be
 * the primary. reply {"attempt":n}; the attempt ends in one `outcome`. Nothing is ever sent twice: a second submit is
 * refused. Errors, in this order, each with details.submitBlockers: CHECKOUT_TORN_DOWN, EXPIRED_SESSION, SUBMIT_BLOCKED
 * (any state but ready), PAYMENT_METHOD_NOT_FOUND, METHOD_NOT_IMPLEMENTED (the named element submits by itself: report
 * it approved), PAYMENT_NOT_FULFILLED_ON_SUBMIT, METHOD_DISABLED, ELEMENT_NOT_FULFILLED (a form is not valid, or
 * Klarna's element is not open). The outcome's error may be PAYMENT_TOKEN_NOT_FOUND_IN_SESSION: a saved instrument was
 * deleted elsewhere, and its state is TOKEN_DELETED from then on.
 * With Primer the outcome's error may be merchant-error, failed-to-create-payment (refused, details {"statusCode","errorId",
 * "diagnosticsId"}), payment-failed or failed-to-resume-payment (declined, details {"paymentId","orderId","status"}),
 * unknown (a request before the payment failed): after each of them the session is ready. OUTCOME_UNKNOWN has details
 * {"reason"} when the payment exists and its shopper's page was closed, shown by nobody, or asked about for too long.
 * HCO_INTERNAL: the system has no random numbers for the payment's key; nothing was sent.
 */
hco_status hco_submit(hco_checkout *checkout, const char *request, char **reply);

/*
 * {"attempt":n} ends an attempt of which nothing has left (else TOO_LATE); {"call":n} ends a gift card read (TOO_LATE,
 * moved no, when it has ended). reply: {}.
 */
hco_status hco_abort(hco_checkout *checkout, const char *request, char **reply);

/*
 * Says what your backend found out about an attempt whose outcome is unknown, or a restored pendingAttempt:
 * {"attempt":n,"verdict":"paid"|"declined"|"notCreated"|"abandoned"}. paid, declined and abandoned leave the session
 * spent; notCreated makes it payable again, so be certain: an early notCreated can pay twice. Gift cards that were
 * restored without the number that a new payment needs are dropped by it. With Primer declined, too, leaves the session
 * payable. reply: {}.
 * Errors: SUBMIT_BLOCKED (nothing to resolve), INVALID_ARGUMENT (notCreated after an answer was read: it exists).
 */
hco_status hco_resolve(hco_checkout *checkout, const char *request, char **reply);

/* ------------------------------------------------------------------------------------------------------------------
 * Redirects. Ask hco_redirect_check at every navigation of the page; end with hco_redirect_report. Since 0.1.0.
 * --------------------------------------------------------------------------------------------------------------- */

#define HCO_VERDICT_BLOCK 0  /* do not load it */
#define HCO_VERDICT_ALLOW 1  /* load it */
#define HCO_VERDICT_RETURN 2 /* the shopper is back: close the page, report this URL */

/*
 * *verdict for `url` under the checkout's redirect policy. reply: {}. Pure: no state changes, works in every state.
 *
 *   static bool may_load(page *page, const char *url) {               the navigation callback of your web view
 *     int32_t verdict = HCO_VERDICT_BLOCK;                            whatever goes wrong, it stays blocked
 *     char *reply = NULL;
 *     hco_status status = hco_redirect_check(page->checkout, url, &verdict, &reply);
 *     hco_free(reply);
 *     if (status != HCO_OK) return false;
 *     if (verdict == HCO_VERDICT_RETURN) end_page(page, url);         close it, then hco_redirect_report this same URL
 *     return verdict == HCO_VERDICT_ALLOW;                            compare with ALLOW; never load "unless BLOCK"
 *   }
 *
 * Ask about the URL that will be loaded, as it will be loaded: the absolute one that your web view has resolved, before
 * each main-frame navigation, each redirect of the server and each new window. A blocked navigation is not a failed page:
 * leave the page as it is. A RETURN is not a paid order.
 *
 * The policy. ALLOW: https, a host spelt in the one plain way (letters, digits and hyphens; four decimal numbers; [::1]),
 * no port but 443, and among "redirectHosts" if you gave any. With the runtime's allowLoopbackHTTP also http, and any
 * port, to this machine. RETURN: returnURLPrefix and then the end, or a `/`, `?` or `#`; the scheme and an https host in
 * any case, the rest byte by byte. An empty prefix, and one of http, javascript, data, file, intent and their like, is
 * never a return. All else is BLOCK: user information, backslashes, white space and control characters anywhere,
 * percent-encoded or non-ASCII hosts, hosts that some reader takes for a number. Whatever is allowed, libcurl and browsers
 * connect to the same host: Tests/Conformance holds the table.
 */
hco_status hco_redirect_check(hco_checkout *checkout, const char *url, int32_t *verdict, char **reply);

/*
 * Ends a presentation: {"presentation","url":"..."}, {"presentation","url":null} (back, with no URL to read),
 * {"presentation","canceled":true} or {"presentation","failed":"why"}. reply {"late":bool}. After a restart a return is
 * held until hco_element_open has opened the attempt's element again: its `outcome` follows that.
 *
 * An id belongs to one page of one attempt and holds 64 random bits. Report a deep link with the id of the page that you
 * opened, never with one that the link brings: a link of another day, attempt or checkout then ends nothing. To know your
 * own links, have your backend put a value of your own into the session's return URL (myapp://return?order=7f3a): only a
 * URL that begins so is a return.
 *
 * A page on a second device tells you nothing. Ask your backend, which hears of the payment, every few seconds, and report
 * {"url":null} when it has an answer. The shopper who gives up is {"canceled":true}; the page may still be open on the
 * telephone and be paid there, so that the session stays spent: close the order at your backend before a new one.
 * While the page is open the attempt is in flight, so that hco_set_session waits for the report.
 * Errors: TICKET_CLOSED (no such presentation), INVALID_ARGUMENT (url is not the return URL).
 */
hco_status hco_redirect_report(hco_checkout *checkout, const char *request, char **reply);

/*
 * Opens the page of an attempt that has ended: {"attempt":n,"tag"?}. One that was canceled after its answer, one whose
 * redirection hook answered error, and one that was completed because its element said redirect "none". The hook is asked
 * again; then a `redirect` event, with a new id. The outcome was told: a return is an event, "closed" for "late".
 * result {"presentation":"..."}, {"takenOver":true}, or {"ignored":true}: the answer asked for no page, the page is open,
 * you took it over, the session was replaced, or the process is another one (a page is not in the saved state).
 * Errors: INVALID_ARGUMENT (no such attempt), SUBMIT_BLOCKED (an attempt is in flight), and as its result
 * POST_VALIDATE_FAILED (the hook refused, or the policy blocks the page).
 */
hco_status hco_redirect_present(hco_checkout *checkout, const char *request, char **reply);

#ifdef __cplusplus
}
#endif

#endif /* HEADLESS_CHECKOUT_H */
