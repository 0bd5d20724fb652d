#define _POSIX_C_SOURCE 200809L
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "merchant.h"

void show_page(hco_checkout *checkout, const json_t *event) {
  char *url = strdup(text(json_object_get(event, "action"), "url"));
  int32_t verdict = HCO_VERDICT_BLOCK;
  while (url != NULL && hco_redirect_check(checkout, url, &verdict, NULL) == HCO_OK) {
    printf("  page %.48s -> %s\n", url, (const char *[]){"block", "allow", "return"}[verdict]);
    if (verdict != HCO_VERDICT_ALLOW) break;
    char *next = page_next_url(url);
    free(url);
    url = next;
  }
  json_t *report = json_pack("{s:s}", "presentation", text(event, "presentation"));
  if (url != NULL && verdict == HCO_VERDICT_RETURN) {
    json_object_set_new(report, "url", json_string(url));
  } else {
    json_object_set_new(report, "failed", json_string("the page led nowhere"));
  }
  json_decref(must(hco_redirect_report, checkout, report));
  free(url);
}
