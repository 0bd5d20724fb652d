#include "sandbox.h"

#include <curl/curl.h>
#include <stdlib.h>

#include "harness.h"

static char *body_text;

const char *sandbox(void) {
  const char *url = getenv("SANDBOX_URL");
  REQUIRE(url != NULL);
  return url;
}

static size_t keep(char *bytes, size_t size, size_t count, void *user) {
  (void)user;
  body_text = format("%s%.*s", body_text, (int)(size * count), bytes);
  return size * count;
}

long exchange(const char *method, const char *path, const char *body, const char *const *headers) {
  CURL *curl = curl_easy_init();
  struct curl_slist *list = curl_slist_append(NULL, "Content-Type: application/json");
  long status = 0;
  body_text = "";
  list = curl_slist_append(list, "x-api-key: " SANDBOX_KEY);
  list = curl_slist_append(list, "Authorization: Bearer token");
  for (; headers != NULL && *headers != NULL; headers++) list = curl_slist_append(list, *headers);
  curl_easy_setopt(curl, CURLOPT_URL, format("%s%s", sandbox(), path));
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
  if (body != NULL) curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  REQUIRE(curl_easy_perform(curl) == CURLE_OK);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_slist_free_all(list);
  curl_easy_cleanup(curl);
  return status;
}

const char *received(void) { return body_text; }

json_t *received_json(void) { return json_loads(body_text, 0, NULL); }

json_t *must_exchange(const char *method, const char *path, const char *body) {
  long status = exchange(method, path, body, NULL);
  if (status / 100 != 2) context("%s %s: %s", method, path, body_text);
  REQUIRE(status / 100 == 2);
  return received_json();
}

void fault(const char *body) {
  must_exchange("DELETE", "/sandbox/faults", NULL);
  if (body != NULL) must_exchange("POST", "/sandbox/faults", body);
}
