/* What a client and a request are made of, before libcurl is asked to do anything. */
#ifndef CSYSTEM_CURL_REQUEST_H
#define CSYSTEM_CURL_REQUEST_H

#include "csystem.h"

struct hcs_http_options {
  char *text[HCS_HTTP_TEXT_OPTIONS]; /* NULL: not given */
  int allow_loopback;
  hcs_http_gate gate;
  void *gate_context;
};

typedef struct request_header {
  struct request_header *next;
  char *line; /* as libcurl takes it */
} request_header;

struct hcs_http_request {
  uint64_t id;
  char *method;
  char *url;
  request_header *headers;
  request_header **last_header;
  hcs_body *body;
  int64_t connect_milliseconds;
  int64_t total_milliseconds;
  size_t response_bytes;
  int money;
  int has_content_type;
};

#pragma GCC visibility push(hidden)

hcs_http_options *http_options_copy(const hcs_http_options *options);

#pragma GCC visibility pop
#endif
