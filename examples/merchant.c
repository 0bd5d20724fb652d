#define _POSIX_C_SOURCE 200809L
#include "merchant.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct exchange {
  char *body;
  size_t length;
  char *location;
} exchange;

static size_t keep(char *bytes, size_t size, size_t count, void *user) {
  exchange *answer = user;
  size_t length = size * count;
  char *grown = realloc(answer->body, answer->length + length + 1);
  if (grown == NULL) return 0;
  memcpy(grown + answer->length, bytes, length);
  answer->body = grown;
  answer->length += length;
  answer->body[answer->length] = '\0';
  return length;
}

/* One HTTP exchange; with a body it is a POST. Exits when there is no answer: an example has nothing to do then. */
static exchange fetch(const char *url, const char *body) {
  exchange answer = {0};
  struct curl_slist *headers = NULL;
  CURL *curl = curl_easy_init();
  headers = curl_slist_append(headers, "Content-Type: application/json");
  headers = curl_slist_append(headers, "x-api-key: demo-key");
  headers = curl_slist_append(headers, "Authorization: Bearer demo-token");
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 30L);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  if (body != NULL) curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) {
    fprintf(stderr, "%s: %s\n", url, curl_easy_strerror(code));
    exit(1);
  }
  char *location = NULL;
  curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &location);
  if (location != NULL) answer.location = strdup(location);
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  return answer;
}

static json_t *fetch_json(const char *sandbox, const char *path, json_t *body) {
  char url[512];
  snprintf(url, sizeof url, "%s%s", sandbox, path);
  char *text = body == NULL ? NULL : json_dumps(body, JSON_COMPACT);
  exchange answer = fetch(url, text);
  json_t *document = answer.body == NULL ? NULL : json_loads(answer.body, 0, NULL);
  if (document == NULL) {
    fprintf(stderr, "%s: the sandbox answered no JSON\n", url);
    exit(1);
  }
  free(text);
  free(answer.body);
  free(answer.location);
  return document;
}

json_t *merchant_create_session(const char *sandbox, json_int_t amount) {
  return merchant_create_session_of(sandbox, amount, NULL);
}

json_t *merchant_create_session_of(const char *sandbox, json_int_t amount, const char *shopper) {
  json_t *order = json_pack(
      "{s:s, s:I, s:s, s:s, s:{s:s}}", "entity_id", "c0ffee00-0000-4000-8000-000000000001", "amount", amount,
      "currency", "EUR", "shopper_redirection_url", MERCHANT_RETURN_URL, "order", "reference", "order-1");
  if (shopper != NULL) json_object_set_new(order, "sandbox", json_pack("{s:s}", "owner", shopper));
  json_t *session = fetch_json(sandbox, "/payment/v2/client-sessions", order);
  json_decref(order);
  if (merchant_widget_data(session) == NULL) {
    fprintf(stderr, "the sandbox created no session\n");
    exit(1);
  }
  return session;
}

const char *merchant_widget_data(const json_t *session) {
  return json_string_value(json_object_get(json_object_get(session, "widget"), "data"));
}

json_t *merchant_create_client_session(const char *sandbox, const char *shopper) {
  json_t *order = json_pack(
      "{s:s, s:s, s:{s:s, s:[{s:s, s:s, s:i, s:i}, {s:s, s:s, s:i, s:i}]}, s:{s:s}}", "orderId", "order-1",
      "currencyCode", "EUR", "order", "countryCode", "FR", "lineItems", "itemId", "tea", "description", "Tea",
      "amount", 1250, "quantity", 2, "itemId", "pot", "description", "Tea pot", "amount", 2000, "quantity", 1,
      "sandbox", "returnURL", MERCHANT_RETURN_URL);
  if (shopper != NULL) json_object_set_new(order, "customerId", json_string(shopper));
  json_t *session = fetch_json(sandbox, "/client-session", order);
  json_decref(order);
  if (merchant_client_token(session) == NULL) {
    fprintf(stderr, "the sandbox created no session\n");
    exit(1);
  }
  return session;
}

const char *merchant_client_token(const json_t *session) {
  return json_string_value(json_object_get(session, "clientToken"));
}

int merchant_count_payments(const char *sandbox, const json_t *session) {
  char path[256];
  const char *id = json_string_value(json_object_get(session, "id"));
  snprintf(path, sizeof path, "/sandbox/payments?sessionId=%s", id == NULL ? "" : id);
  json_t *made = fetch_json(sandbox, path, NULL);
  int count = (int)json_array_size(json_object_get(made, "payments"));
  json_decref(made);
  return count;
}

/* The wire speaks major units (30.00): they become minor units at once, and stay it. */
static json_int_t minor_units(const json_t *amount) { return (json_int_t)(json_number_value(amount) * 100 + 0.5); }

static bool is_validate_of(const json_t *request, const char *session) {
  const char *path = json_string_value(json_object_get(request, "path"));
  const char *method = json_string_value(json_object_get(request, "method"));
  return strcmp(method, "POST") == 0 && strstr(path, session) != NULL;
}

int merchant_count_validates(const char *sandbox, const json_t *session, json_int_t *sum) {
  const char *id = json_string_value(json_object_get(session, "id"));
  json_t *journal = fetch_json(sandbox, "/sandbox/requests?path=validate", NULL);
  size_t index, place;
  json_t *request, *slice;
  int count = 0;
  *sum = 0;
  json_array_foreach(json_object_get(journal, "requests"), index, request) {
    if (!is_validate_of(request, id)) continue;
    count += 1;
    *sum = 0;
    json_array_foreach(json_object_get(request, "body"), place, slice) {
      *sum += minor_units(json_object_get(slice, "amount"));
    }
  }
  json_decref(journal);
  return count;
}

bool merchant_payment_is_pending(const char *sandbox, const json_t *session) {
  char path[256];
  const char *id = json_string_value(json_object_get(session, "id"));
  snprintf(path, sizeof path, "/payment/v2/client-sessions/%s", id == NULL ? "" : id);
  json_t *stands = fetch_json(sandbox, path, NULL);
  const char *status = json_string_value(json_object_get(json_object_get(stands, "authorization"), "status"));
  bool is_pending = status == NULL || strcmp(status, "PENDING") == 0;
  json_decref(stands);
  return is_pending;
}

json_t *merchant_received_monitoring(const char *sandbox) {
  json_t *kept = fetch_json(sandbox, "/sandbox/monitoring", NULL);
  json_t *received = json_array();
  size_t index;
  json_t *batch;
  json_array_foreach(json_object_get(kept, "batches"), index, batch) {
    json_array_append(received, json_object_get(batch, "messages"));
  }
  json_decref(kept);
  return received;
}

bool merchant_same_batches(const json_t *told, const json_t *received) {
  size_t one, other;
  json_t *batch, *candidate;
  json_array_foreach(told, one, batch) {
    bool is_there = false;
    json_array_foreach(received, other, candidate) is_there = is_there || json_equal(batch, candidate);
    if (!is_there) return false;
  }
  return json_array_size(told) == json_array_size(received);
}

static char *first_link(const char *html) {
  const char *mark = "href=\"";
  const char *start = html == NULL ? NULL : strstr(html, mark);
  if (start == NULL) return NULL;
  start += strlen(mark);
  const char *end = strchr(start, '"');
  return end == NULL ? NULL : strndup(start, (size_t)(end - start));
}

char *page_next_url(const char *url) {
  exchange answer = fetch(url, NULL);
  char *next = answer.location != NULL ? answer.location : first_link(answer.body);
  free(answer.body);
  return next;
}
