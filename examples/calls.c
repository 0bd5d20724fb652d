#include "calls.h"

#include <stdio.h>
#include <stdlib.h>

json_t *reply_of(const char *what, hco_status status, char *reply) {
  if (status != HCO_OK) {
    fprintf(stderr, "%s: %s %s\n", what, hco_status_name(status), reply == NULL ? "" : reply);
    exit(1);
  }
  json_t *document = json_loads(reply, 0, NULL);
  hco_free(reply);
  return document;
}

hco_status call(hco_function *function, hco_checkout *checkout, json_t *request, json_t **reply) {
  char *text = json_dumps(request, JSON_COMPACT);
  char *answered = NULL;
  hco_status status = function(checkout, text, &answered);
  *reply = answered == NULL ? NULL : json_loads(answered, 0, NULL);
  hco_free(answered);
  free(text);
  json_decref(request);
  return status;
}

json_t *must(hco_function *function, hco_checkout *checkout, json_t *request) {
  json_t *reply = NULL;
  hco_status status = call(function, checkout, request, &reply);
  if (status == HCO_OK) return reply;
  fprintf(stderr, "%s: %s: %s\n", hco_status_name(status), text(reply, "code"), text(reply, "message"));
  exit(1);
}

void answer_ticket(hco_checkout *checkout, uint64_t ticket, json_t *answer) {
  char *text = json_dumps(answer, JSON_COMPACT);
  char *reply = NULL;
  hco_status status = hco_answer(checkout, ticket, text, &reply);
  json_decref(reply_of("hco_answer", status, reply));
  free(text);
  json_decref(answer);
}

json_t *create_request(const char *sandbox, const char *widget_data, json_t *more) {
  json_t *request = json_pack(
      "{s:s, s:{s:s, s:s, s:s, s:s}}", "widgetData", widget_data, "apiPaths", "payment", sandbox, "datetime", sandbox,
      "logs", sandbox, "wallet", sandbox);
  json_object_update(request, more);
  json_decref(more);
  return request;
}

const char *text(const json_t *object, const char *key) {
  const char *value = json_string_value(json_object_get(object, key));
  return value == NULL ? "" : value;
}

json_int_t number(const json_t *object, const char *key) { return json_integer_value(json_object_get(object, key)); }

const char *euros(json_int_t amount) {
  static char texts[4][32];
  static int next;
  char *text = texts[next++ % 4];
  snprintf(text, sizeof texts[0], "%lld.%02lld", (long long)(amount / 100), (long long)(amount % 100));
  return text;
}
