#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness.h"

const char *const default_protocols =
    "{\"purse\":{\"creditcard\":{\"configurations\":{\"stable\":true,\"template\":\"creditcard\",\"labels\":["
    "\"primary\"],"
    "\"position\":1,\"vault\":{\"supported_brands\":[\"VISA\",\"CARTE_BANCAIRE\"],\"token_scope\":\"method\","
    "\"vendor\":\"purse\"},\"settings\":{\"registration_mode\":\"ON_SESSION\",\"save_token\":true}},"
    "\"integrated_tokens\":[{\"id\":\"saved-1\",\"value\":\"wallet-value-1\",\"uniqueness_token\":\"u1\","
    "\"expiration_date\":\"2039-12-31T23:59:59Z\",\"owner_reference\":\"o\",\"merchant\":\"m\",\"favorite\":false,"
    "\"description\":{\"brand_name\":\"VISA\",\"masked_pan\":\"**** **** **** 4242\"},"
    "\"payment_id\":{\"origin\":\"partner\",\"partner\":\"purse\",\"method\":\"creditcard\"}}]}},"
    "\"illicado\":{\"giftcard\":{\"configurations\":{\"stable\":true,\"template\":\"giftcard\",\"labels\":["
    "\"secondary\"],"
    "\"position\":2,\"settings\":{\"usage_per_session_limit\":3}},\"integrated_tokens\":[]}},"
    "\"buybox\":{\"giftcard\":{\"configurations\":{\"stable\":true,\"template\":\"giftcard\",\"labels\":[\"secondary\"]"
    ","
    "\"position\":3,\"settings\":{}},\"integrated_tokens\":[]}},"
    "\"hipay\":{\"bancontact\":{\"configurations\":{\"stable\":true,\"template\":\"bancontact\",\"labels\":["
    "\"primary\"],"
    "\"position\":4,\"settings\":{}},\"integrated_tokens\":[]}}}";

static const char *or_else(const char *text, const char *otherwise) { return text == NULL ? otherwise : text; }

char *base64(const char *bytes, size_t length) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = malloc((length + 2) / 3 * 4 + 1), *at = text;
  for (size_t index = 0; index < length; index += 3) {
    size_t left = length - index;
    unsigned value = (unsigned char)bytes[index] << 16;
    if (left > 1) value |= (unsigned)(unsigned char)bytes[index + 1] << 8;
    if (left > 2) value |= (unsigned char)bytes[index + 2];
    *at++ = letters[value >> 18];
    *at++ = letters[value >> 12 & 63];
    *at++ = left > 1 ? letters[value >> 6 & 63] : '=';
    *at++ = left > 2 ? letters[value & 63] : '=';
  }
  *at = '\0';
  return text;
}

static char *time_text(const char *pattern, time_t when) {
  struct tm parts;
  char text[64];
  gmtime_r(&when, &parts);
  strftime(text, sizeof text, pattern, &parts);
  return format("%s", text);
}

char *session_text(const session *wanted) {
  static int next;
  const char *id = or_else(wanted->id, format("76fc12e0-2226-438b-b053-%012d", ++next));
  const char *expires = or_else(wanted->expires, time_text("%Y-%m-%dT%H:%M:%SZ", time(NULL) + 1800));
  const char *amount = or_else(wanted->amount, "120.00");
  const char *protocols = or_else(wanted->protocols, default_protocols);
  return format(
      "{\"api_key\":\"key-1\",\"entity_id\":\"c0ffee00-0000-4000-8000-000000000001\",\"environment\":\"%s\",%s"
      "\"session\":{\"id\":\"%s\",%s%s%s\"currency_code\":\"%s\",\"expiration_date\":\"%s\",\"redirection\":\"%s\"%s%s"
      "%s%s,\"vault\":{\"vendor_front_data\":{\"purse\":{\"tenant_id\":\"t-1\"}}}}}",
      or_else(wanted->environment, "sandbox"), wanted->blob_more == NULL ? "" : format("%s,", wanted->blob_more), id,
      amount[0] == '\0' ? "" : "\"amount\":", amount, amount[0] == '\0' ? "" : ",", or_else(wanted->currency, "EUR"),
      expires, or_else(wanted->redirection, "test-shop://return"),
      protocols[0] == '\0' ? "" : ",\"protocols\":", protocols, wanted->more == NULL ? "" : ",",
      or_else(wanted->more, ""));
}

char *widget_data(const session *wanted) {
  char *text = session_text(wanted);
  return base64(text, strlen(text));
}

/* ---------------------------------------------------------------------------------------------------------- answers */

static hco_status send_back(backend *backend, uint64_t ticket, int status, const char *body, char **reply) {
  char *date = time_text("%a, %d %b %Y %H:%M:%S GMT", time(NULL) + (time_t)backend->ahead);
  char *answer = format("{\"ok\":{\"status\":%d,\"headers\":{\"date\":\"%s\"}}}", status, date);
  return hco_runtime_answer_http(backend->runtime, ticket, answer, body, strlen(body), reply);
}

static hco_status send_failure(backend *backend, uint64_t ticket, const char *left, char **reply) {
  char *answer = format("{\"error\":{\"message\":\"the test says so\"}%s}", left);
  return hco_runtime_answer_http(backend->runtime, ticket, answer, NULL, 0, reply);
}

static char *time_body(backend *backend) {
  time_t now = time(NULL) + (time_t)backend->ahead;
  return format(
      "{\"utc\":\"%s\",\"iso\":\"%s\"}", time_text("%a, %d %b %Y %H:%M:%S GMT", now),
      time_text("%Y-%m-%dT%H:%M:%S.000Z", now));
}

static char *init_body(backend *backend, const json_t *item) {
  const char *code = or_else(backend->init_code, "SUCCEEDED");
  bool is_fine = strcmp(code, "SUCCEEDED") == 0;
  const char *state = is_fine ? "SUCCESS" : strcmp(code, "WAITING_PARTNER_RESPONSE") == 0 ? "WAITING" : "FAILED";
  const char *result =
      is_fine ? format("\"amount\":%s,\"currency_code\":\"EUR\"", or_else(backend->balance, "50.00")) : "";
  return format(
      "{\"id\":\"init-%d\",\"session_id\":\"s\",\"date\":\"2030-01-01T00:00:00Z\",\"partner\":\"%s\",\"method\":\"%s\","
      "\"step_id\":%d,\"status\":{\"action\":\"INIT\",\"state\":\"%s\",\"code\":\"%s\"},\"plugin_result\":{%s}}",
      backend->inits, text_of(item, "partner"), text_of(item, "method"), backend->inits, state, code, result);
}

static char *validate_body(backend *backend) {
  const char *status = or_else(backend->global_status, "SUCCESS");
  const char *redirection = backend->redirect_url == NULL ? "" : format("\"url\":\"%s\"", backend->redirect_url);
  return format(
      "{\"results\":[{\"id\":\"r1\",\"date\":\"2030-01-01T00:00:00Z\",\"method\":\"creditcard\",\"partner\":\"purse\","
      "\"session_id\":\"s\",\"transaction_id\":\"t1\",\"plugin_result\":{\"status\":\"OK\",\"amount\":120.00},"
      "\"status\":{\"action\":\"AUTHORIZE\",\"state\":\"%s\",\"code\":\"SUCCEEDED\"}}],\"redirection\":{%s},"
      "\"global_status\":\"%s\"}",
      status, redirection, status);
}

hco_status backend_answer_validate(backend *backend, char **reply) {
  uint64_t ticket = backend->held_validate;
  switch (backend->way) {
    case FAILED_SILENT: return send_failure(backend, ticket, "", reply);
    case FAILED_LEFT: return send_failure(backend, ticket, ",\"left\":true", reply);
    case FAILED_NOT_LEFT: return send_failure(backend, ticket, ",\"left\":false", reply);
    case ANSWERED:
    case HELD: break;
  }
  const char *body = backend->body != NULL ? backend->body : validate_body(backend);
  return send_back(backend, ticket, backend->status == 0 ? 200 : backend->status, body, reply);
}

static json_t *held_item;

hco_status backend_answer_init(backend *backend, char **reply) {
  return send_back(backend, backend->held_init, 200, init_body(backend, held_item), reply);
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void check_question(const json_t *question) {
  CHECK_TEXT(text_of(question, "type"), "http");
  CHECK(json_is_object(json_object_get(question, "headers")));
  CHECK(number_of(question, "timeoutMs") > 0);
  CHECK(json_is_boolean(json_object_get(question, "freshConnection")));
}

void backend_asked(backend *backend, uint64_t ticket, const char *json) {
  json_t *question = seen(json);
  const char *url = text_of(question, "url");
  char *reply = NULL;
  hco_status status = HCO_OK;
  check_question(question);
  if (backend->is_gone) return;
  if (ends_with(url, "/validate")) {
    backend->validates += 1;
    backend->held_validate = ticket;
    backend->last_validate = question;
    CHECK_TEXT(text_of(question, "money"), "opens");
    CHECK(json_is_true(json_object_get(question, "freshConnection")));
    if (backend->way != HELD) status = backend_answer_validate(backend, &reply);
  } else if (ends_with(url, "/init")) {
    backend->inits += 1;
    backend->held_init = ticket;
    CHECK_TEXT(text_of(question, "money"), "none");
    held_item = json_loads(text_of(question, "body"), 0, NULL);
    if (!backend->holds_inits) status = backend_answer_init(backend, &reply);
  } else {
    backend->times += 1;
    backend->held_time = ticket;
    CHECK_TEXT(text_of(question, "money"), "none");
    CHECK(ends_with(url, "/datetime"));
    if (!backend->holds_time) status = send_back(backend, ticket, 200, time_body(backend), &reply);
  }
  if (backend->may_be_late && status == HCO_REFUSED) {
    ERROR(status, reply, HCO_REFUSED, "TICKET_CLOSED");
  } else {
    RESULT(status, reply);
  }
}
