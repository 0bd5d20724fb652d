#include "functions.h"

#include <stddef.h>
#include <string.h>

/* Out parameters are filled with this before each call: whatever is not written stands out. */
#define DIRT 0xA5

#define PLAIN(name)                                                                         \
  static hco_status call_##name(void *handle, const char *text, char **reply, outs *outs) { \
    outs->are_clear = true;                                                                 \
    return name(handle, text, reply);                                                       \
  }

const char *restore_snapshot = "{}";

PLAIN(hco_runtime_notify)
PLAIN(hco_set_hooks)
PLAIN(hco_set_session)
PLAIN(hco_state)
PLAIN(hco_split)
PLAIN(hco_format_amount)
PLAIN(hco_set_primary)
PLAIN(hco_read_secondary)
PLAIN(hco_apply_secondary)
PLAIN(hco_remove_secondary)
PLAIN(hco_simulate_loan)
PLAIN(hco_register)
PLAIN(hco_set_wallet_session)
PLAIN(hco_token_update)
PLAIN(hco_token_delete)
PLAIN(hco_element_open)
PLAIN(hco_element_report)
PLAIN(hco_element_close)
PLAIN(hco_start)
PLAIN(hco_refresh)
PLAIN(hco_cancel)
PLAIN(hco_dismiss)
PLAIN(hco_submit)
PLAIN(hco_abort)
PLAIN(hco_resolve)
PLAIN(hco_redirect_report)
PLAIN(hco_redirect_present)

static hco_status call_hco_runtime_info(void *handle, const char *text, char **reply, outs *outs) {
  (void)text;
  outs->are_clear = true;
  return hco_runtime_info(handle, reply);
}

static hco_status call_hco_runtime_poll(void *handle, const char *text, char **reply, outs *outs) {
  (void)text;
  if (reply != NULL) *reply = NULL;
  outs->are_clear = true;
  return hco_runtime_poll(handle, 0);
}

static hco_status call_hco_runtime_wake(void *handle, const char *text, char **reply, outs *outs) {
  (void)text;
  if (reply != NULL) *reply = NULL;
  outs->are_clear = true;
  return hco_runtime_wake(handle);
}

static hco_status call_hco_runtime_next(void *handle, const char *text, char **reply, outs *outs) {
  hco_checkout *checkout;
  int32_t kind;
  uint64_t ticket;
  char *json;
  (void)text;
  memset(&checkout, DIRT, sizeof checkout);
  memset(&kind, DIRT, sizeof kind);
  memset(&ticket, DIRT, sizeof ticket);
  memset(&json, DIRT, sizeof json);
  if (reply != NULL) *reply = NULL;
  hco_status status = hco_runtime_next(handle, 0, &checkout, &kind, &ticket, &json);
  outs->are_clear = checkout == NULL && kind == 0 && ticket == 0 && json == NULL;
  return status;
}

static hco_status call_hco_runtime_answer_http(void *handle, const char *text, char **reply, outs *outs) {
  outs->are_clear = true;
  return hco_runtime_answer_http(handle, 999999, text, NULL, 0, reply);
}

static hco_status call_hco_create(void *handle, const char *text, char **reply, outs *outs) {
  hco_checkout *checkout;
  memset(&checkout, DIRT, sizeof checkout);
  hco_status status = hco_create(handle, text, NULL, &checkout, reply);
  outs->are_clear = (status == HCO_OK) == (checkout != NULL);
  if (status == HCO_OK) hco_release(checkout);
  return status;
}

static hco_status call_hco_restore(void *handle, const char *text, char **reply, outs *outs) {
  hco_checkout *checkout;
  memset(&checkout, DIRT, sizeof checkout);
  hco_status status = hco_restore(handle, restore_snapshot, text, NULL, &checkout, reply);
  outs->are_clear = (status == HCO_OK) == (checkout != NULL);
  if (status == HCO_OK) hco_release(checkout);
  return status;
}

static hco_status call_hco_save_state(void *handle, const char *text, char **reply, outs *outs) {
  char *snapshot;
  (void)text;
  memset(&snapshot, DIRT, sizeof snapshot);
  if (reply != NULL) *reply = NULL;
  hco_status status = hco_save_state(handle, &snapshot);
  outs->are_clear = status == HCO_OK ? snapshot != NULL : snapshot == NULL;
  if (status == HCO_OK) hco_free(snapshot);
  return status;
}

static hco_status call_hco_teardown(void *handle, const char *text, char **reply, outs *outs) {
  (void)text;
  outs->are_clear = true;
  return hco_teardown(handle, reply);
}

static hco_status call_hco_answer(void *handle, const char *text, char **reply, outs *outs) {
  outs->are_clear = true;
  return hco_answer(handle, 999999, text, reply);
}

static hco_status call_hco_redirect_check(void *handle, const char *text, char **reply, outs *outs) {
  int32_t verdict;
  memset(&verdict, DIRT, sizeof verdict);
  hco_status status = hco_redirect_check(handle, text == NULL ? "https://bank.example/" : text, &verdict, reply);
  outs->are_clear = verdict >= HCO_VERDICT_BLOCK && verdict <= HCO_VERDICT_RETURN;
  return status;
}

static hco_status call_hco_element_set_field(void *handle, const char *text, char **reply, outs *outs) {
  outs->are_clear = true;
  return hco_element_set_field(handle, "PAYMENT_CARD", "cvv", text, text == NULL ? 0 : strlen(text), reply);
}

#define ROW(name, ...) {#name, __VA_ARGS__, call_##name}

/* name, owner, reads JSON, takes nothing, is a read, a member of the wrong type, members that are fine */
const function functions[] = {
    ROW(hco_runtime_info, OF_RUNTIME, false, true, true, NULL, NULL),
    ROW(hco_runtime_poll, OF_RUNTIME, false, true, true, NULL, NULL),
    ROW(hco_runtime_next, OF_RUNTIME, false, true, true, NULL, NULL),
    ROW(hco_runtime_wake, OF_RUNTIME, false, true, true, NULL, NULL),
    ROW(hco_runtime_notify, OF_RUNTIME, true, false, false, "\"app\":1", "\"advanceMs\":0"),
    ROW(hco_runtime_answer_http, OF_RUNTIME, true, false, false, "\"ok\":\"x\"",
        "\"ok\":{\"status\":200,\"headers\":{}}"),
    ROW(hco_create, OF_RUNTIME, true, false, false, "\"widgetData\":1", "\"widgetData\":\"x\""),
    ROW(hco_restore, OF_RUNTIME, true, true, false, "\"hooks\":\"checkpoint\"", "\"hooks\":[]"),
    ROW(hco_save_state, OF_CHECKOUT, false, true, true, NULL, NULL),
    ROW(hco_answer, OF_CHECKOUT, true, false, false, "\"ok\":1", "\"ok\":{}"),
    ROW(hco_set_hooks, OF_CHECKOUT, true, false, false, "\"hooks\":{}", "\"hooks\":[]"),
    ROW(hco_set_session, OF_CHECKOUT, true, false, false, "\"widgetData\":[]", "\"widgetData\":\"x\""),
    ROW(hco_state, OF_CHECKOUT, true, true, true, "\"keys\":\"amount\"", "\"keys\":[\"amount\"]"),
    ROW(hco_split, OF_CHECKOUT, true, true, true, "\"keys\":[1]", "\"keys\":[\"amount\"]"),
    ROW(hco_format_amount, OF_CHECKOUT, true, false, true, "\"amount\":\"1\"", "\"amount\":1"),
    ROW(hco_set_primary, OF_CHECKOUT, true, false, false, "\"item\":7", "\"item\":\"purse-creditcard\""),
    ROW(hco_read_secondary, OF_CHECKOUT, true, false, false, "\"item\":\"illicado-giftcard\",\"number\":1",
        "\"item\":\"illicado-giftcard\",\"number\":\"6000000100003000\""),
    ROW(hco_apply_secondary, OF_CHECKOUT, true, false, false, "\"token\":\"gc1\",\"amount\":\"12,50\"",
        "\"token\":\"gc1\""),
    ROW(hco_remove_secondary, OF_CHECKOUT, true, false, false, "\"token\":null", "\"token\":\"gc1\""),
    ROW(hco_simulate_loan, OF_CHECKOUT, true, false, false, "\"item\":1", "\"item\":\"purse-creditcard\""),
    ROW(hco_register, OF_CHECKOUT, true, false, false, "\"item\":\"purse-creditcard\",\"register\":1",
        "\"item\":\"purse-creditcard\""),
    ROW(hco_set_wallet_session, OF_CHECKOUT, true, false, false, "\"walletSession\":1",
        "\"walletSession\":{\"session_id\":\"w\",\"owner_reference\":\"o\",\"merchant\":\"m\"}"),
    ROW(hco_token_update, OF_CHECKOUT, true, false, false, "\"token\":\"t\",\"favorite\":1",
        "\"token\":\"t\",\"name\":\"n\""),
    ROW(hco_token_delete, OF_CHECKOUT, true, false, false, "\"all\":1", "\"token\":\"t\""),
    ROW(hco_element_open, OF_CHECKOUT, true, false, false, "\"item\":\"purse-creditcard\",\"redirect\":true",
        "\"item\":\"purse-creditcard\""),
    ROW(hco_element_report, OF_CHECKOUT, true, false, false,

        "\"element\":\"purse-creditcard\",\"report\":\"formValidity\",\"valid\":1",
        "\"element\":\"purse-creditcard\",\"report\":\"ready\""),
    ROW(hco_element_close, OF_CHECKOUT, true, false, false, "\"element\":1", "\"element\":\"purse-creditcard\""),
    ROW(hco_element_set_field, OF_CHECKOUT, false, true, false, NULL, NULL),
    ROW(hco_start, OF_CHECKOUT, true, true, false, "\"tag\":1", "\"tag\":\"t\""),
    ROW(hco_refresh, OF_CHECKOUT, true, true, false, "\"tag\":1", "\"tag\":\"t\""),
    ROW(hco_cancel, OF_CHECKOUT, true, true, false, "\"tag\":1", NULL),
    ROW(hco_dismiss, OF_CHECKOUT, true, true, false, "\"tag\":1", NULL),
    ROW(hco_submit, OF_CHECKOUT, true, true, false, "\"skipOnBeforeValidate\":\"yes\"",
        "\"skipOnBeforeValidate\":false"),
    ROW(hco_abort, OF_CHECKOUT, true, false, false, "\"attempt\":\"1\"", "\"attempt\":1"),
    ROW(hco_resolve, OF_CHECKOUT, true, false, false, "\"attempt\":\"1\",\"verdict\":\"paid\"",
        "\"attempt\":1,\"verdict\":\"paid\""),
    ROW(hco_redirect_check, OF_CHECKOUT, false, false, true, NULL, NULL),
    ROW(hco_redirect_report, OF_CHECKOUT, true, false, false, "\"presentation\":1,\"url\":null",
        "\"presentation\":\"p1\",\"url\":null"),
    ROW(hco_redirect_present, OF_CHECKOUT, true, false, false, "\"attempt\":\"1\"", "\"attempt\":1"),
    ROW(hco_teardown, OF_CHECKOUT, false, true, false, NULL, NULL),
};

const int function_count = sizeof functions / sizeof *functions;
