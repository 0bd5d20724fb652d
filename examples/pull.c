/*
 * No callbacks at all: hco_runtime_next hands out one delivery after the other, for hosts that would rather ask.
 *
 *   pull http://127.0.0.1:PORT
 *
 * Exit code: 0 when the payment succeeded, else 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "merchant.h"

#define CARD "purse-creditcard"

static void create(const char *sandbox, const json_t *session, hco_runtime **runtime, hco_checkout **checkout) {
  char *reply = NULL;
  hco_status status = hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  json_t *more = json_pack(
      "{s:[s], s:[{s:s, s:[s]}]}", "hooks", "beforeValidate", "capabilities", "item", CARD, "steps", "collect");
  json_t *request = create_request(sandbox, merchant_widget_data(session), more);
  char *request_text = json_dumps(request, 0);
  reply = NULL;
  status = hco_create(*runtime, request_text, NULL, checkout, &reply);
  json_decref(reply_of("hco_create", status, reply));
  json_decref(request);
  free(request_text);
}

static void pay(hco_checkout *checkout) {
  json_decref(must(hco_set_primary, checkout, json_pack("{s:s}", "item", CARD)));
  json_decref(must(hco_element_open, checkout, json_pack("{s:s}", "item", CARD)));
  json_decref(must(
      hco_element_report, checkout,
      json_pack("{s:s, s:s, s:b}", "element", CARD, "report", "formValidity", "valid", 1)));
  json_decref(must(hco_submit, checkout, json_object()));
}

int main(int argc, char **argv) {
  hco_runtime *runtime = NULL;
  hco_checkout *checkout = NULL;
  if (argc < 2) return 1;
  json_t *session = merchant_create_session(argv[1], 999);
  create(argv[1], session, &runtime, &checkout);
  pay(checkout);

  json_t *outcome = NULL;
  while (outcome == NULL) {
    hco_checkout *about = NULL;
    int32_t kind = 0;
    uint64_t ticket = 0;
    char *json = NULL;
    if (hco_runtime_next(runtime, 1000, &about, &kind, &ticket, &json) != HCO_OK) return 1;
    if (kind != 0) printf("  kind %d, ticket %llu: %.60s\n", (int)kind, (unsigned long long)ticket, json);
    switch (kind) {
      case 0: /* nothing for a second */
        break;
      case HCO_HOOK_STEP:
        answer_ticket(
            about, ticket, json_pack("{s:{s:s}}", "ok", "vault_form_token", "tok_success_00000000000000000000"));
        break;
      case HCO_HOOK_BEFORE_VALIDATE:
        answer_ticket(about, ticket, json_pack("{s:{}}", "ok"));
        break;
      case HCO_EVENT_OUTCOME:
        outcome = json_loads(json, 0, NULL);
        break;
      default: /* changes, and what later versions bring */
        break;
    }
    hco_free(json);
  }
  int is_as_wanted = strcmp(text(outcome, "status"), "SUCCESS") == 0;

  hco_release(checkout);
  hco_runtime_destroy(runtime);
  json_decref(outcome);
  json_decref(session);
  if (is_as_wanted) printf("example pull: ok\n");
  return is_as_wanted ? 0 : 1;
}
