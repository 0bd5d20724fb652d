/*
 * A kiosk, a car or a TV has no browser: the page is shown as a QR code and the shopper pays on a telephone. The page
 * tells the kiosk nothing, so that it asks its backend how the payment stands, and reports that.
 *
 *   second_device http://127.0.0.1:PORT
 *
 * Three shoppers: one pays, one gives up, and one pays while the kiosk is switched off and on again.
 * Exit code: 0 when each ended as it should, else 1.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "merchant.h"

#define ITEM "hipay-bancontact"

typedef struct kiosk {
  const char *sandbox;
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *session;
  json_t *page;
  json_t *outcome;
} kiosk;

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  kiosk *kiosk = user;
  (void)checkout;
  json_t *event = json_loads(json, 0, NULL);
  if (kind == HCO_EVENT_OUTCOME) kiosk->outcome = json_incref(event);
  if (kind == HCO_EVENT_REDIRECT && strcmp(text(event, "state"), "open") == 0) kiosk->page = json_incref(event);
  if (kind == HCO_EVENT_REDIRECT && strcmp(text(event, "state"), "closed") == 0) printf("  the code is taken away\n");
  json_decref(event);
}

/* Creates a checkout, or restores one from the snapshot that was stored. */
static void start(kiosk *kiosk, const char *snapshot) {
  hco_callbacks callbacks = {.listener = listen, .user = kiosk};
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &kiosk->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  reply = NULL;
  json_t *request = create_request(kiosk->sandbox, merchant_widget_data(kiosk->session), json_object());
  if (snapshot != NULL) json_object_del(request, "widgetData");
  char *request_text = json_dumps(request, 0);
  status = snapshot == NULL
               ? hco_create(kiosk->runtime, request_text, &callbacks, &kiosk->checkout, &reply)
               : hco_restore(kiosk->runtime, snapshot, request_text, &callbacks, &kiosk->checkout, &reply);
  json_decref(reply_of("hco_create or hco_restore", status, reply));
  json_decref(request);
  free(request_text);
}

static void poll(kiosk *kiosk) {
  if (hco_runtime_poll(kiosk->runtime, 100) != HCO_OK) exit(1);
}

/* "host" although there is no browser: this program shows pages, as codes. */
static void open_element(kiosk *kiosk) {
  json_decref(must(hco_element_open, kiosk->checkout, json_pack("{s:s, s:s}", "item", ITEM, "redirect", "host")));
}

static int can_be_a_code(const json_t *action) {
  size_t index;
  json_t *surface;
  json_array_foreach(json_object_get(action, "surfaces"), index, surface) {
    if (strcmp(json_string_value(surface), "secondDevice") == 0) return 1;
  }
  return 0;
}

static void report(kiosk *kiosk, const char *presentation, const char *how, json_t *value) {
  json_decref(
      must(hco_redirect_report, kiosk->checkout, json_pack("{s:s, s:o}", "presentation", presentation, how, value)));
}

/* Pays until the page is there, and shows it. The presentation's id is yours to keep. */
static char *show_code(kiosk *kiosk) {
  json_decref(must(hco_set_primary, kiosk->checkout, json_pack("{s:s}", "item", ITEM)));
  open_element(kiosk);
  json_decref(must(hco_submit, kiosk->checkout, json_pack("{s:s}", "element", ITEM)));
  while (kiosk->page == NULL && kiosk->outcome == NULL) poll(kiosk);
  if (kiosk->page == NULL) return NULL;
  const json_t *action = json_object_get(kiosk->page, "action");
  const char *presentation = text(kiosk->page, "presentation");
  if (!can_be_a_code(action)) {
    /* A form to post needs a web view, and this host has none. */
    report(kiosk, presentation, "failed", json_string("no browser"));
    return NULL;
  }
  /* Here your QR encoder draws the text as it is. */
  printf("  [QR] %s\n", text(action, "url"));
  return strdup(presentation);
}

/* What the shopper does with the telephone: the sandbox's page, and its first link, which approves. */
static void pay_on_telephone(const kiosk *kiosk) {
  char *approve = page_next_url(text(json_object_get(kiosk->page, "action"), "url"));
  char *back = approve == NULL ? NULL : page_next_url(approve);
  printf("  the telephone is sent on to %.22s, where nobody listens\n", back == NULL ? "nowhere" : back);
  free(approve);
  free(back);
}

/* The kiosk asks its backend every now and then, and never the telephone. */
static void wait_for_backend(kiosk *kiosk) {
  while (merchant_payment_is_pending(kiosk->sandbox, kiosk->session)) poll(kiosk);
  printf("  the backend has an answer\n");
}

static int ended_as(kiosk *kiosk, const char *kind) {
  while (kiosk->outcome == NULL) poll(kiosk);
  printf("  outcome: %s\n", text(kiosk->outcome, "kind"));
  return strcmp(text(kiosk->outcome, "kind"), kind) == 0;
}

static void close_kiosk(kiosk *kiosk) {
  hco_release(kiosk->checkout);
  hco_runtime_destroy(kiosk->runtime);
  json_decref(kiosk->page);
  json_decref(kiosk->outcome);
  kiosk->page = kiosk->outcome = NULL;
}

static int pays(kiosk *kiosk) {
  printf("a shopper who pays\n");
  start(kiosk, NULL);
  char *presentation = show_code(kiosk);
  if (presentation == NULL) return 0;
  pay_on_telephone(kiosk);
  wait_for_backend(kiosk);
  report(kiosk, presentation, "url", json_null());
  free(presentation);
  /* Back from the page; whether it is paid the backend has just said. */
  return ended_as(kiosk, "returnedFromRedirect");
}

static int gives_up(kiosk *kiosk) {
  printf("a shopper who gives up\n");
  start(kiosk, NULL);
  char *presentation = show_code(kiosk);
  if (presentation == NULL) return 0;
  report(kiosk, presentation, "canceled", json_true());
  free(presentation);
  /* Spent: the page may still be open on the telephone. Close this order at your backend before you make another. */
  return ended_as(kiosk, "canceled") && json_is_true(json_object_get(kiosk->outcome, "spent"));
}

static int pays_while_it_is_off(kiosk *kiosk) {
  printf("a shopper who pays while the kiosk is off\n");
  start(kiosk, NULL);
  char *presentation = show_code(kiosk);
  char *snapshot = NULL;
  if (presentation == NULL || hco_save_state(kiosk->checkout, &snapshot) != HCO_OK) return 0;
  pay_on_telephone(kiosk);
  close_kiosk(kiosk);
  start(kiosk, snapshot);
  hco_free(snapshot);
  wait_for_backend(kiosk);
  report(kiosk, presentation, "url", json_null());
  free(presentation);
  /* Held until the element that asked for the page is there again. */
  open_element(kiosk);
  return ended_as(kiosk, "returnedFromRedirect");
}

int main(int argc, char **argv) {
  int (*const shoppers[])(kiosk *) = {pays, gives_up, pays_while_it_is_off};
  int right = 0;
  if (argc < 2) return 1;
  for (int index = 0; index < 3; index++) {
    kiosk kiosk = {.sandbox = argv[1], .session = merchant_create_session(argv[1], 2500)};
    right += shoppers[index](&kiosk);
    close_kiosk(&kiosk);
    json_decref(kiosk.session);
  }
  if (right == 3) printf("example second_device: ok\n");
  return right == 3 ? 0 : 1;
}
