"""What include/headless_checkout.h declares, in the words that cffi reads. A test compares the two, token by token."""

DECLARATIONS = """
#define HCO_VERSION_MAJOR 0
#define HCO_VERSION_MINOR 1
#define HCO_VERSION_PATCH 0
#define HCO_ABI_VERSION 1

typedef int32_t hco_status;
#define HCO_OK 0
#define HCO_REFUSED 1
#define HCO_INVALID_ARGUMENT 2
#define HCO_INVALID_HANDLE 3
#define HCO_BUSY 4
#define HCO_REENTRANT 5
#define HCO_FORKED 6
#define HCO_INTERNAL 7

typedef struct hco_runtime hco_runtime;
typedef struct hco_checkout hco_checkout;

#define HCO_EVENT_CHANGE 1
#define HCO_EVENT_ELEMENT 2
#define HCO_EVENT_OUTCOME 3
#define HCO_EVENT_RESULT 4
#define HCO_EVENT_REDIRECT 5
#define HCO_EVENT_TICKET 6
#define HCO_EVENT_PLUGIN 7
#define HCO_EVENT_MONITORING 8
#define HCO_EVENT_LOG 9

#define HCO_HOOK_CHECKPOINT 101
#define HCO_HOOK_STEP 102
#define HCO_HOOK_BEFORE_VALIDATE 103
#define HCO_HOOK_AFTER_VALIDATE 104
#define HCO_HOOK_REDIRECTION 105
#define HCO_HOOK_HTTP 106
#define HCO_HOOK_BEFORE_PAYMENT 107
#define HCO_HOOK_IDEMPOTENCY_KEY 108

typedef void (*hco_listener)(void *user, hco_checkout *checkout, int32_t kind, const char *json);
typedef void (*hco_hook)(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json);
typedef void (*hco_release_user)(void *user);

typedef struct hco_callbacks {
  hco_listener listener;
  hco_hook hook;
  hco_release_user release;
  void *user;
} hco_callbacks;

const char *hco_version(void);
int32_t hco_abi_version(void);
const char *hco_status_name(hco_status status);
void hco_free(char *text);

hco_status hco_runtime_create(int32_t abi_version, const char *options, const hco_callbacks *callbacks,
                              hco_runtime **runtime, char **reply);
hco_status hco_runtime_info(hco_runtime *runtime, char **reply);
void hco_runtime_destroy(hco_runtime *runtime);
int hco_runtime_fd(hco_runtime *runtime);
hco_status hco_runtime_poll(hco_runtime *runtime, int32_t timeout_ms);
hco_status hco_runtime_next(hco_runtime *runtime, int32_t timeout_ms, hco_checkout **checkout, int32_t *kind,
                            uint64_t *ticket, char **json);
hco_status hco_runtime_wake(hco_runtime *runtime);
hco_status hco_runtime_notify(hco_runtime *runtime, const char *request, char **reply);
hco_status hco_runtime_answer_http(hco_runtime *runtime, uint64_t ticket, const char *answer, const void *body,
                                   size_t length, char **reply);

hco_status hco_create(hco_runtime *runtime, const char *request, const hco_callbacks *callbacks,
                      hco_checkout **checkout, char **reply);
hco_status hco_restore(hco_runtime *runtime, const char *snapshot, const char *request, const hco_callbacks *callbacks,
                       hco_checkout **checkout, char **reply);
hco_status hco_save_state(hco_checkout *checkout, char **snapshot);
hco_status hco_teardown(hco_checkout *checkout, char **reply);
void hco_release(hco_checkout *checkout);
hco_status hco_start(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_refresh(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_cancel(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_dismiss(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_answer(hco_checkout *checkout, uint64_t ticket, const char *answer, char **reply);
hco_status hco_set_hooks(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_set_session(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_state(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_split(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_format_amount(hco_checkout *checkout, const char *request, char **reply);

hco_status hco_set_primary(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_read_secondary(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_apply_secondary(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_remove_secondary(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_simulate_loan(hco_checkout *checkout, const char *request, char **reply);

hco_status hco_register(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_set_wallet_session(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_token_update(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_token_delete(hco_checkout *checkout, const char *request, char **reply);

hco_status hco_element_open(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_element_report(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_element_set_field(hco_checkout *checkout, const char *element, const char *field, const char *text,
                                 size_t length, char **reply);
hco_status hco_element_close(hco_checkout *checkout, const char *request, char **reply);

hco_status hco_submit(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_abort(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_resolve(hco_checkout *checkout, const char *request, char **reply);

#define HCO_VERDICT_BLOCK 0
#define HCO_VERDICT_ALLOW 1
#define HCO_VERDICT_RETURN 2
hco_status hco_redirect_check(hco_checkout *checkout, const char *url, int32_t *verdict, char **reply);
hco_status hco_redirect_report(hco_checkout *checkout, const char *request, char **reply);
hco_status hco_redirect_present(hco_checkout *checkout, const char *request, char **reply);
"""
