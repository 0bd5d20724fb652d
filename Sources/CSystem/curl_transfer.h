/* One request on its way: its libcurl handle, and what has become of it so far. */
#ifndef CSYSTEM_CURL_TRANSFER_H
#define CSYSTEM_CURL_TRANSFER_H

#include "curl_address.h"
#include "curl_request.h"

enum { HEADER_DATE, HEADER_CONTENT_TYPE, HEADER_RETRY_AFTER, HEADERS_KEPT };

enum { MOST_CLOSING = 8 };

/* What the transfers of one client have in common. */
typedef struct {
  hcs_http_options *options;
  int in_gate; /* set while the gate runs */
  CURL *spare; /* a handle that was used before, for the next one */
  /* Sockets that libcurl is done with. It closes them before it says that the answer is there, and to close one takes
   * as long as to send on it, since the peer is told: it is done when the host has been told. */
  curl_socket_t closing[MOST_CLOSING];
  size_t closing_count;
} transfer_common;

typedef struct transfer {
  struct transfer *next;
  transfer_common *common;
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
int transfer_create(hcs_http_request *request, transfer_common *common, transfer **made);
/* libcurl is through with it: notes what it says. */
void transfer_end(transfer *ended, CURLcode code);
void transfer_describe(const transfer *ended, hcs_http_result *result);
void transfer_destroy(transfer *gone);
int transfer_has_left(const transfer *running);
void transfer_close_sockets(transfer_common *common);

#pragma GCC visibility pop
#endif
