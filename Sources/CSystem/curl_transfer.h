/* One request on its way: its libcurl handle, and what has become of it so far. */
#ifndef CSYSTEM_CURL_TRANSFER_H
#define CSYSTEM_CURL_TRANSFER_H

#include "curl_address.h"
#include "curl_request.h"

enum { HEADER_DATE, HEADER_CONTENT_TYPE, HEADER_RETRY_AFTER, HEADERS_KEPT };

typedef struct transfer {
  struct transfer *next;
  const hcs_http_options *options;
  int *in_gate; /* set while the gate runs */
  hcs_http_request *request;
  http_address address;
  CURL *easy;
  struct curl_slist *headers;
  struct curl_slist *pins;

  int left;
  int refused;
  int resent;
  int64_t left_at;

  /* The answer: of several header blocks only the final one counts, and it only once its empty line was read. */
  int status_read;
  int headers_complete;
  int64_t answered_at;
  size_t header_bytes;
  char *kept[HEADERS_KEPT];
  uint8_t *body;
  size_t body_length;
  size_t body_capacity;
  int too_large;
  int out_of_memory;

  CURLcode code;
  long status;
} transfer;

#pragma GCC visibility push(hidden)

/* Takes the request over, whatever it answers: an HCS_HTTP_ value. */
int transfer_create(hcs_http_request *request, const hcs_http_options *options, int *in_gate, transfer **made);
/* libcurl is through with it: notes what it says, and gives up the handle and the request's bytes. */
void transfer_end(transfer *ended, CURLcode code);
void transfer_describe(const transfer *ended, hcs_http_result *result);
void transfer_destroy(transfer *gone);
int transfer_has_left(const transfer *running);

#pragma GCC visibility pop
#endif
