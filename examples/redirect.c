/*
 * A payment on a page of the bank's: the policy is asked at each navigation, and what does not belong is not loaded.
 *
 *   redirect http://127.0.0.1:PORT
 *
 * Exit code: 0 when the shopper came back and nothing hostile was let through, else 1.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "merchant.h"

typedef struct host {
  hco_runtime *runtime;
  hco_checkout *checkout;
  json_t *page;
  json_t *outcome;
} host;

/* What a page may try. None of these may be loaded, and none is the shopper coming back. */
static const char *const hostile[] = {
    "http://shop.example/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,<h1>Sandbox payment</h1>",
    "https://bank.example@evil.example/",
    "https://bank.example\\@evil.example/",
    "https://bank%2eexample/",
    "https://",
    "https://bank.example:8443/",
    "demo-shopping://return",
    "demo-shop://returned",
    "intent://return#Intent;scheme=demo-shop;end",
};

static void listen(void *user, hco_checkout *checkout, int32_t kind, const char *json) {
  host *host = user;
  (void)checkout;
  json_t *event = json_loads(json, 0, NULL);
  if (kind == HCO_EVENT_OUTCOME) host->outcome = json_incref(event);
  if (kind == HCO_EVENT_REDIRECT && strcmp(text(event, "state"), "open") == 0) host->page = json_incref(event);
  json_decref(event);
}

/* With {"takeOver":true} the page would be this program's to open, and its outcome this program's to confirm. */
static void ask(void *user, hco_checkout *checkout, int32_t kind, uint64_t ticket, const char *json) {
  (void)user;
  (void)json;
  if (kind == HCO_HOOK_REDIRECTION) answer_ticket(checkout, ticket, json_pack("{s:{s:b}}", "ok", "takeOver", 0));
}

static void create(host *host, const char *sandbox, const json_t *session) {
  char *reply = NULL;
  hco_status status =
      hco_runtime_create(HCO_ABI_VERSION, "{\"allowLoopbackHTTP\":true}", NULL, &host->runtime, &reply);
  json_decref(reply_of("hco_runtime_create", status, reply));
  json_t *more = json_pack("{s:[s]}", "hooks", "redirection");
  json_t *request = create_request(sandbox, merchant_widget_data(session), more);
  char *request_text = json_dumps(request, 0);
  hco_callbacks callbacks = {.listener = listen, .hook = ask, .user = host};
  reply = NULL;
  status = hco_create(host->runtime, request_text, &callbacks, &host->checkout, &reply);
  json_decref(reply_of("hco_create", status, reply));
  json_decref(request);
  free(request_text);
}

static int32_t verdict_of(host *host, const char *url) {
  int32_t verdict = HCO_VERDICT_BLOCK;
  char *reply = NULL;
  hco_status status = hco_redirect_check(host->checkout, url, &verdict, &reply);
  json_decref(reply_of("hco_redirect_check", status, reply));
  printf("  %-7s %.64s\n", (const char *[]){"block", "allow", "return"}[verdict], url);
  return verdict;
}

static int lets_through(host *host) {
  int count = 0;
  for (size_t index = 0; index < sizeof hostile / sizeof hostile[0]; index++) {
    if (verdict_of(host, hostile[index]) != HCO_VERDICT_BLOCK) count += 1;
  }
  return count;
}

/* The loop of a web view: ask, then load. The URL that led back is the caller's; NULL when the way led nowhere. */
static char *browse(host *host, const char *first) {
  char *url = strdup(first);
  int32_t verdict;
  while (url != NULL && (verdict = verdict_of(host, url)) == HCO_VERDICT_ALLOW) {
    char *next = page_next_url(url);
    free(url);
    url = next;
  }
  if (url != NULL && verdict == HCO_VERDICT_RETURN) return url;
  free(url);
  return NULL;
}

int main(int argc, char **argv) {
  host host = {0};
  const char *item = "hipay-bancontact";
  if (argc < 2) return 1;
  json_t *session = merchant_create_session(argv[1], 2500);
  create(&host, argv[1], session);
  json_decref(must(hco_set_primary, host.checkout, json_pack("{s:s}", "item", item)));
  json_decref(must(hco_element_open, host.checkout, json_pack("{s:s, s:s}", "item", item, "redirect", "host")));
  json_decref(must(hco_submit, host.checkout, json_pack("{s:s}", "element", item)));

  int let_through = -1;
  while (host.outcome == NULL) {
    if (hco_runtime_poll(host.runtime, 1000) != HCO_OK) return 1;
    if (host.page == NULL) continue;
    json_t *report = json_pack("{s:s}", "presentation", text(host.page, "presentation"));
    let_through = lets_through(&host);
    char *url = browse(&host, text(json_object_get(host.page, "action"), "url"));
    json_object_set_new(report, "url", url == NULL ? json_null() : json_string(url));
    json_decref(must(hco_redirect_report, host.checkout, report));
    json_decref(host.page);
    host.page = NULL;
    free(url);
  }
  const char *way_back = text(host.outcome, "url");
  int is_as_wanted = let_through == 0 && strcmp(text(host.outcome, "kind"), "returnedFromRedirect") == 0 &&
                     strncmp(way_back, MERCHANT_RETURN_URL, strlen(MERCHANT_RETURN_URL)) == 0;
  printf("outcome: %s; your backend knows whether it is paid\n", text(host.outcome, "kind"));

  hco_release(host.checkout);
  hco_runtime_destroy(host.runtime);
  json_decref(host.outcome);
  json_decref(session);
  if (is_as_wanted) printf("example redirect: ok\n");
  return is_as_wanted ? 0 : 1;
}
