/* Over real HTTP, against the sandbox at SANDBOX_URL: what is reported, when it arrives, and that it harms nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../examples/merchant.h"
#include "harness.h"
#include "sandbox.h"

typedef struct till {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *session, *outcome, *copies;
  bool is_released;
} till;

static void clear(void) {
  must_exchange("DELETE", "/sandbox/monitoring", NULL);
  must_exchange("DELETE", "/sandbox/faults", NULL);
}

static void listen_to(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  till *till = user;
  json_t *event = seen(json);
  (void)checkout;
  if (kind == HCO_EVENT_OUTCOME) till->outcome = event;
  if (kind == HCO_EVENT_MONITORING) json_array_append(till->copies, json_object_get(event, "messages"));
}

static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  (void)user;
  json_decref(seen(json));
  if (kind != HCO_HOOK_STEP) return;
  const char *answer = "{\"ok\":{\"vault_form_token\":\"tok_success_00000000000000000000\",\"selected_network\":\"VISA\"}}";
  CHECK_NUMBER(hco_answer(checkout, ticket, answer, NULL), HCO_OK);
}

static void released(void *user) { ((till *)user)->is_released = true; }

static void open_in(till *till, hco_runtime *runtime, const char *logs) {
  memset(till, 0, sizeof *till);
  till->runtime = runtime;
  till->copies = json_array();
  till->session = merchant_create_session(sandbox(), 12000);
  hco_callbacks callbacks = {.listener = listen_to, .hook = ask, .release = released, .user = till};
  char *request = format(
      "{\"widgetData\":\"%s\",\"apiPaths\":{\"payment\":\"%s\",\"datetime\":\"%s\"%s},\"capabilities\":[{\"item\":"
      "\"purse-creditcard\",\"steps\":[\"collect\"]}]}",
      merchant_widget_data(till->session), sandbox(), sandbox(), logs);
  char *reply = NULL;
  RESULT(hco_create(runtime, request, &callbacks, &till->checkout, &reply), reply);
}

static hco_runtime *runtime_with(const char *more) {
  hco_runtime *runtime = NULL;
  char *reply = NULL;
  char *options = format("{\"allowLoopbackHTTP\":true%s}", more);
  RESULT(hco_runtime_create(HCO_ABI_VERSION, options, NULL, &runtime, &reply), reply);
  return runtime;
}

static void open_till(till *till, const char *more) {
  clear();
  open_in(till, runtime_with(more), format(",\"logs\":\"%s\"", sandbox()));
}

static void poll_for(hco_runtime *runtime, int rounds) {
  for (int round = 0; round < rounds; round++) CHECK_NUMBER(hco_runtime_poll(runtime, 20), HCO_OK);
}

/* How many messages of the till's session arrived; `code` NULL: of any. Waits for `wanted` of them. */
static size_t arrived(till *till, const char *code, size_t wanted) {
  const char *id = json_string_value(json_object_get(till->session, "id"));
  size_t count = 0;
  for (int round = 0; round < 100; round++) {
    json_t *batches = merchant_received_monitoring(sandbox()), *batch, *message;
    size_t index, place;
    count = 0;
    json_array_foreach(batches, index, batch) {
      json_array_foreach(batch, place, message) {
        const char *told = text_of(json_object_get(message, "event"), "code");
        bool is_wanted = code == NULL || strcmp(told + strlen("HEADLESS_CHECKOUT_"), code) == 0;
        if (is_wanted && strcmp(text_of(message, "paymentSessionId"), id) == 0) count += 1;
      }
    }
    json_decref(batches);
    if (count >= wanted) break;
    CHECK_NUMBER(hco_runtime_poll(till->runtime, 20), HCO_OK);
  }
  return count;
}

static void choose_token(till *till, int times) {
  char *reply = NULL;
  for (int index = 0; index < times; index++) {
    RESULT(hco_set_primary(till->checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  }
}

static void pay(till *till) {
  const char *valid = "{\"element\":\"purse-creditcard\",\"report\":\"formValidity\",\"valid\":true}";
  char *reply = NULL;
  choose_token(till, 1);
  RESULT(hco_element_open(till->checkout, "{\"item\":\"purse-creditcard\"}", &reply), reply);
  RESULT(hco_element_report(till->checkout, valid, &reply), reply);
  RESULT(hco_submit(till->checkout, NULL, &reply), reply);
  for (int round = 0; round < 200 && till->outcome == NULL; round++) poll_for(till->runtime, 1);
  REQUIRE(till->outcome != NULL);
  CHECK_TEXT(text_of(till->outcome, "status"), "SUCCESS");
}

static void let_go(till *till) {
  hco_release(till->checkout);
  for (int round = 0; round < 500 && !till->is_released; round++) poll_for(till->runtime, 1);
  CHECK(till->is_released);
}

/* seed: 004:57a */
static void batches_arrive(void) {
  till till;
  open_till(&till, ",\"clock\":\"manual\"");
  poll_for(till.runtime, 3);
  CHECK_NUMBER(arrived(&till, NULL, 0), 0);
  choose_token(&till, 16);
  CHECK_NUMBER(arrived(&till, NULL, 16), 16);

  char *reply = NULL;
  choose_token(&till, 2);
  RESULT(hco_runtime_notify(till.runtime, "{\"advanceMs\":10000}", &reply), reply);
  size_t after_time = arrived(&till, NULL, 18);
  CHECK(after_time > 17);

  choose_token(&till, 1);
  RESULT(hco_runtime_notify(till.runtime, "{\"app\":\"background\"}", &reply), reply);
  CHECK_NUMBER(arrived(&till, NULL, after_time + 1), after_time + 1);

  let_go(&till);
  CHECK_NUMBER(arrived(&till, "PAGE_UNLOAD", 1), 1);
  CHECK(merchant_same_batches(till.copies, merchant_received_monitoring(sandbox())));
  hco_runtime_destroy(till.runtime);
}

static void a_payment_is_reported(void) {
  static const char *codes[] = {
      "CREATE", "SET_SESSION", "READY", "METHOD_SET_PRIMARY", "PAYMENT_FULFILLED", "METHOD_GET_PAYMENT_ELEMENT",
      "SUBMIT_PAYMENT", "VALIDATION_STARTED", "PARTNER_API_CALL_START", "PARTNER_API_CALL_END", "VALIDATION_SUCCESS",
      "PAGE_UNLOAD",
  };
  till till;
  open_till(&till, "");
  pay(&till);
  let_go(&till);
  for (size_t index = 0; index < sizeof codes / sizeof *codes; index++) {
    context("%s", codes[index]);
    CHECK_NUMBER(arrived(&till, codes[index], 1), 1);
  }
  hco_runtime_destroy(till.runtime);
}

/* seed: 004:57b */
static void failures_are_silent(void) {
  static const char *faults[] = {
      "{\"path\":\"headless_checkout\",\"fault\":\"status\",\"times\":null}",
      "{\"path\":\"headless_checkout\",\"fault\":\"dropAfterReading\",\"times\":null}",
      "{\"path\":\"headless_checkout\",\"fault\":\"garbage\",\"times\":null}",
      "{\"path\":\"headless_checkout\",\"fault\":\"reset\",\"times\":null}",
      "{\"path\":\"headless_checkout\",\"fault\":\"redirect3xx\",\"times\":null}",
      /* Longer than a checkout that was let go of waits: 5 s. */
      "{\"path\":\"headless_checkout\",\"fault\":\"delay\",\"delayMs\":30000,\"times\":null}",
  };
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) {
    till till;
    context("%s", faults[index]);
    open_till(&till, "");
    must_exchange("POST", "/sandbox/faults", faults[index]);
    pay(&till);
    json_int_t sum = 0;
    let_go(&till);
    CHECK_NUMBER(merchant_count_validates(sandbox(), till.session, &sum), 1);
    CHECK(json_array_size(till.copies) > 0);
    hco_runtime_destroy(till.runtime);
  }
  clear();
}

/* seed: 004:93-95 */
static void it_can_be_switched_off(void) {
  till till;
  open_till(&till, ",\"monitoring\":false");
  pay(&till);
  let_go(&till);
  CHECK_NUMBER(json_array_size(till.copies), 0);
  CHECK_NUMBER(json_array_size(merchant_received_monitoring(sandbox())), 0);
  hco_runtime_destroy(till.runtime);
}

/* Who moves the other services must say where this one is, or it goes nowhere. */
static void it_does_not_go_elsewhere(void) {
  till till;
  clear();
  open_in(&till, runtime_with(""), "");
  pay(&till);
  let_go(&till);
  CHECK_NUMBER(json_array_size(till.copies), 0);
  hco_runtime_destroy(till.runtime);
}

/* seed: 004:55a */
static void two_checkouts_do_not_mix(void) {
  till first, second;
  open_till(&first, "");
  open_in(&second, first.runtime, format(",\"logs\":\"%s\"", sandbox()));
  choose_token(&first, 3);
  choose_token(&second, 5);
  let_go(&first);
  let_go(&second);
  CHECK_NUMBER(arrived(&first, "METHOD_SET_PRIMARY", 3), 3);
  CHECK_NUMBER(arrived(&second, "METHOD_SET_PRIMARY", 5), 5);
  json_t *batches = merchant_received_monitoring(sandbox()), *batch, *message;
  size_t index, place;
  json_array_foreach(batches, index, batch) {
    const char *instance = text_of(json_array_get(batch, 0), "instanceId");
    json_array_foreach(batch, place, message) CHECK_TEXT(text_of(message, "instanceId"), instance);
  }
  hco_runtime_destroy(first.runtime);
}

/* seed: 004:62 */
static void the_device_is_what_the_host_says(void) {
  till till;
  open_till(&till, ",\"device\":{\"osVersion\":\"12.4\",\"model\":\"Till 7\",\"screen\":\"1920x1080\"}");
  let_go(&till);
  json_t *message = json_array_get(json_array_get(till.copies, 0), 0);
  json_t *payload = json_object_get(json_object_get(message, "event"), "payload");
  CHECK_TEXT(text_of(payload, "osVersion"), "12.4");
  CHECK_TEXT(text_of(payload, "model"), "Till 7");
  CHECK_TEXT(text_of(payload, "screen"), "1920x1080");
  CHECK_TEXT(text_of(message, "platform"), "c");
  CHECK_TEXT(text_of(message, "version"), hco_version());
  hco_runtime_destroy(till.runtime);

  static const char *wrong[] = {
      "{\"device\":{\"model\":\"4111 1111 1111 1111\"}}", "{\"device\":{\"model\":7}}", "{\"device\":{\"name\":\"x\"}}",
      "{\"device\":[]}", "{\"monitoring\":1}",
  };
  for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    hco_runtime *runtime = NULL;
    char *reply = NULL;
    context("%s", wrong[index]);
    json_t *error = ERROR(
        hco_runtime_create(HCO_ABI_VERSION, wrong[index], NULL, &runtime, &reply), reply, HCO_INVALID_ARGUMENT, NULL);
    CHECK(strstr(text_of(error, "message"), "4111") == NULL);
    CHECK(runtime == NULL);
  }
}

int main(int argc, char **argv) {
  static const test tests[] = {
      TEST(batches_arrive),           TEST(a_payment_is_reported),    TEST(failures_are_silent),
      TEST(it_can_be_switched_off),   TEST(it_does_not_go_elsewhere), TEST(two_checkouts_do_not_mix),
      TEST(the_device_is_what_the_host_says),
  };
  return RUN_TESTS("monitoring", tests);
}
