#include "curl_request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* No byte that could end a line or a text early. */
static int is_plain(const uint8_t *bytes, size_t length) {
  for (size_t index = 0; index < length; index++) {
    if ((bytes[index] < 0x20 && bytes[index] != '\t') || bytes[index] == 0x7f) return 0;
  }
  return 1;
}

/* A token as HTTP has it: what a method or a header name may be. */
static int is_token(const uint8_t *bytes, size_t length) {
  for (size_t index = 0; index < length; index++) {
    uint8_t byte = bytes[index];
    int letter_or_digit =
        (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
    if (!letter_or_digit && (byte == 0 || strchr("!#$%&'*+-.^_`|~", byte) == NULL)) return 0;
  }
  return length > 0;
}

/* ---- Options ---------------------------------------------------------------------------------------------------- */

hcs_http_options *hcs_http_options_create(void) { return calloc(1, sizeof(hcs_http_options)); }

static void forget_text(char **text) {
  if (*text == NULL) return;
  hcs_wipe(*text, strlen(*text));
  free(*text);
  *text = NULL;
}

int hcs_http_options_text(hcs_http_options *options, int option, const uint8_t *bytes, size_t length) {
  if (option < 0 || option >= HCS_HTTP_TEXT_OPTIONS || !is_plain(bytes, length)) return -1;
  char *text = hcs_text_copy(bytes, length);
  if (text == NULL) return -1;
  forget_text(&options->text[option]);
  options->text[option] = text;
  return 0;
}

void hcs_http_options_allow_loopback(hcs_http_options *options, int allow) { options->allow_loopback = allow; }

void hcs_http_options_gate(hcs_http_options *options, hcs_http_gate gate, void *context) {
  options->gate = gate;
  options->gate_context = context;
}

void hcs_http_options_destroy(hcs_http_options *options) {
  if (options == NULL) return;
  for (int option = 0; option < HCS_HTTP_TEXT_OPTIONS; option++) forget_text(&options->text[option]);
  free(options);
}

hcs_http_options *http_options_copy(const hcs_http_options *options) {
  hcs_http_options *copy = hcs_http_options_create();
  if (copy == NULL) return NULL;
  copy->allow_loopback = options->allow_loopback;
  copy->gate = options->gate;
  copy->gate_context = options->gate_context;
  for (int option = 0; option < HCS_HTTP_TEXT_OPTIONS; option++) {
    const char *text = options->text[option];
    if (text == NULL) continue;
    if (hcs_http_options_text(copy, option, (const uint8_t *)text, strlen(text)) != 0) {
      hcs_http_options_destroy(copy);
      return NULL;
    }
  }
  return copy;
}

/* ---- Requests --------------------------------------------------------------------------------------------------- */

enum { DEFAULT_CONNECT = 10000, DEFAULT_TOTAL = 60000, DEFAULT_RESPONSE = 4 << 20 };

hcs_http_request *hcs_http_request_create(
    uint64_t id, const uint8_t *method, size_t method_length, const uint8_t *url, size_t url_length) {
  if (!is_token(method, method_length) || !is_plain(url, url_length)) return NULL;
  hcs_http_request *request = calloc(1, sizeof *request);
  if (request == NULL) return NULL;
  request->id = id;
  request->last_header = &request->headers;
  request->connect_milliseconds = DEFAULT_CONNECT;
  request->total_milliseconds = DEFAULT_TOTAL;
  request->response_bytes = DEFAULT_RESPONSE;
  request->method = hcs_text_copy(method, method_length);
  request->url = hcs_text_copy(url, url_length);
  if (request->method == NULL || request->url == NULL) {
    hcs_http_request_destroy(request);
    return NULL;
  }
  return request;
}

static int is_name(const char *known, const uint8_t *name, size_t length) {
  return strlen(known) == length && strncasecmp(known, (const char *)name, length) == 0;
}

/* Headers that say where a message goes and ends are libcurl's to write. */
static int is_framing(const uint8_t *name, size_t length) {
  static const char *const names[] = {"connection", "content-length", "expect",           "host", "keep-alive",
                                      "te",         "trailer",        "transfer-encoding", "upgrade"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    if (is_name(names[index], name, length)) return 1;
  }
  return 0;
}

static int add_line(hcs_http_request *request, char *line) {
  request_header *header = line == NULL ? NULL : malloc(sizeof *header);
  if (header == NULL) {
    free(line);
    return HCS_HTTP_NO_MEMORY;
  }
  header->next = NULL;
  header->line = line;
  *request->last_header = header;
  request->last_header = &header->next;
  return HCS_HTTP_OK;
}

int hcs_http_request_header(
    hcs_http_request *request, const uint8_t *name, size_t name_length, const uint8_t *value, size_t value_length) {
  if (!is_token(name, name_length) || is_framing(name, name_length) || !is_plain(value, value_length)) {
    return HCS_HTTP_TEXT_INVALID;
  }
  if (name_length > SIZE_MAX / 4 || value_length > SIZE_MAX / 4) return HCS_HTTP_NO_MEMORY;
  if (is_name("content-type", name, name_length)) request->has_content_type = 1;
  char *line = calloc(1, name_length + value_length + 3);
  if (line == NULL) return HCS_HTTP_NO_MEMORY;
  memcpy(line, name, name_length);
  /* libcurl takes "Name:" for "leave that header out" and "Name;" for an empty one. */
  memcpy(line + name_length, value_length > 0 ? ": " : ";", value_length > 0 ? 2 : 1);
  if (value_length > 0) memcpy(line + name_length + 2, value, value_length);
  return add_line(request, line);
}

void hcs_http_request_body(hcs_http_request *request, hcs_body *body) {
  hcs_body_destroy(request->body);
  request->body = body;
}

void hcs_http_request_limits(
    hcs_http_request *request, int64_t connect_milliseconds, int64_t total_milliseconds, size_t response_bytes) {
  request->connect_milliseconds = connect_milliseconds;
  request->total_milliseconds = total_milliseconds;
  request->response_bytes = response_bytes;
}

void hcs_http_request_money(hcs_http_request *request) { request->money = 1; }

void hcs_http_request_destroy(hcs_http_request *request) {
  if (request == NULL) return;
  while (request->headers != NULL) {
    request_header *gone = request->headers;
    request->headers = gone->next;
    free(gone->line);
    free(gone);
  }
  hcs_body_destroy(request->body);
  free(request->method);
  free(request->url);
  free(request);
}
