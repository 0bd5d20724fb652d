#include "curl_transfer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- The last look --------------------------------------------------------------------------------------------- */

static int before_request(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port) {
  (void)remote_address, (void)local_address, (void)remote_port, (void)local_port;
  transfer *self = context;
  if (self->left) {
    if (!self->request->money) return CURL_PREREQFUNC_OK;
    self->resent = 1;
    return CURL_PREREQFUNC_ABORT;
  }
  const hcs_http_options *options = self->common->options;
  if (options->gate != NULL) {
    self->common->in_gate = 1;
    int may_leave = options->gate(options->gate_context, self->request->id);
    self->common->in_gate = 0;
    if (!may_leave) {
      self->refused = 1;
      return CURL_PREREQFUNC_ABORT;
    }
  }
  self->left = 1;
  self->left_at = hcs_boot_milliseconds();
  return CURL_PREREQFUNC_OK;
}

/* ---- The answer ------------------------------------------------------------------------------------------------- */

enum { MOST_HEADER_BYTES = 256 << 10, LONGEST_HEADER = 1024 };

static void forget_headers(transfer *self) {
  for (int index = 0; index < HEADERS_KEPT; index++) {
    free(self->kept[index]);
    self->kept[index] = NULL;
  }
}

/* The three digits of "HTTP/1.1 200 OK"; 0 when they are not there. */
static long status_of(const char *line, size_t length) {
  size_t index = 0;
  while (index < length && line[index] != ' ') index++;
  while (index < length && line[index] == ' ') index++;
  if (length - index < 3) return 0;
  long status = 0;
  for (size_t digit = index; digit < index + 3; digit++) {
    if (line[digit] < '0' || line[digit] > '9') return 0;
    status = status * 10 + (line[digit] - '0');
  }
  return status;
}

static void keep_header(transfer *self, const char *line, size_t length) {
  static const char *const names[HEADERS_KEPT] = {"date", "content-type", "retry-after"};
  for (int index = 0; index < HEADERS_KEPT; index++) {
    size_t name = strlen(names[index]);
    if (length <= name || line[name] != ':' || strncasecmp(line, names[index], name) != 0) continue;
    size_t start = name + 1;
    size_t end = length;
    while (start < end && (line[start] == ' ' || line[start] == '\t')) start++;
    while (end > start && (unsigned char)line[end - 1] <= ' ') end--;
    if (self->kept[index] != NULL || end - start > LONGEST_HEADER) return;
    self->kept[index] = hcs_text_copy((const uint8_t *)line + start, end - start);
    return;
  }
}

static size_t read_header(char *line, size_t size, size_t count, void *context) {
  transfer *self = context;
  size_t length = size * count;
  self->header_bytes += length;
  if (self->header_bytes > MOST_HEADER_BYTES) {
    self->too_large = 1;
    return 0;
  }
  if (self->headers_complete) return length; /* trailers */
  if (length >= 5 && strncasecmp(line, "HTTP/", 5) == 0) {
    forget_headers(self);
    self->status_read = status_of(line, length) >= 200;
  } else if (length <= 2 && line[length - 1] == '\n' && (length == 1 || line[0] == '\r')) {
    if (!self->status_read) return length; /* of an interim answer */
    self->headers_complete = 1;
    self->answered_at = hcs_boot_milliseconds();
  } else {
    keep_header(self, line, length);
  }
  return length;
}

/* Doubles up to the cap, so that a length that a server only claims costs nothing. */
static int reserve(transfer *self, size_t needed) {
  if (needed <= self->body_capacity) return 0;
  size_t capacity = self->body_capacity == 0 ? 4096 : self->body_capacity;
  while (capacity < needed) capacity *= 2;
  uint8_t *grown = realloc(self->body, capacity);
  if (grown == NULL) return -1;
  self->body = grown;
  self->body_capacity = capacity;
  return 0;
}

static size_t read_body(char *bytes, size_t size, size_t count, void *context) {
  transfer *self = context;
  size_t length = size * count;
  if (length > self->request->response_bytes || self->body_length > self->request->response_bytes - length) {
    self->too_large = 1;
    return 0;
  }
  if (reserve(self, self->body_length + length) != 0) {
    self->out_of_memory = 1;
    return 0;
  }
  memcpy(self->body + self->body_length, bytes, length);
  self->body_length += length;
  return length;
}

/* ---- Sockets ----------------------------------------------------------------------------------------------------- */

static int close_later(void *context, curl_socket_t socket) {
  transfer_common *common = context;
  if (common->closing_count == MOST_CLOSING) return close(socket);
  common->closing[common->closing_count++] = socket;
  return 0;
}

void transfer_close_sockets(transfer_common *common) {
  for (size_t index = 0; index < common->closing_count; index++) close(common->closing[index]);
  common->closing_count = 0;
}

/* ---- Setting libcurl up ------------------------------------------------------------------------------------------ */

/* Numbers of options that headers older than the library at run time do not have, or call deprecated. */
enum { OPTION_PROTOCOLS = 181, OPTION_PROTOCOLS_STR = 10318, OPTION_QUICK_EXIT = 322 };

static int set_number(CURL *easy, int option, long value) {
  return curl.easy_setopt(easy, (CURLoption)option, value) != CURLE_OK;
}

static int set_pointer(CURL *easy, int option, const void *value) {
  return curl.easy_setopt(easy, (CURLoption)option, value) != CURLE_OK;
}

static int set_function(CURL *easy, int option, void (*value)(void)) {
  return curl.easy_setopt(easy, (CURLoption)option, value) != CURLE_OK;
}

static long bounded(int64_t milliseconds) {
  return milliseconds < 1 ? 1 : milliseconds > INT_MAX ? INT_MAX : (long)milliseconds;
}

static int set_protocols(CURL *easy, int secure) {
  if (!set_pointer(easy, OPTION_PROTOCOLS_STR, secure ? "https" : "http")) return 0;
  return set_number(easy, OPTION_PROTOCOLS, secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP);
}

static int goes_through_proxy(const transfer *self) {
  return self->address.secure && self->common->options->text[HCS_HTTP_PROXY] != NULL;
}

/* Whom it talks to, and that it talks to nobody else. Non-zero: libcurl would not have it. */
static int set_peer(transfer *self) {
  CURL *easy = self->easy;
  char *const *text = self->common->options->text;
  int failed = set_pointer(easy, CURLOPT_CURLU, self->address.url);
  failed |= set_protocols(easy, self->address.secure);
  failed |= set_function(easy, CURLOPT_OPENSOCKETFUNCTION, (void (*)(void))address_open_socket);
  failed |= set_pointer(easy, CURLOPT_OPENSOCKETDATA, &self->address);
  failed |= set_function(easy, CURLOPT_CLOSESOCKETFUNCTION, (void (*)(void))close_later);
  failed |= set_pointer(easy, CURLOPT_CLOSESOCKETDATA, self->common); /* a connection outlives its transfer */
  if (self->address.pin != NULL) {
    self->pins = curl.slist_append(NULL, self->address.pin);
    failed |= self->pins == NULL || set_pointer(easy, CURLOPT_RESOLVE, self->pins);
  }
  failed |= set_number(easy, CURLOPT_FOLLOWLOCATION, 0);
  failed |= set_number(easy, CURLOPT_HTTPAUTH, 0);
  /* Empty texts, not absent ones: those would make libcurl ask the environment. */
  failed |= set_pointer(easy, CURLOPT_PROXY, goes_through_proxy(self) ? text[HCS_HTTP_PROXY] : "");
  failed |= set_pointer(easy, CURLOPT_NOPROXY, "");
  failed |= set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1);
  return failed;
}

static int set_tls(transfer *self) {
  CURL *easy = self->easy;
  char *const *text = self->common->options->text;
  int failed = set_number(easy, CURLOPT_SSL_VERIFYPEER, 1);
  failed |= set_number(easy, CURLOPT_SSL_VERIFYHOST, 2);
  failed |= set_number(easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
  if (text[HCS_HTTP_CA_FILE] != NULL) {
    failed |= set_pointer(easy, CURLOPT_CAINFO, text[HCS_HTTP_CA_FILE]);
    /* Instead of the system's authorities, not besides them. A TLS library without such folders says no. */
    set_pointer(easy, CURLOPT_CAPATH, NULL);
  }
  if (text[HCS_HTTP_CLIENT_CERTIFICATE] != NULL) {
    failed |= set_pointer(easy, CURLOPT_SSLCERT, text[HCS_HTTP_CLIENT_CERTIFICATE]);
  }
  if (text[HCS_HTTP_CLIENT_KEY] != NULL) failed |= set_pointer(easy, CURLOPT_SSLKEY, text[HCS_HTTP_CLIENT_KEY]);
  if (text[HCS_HTTP_CLIENT_KEY_PASSWORD] != NULL) {
    failed |= set_pointer(easy, CURLOPT_KEYPASSWD, text[HCS_HTTP_CLIENT_KEY_PASSWORD]);
  }
  return failed;
}

static int add_header(transfer *self, const char *line) {
  struct curl_slist *longer = curl.slist_append(self->headers, line);
  if (longer == NULL) return 1;
  self->headers = longer;
  return 0;
}

/* A POST has one, if an empty one. */
static int has_body(const hcs_http_request *request) {
  return request->body != NULL || strcmp(request->method, "POST") == 0;
}

static int set_headers(transfer *self) {
  /* With "Expect: 100-continue" a server's 417 would make libcurl send the request again. */
  int failed = add_header(self, "Expect:");
  if (has_body(self->request) && !self->request->has_content_type) failed |= add_header(self, "Content-Type:");
  for (const request_header *each = self->request->headers; each != NULL; each = each->next) {
    failed |= add_header(self, each->line);
  }
  failed |= set_pointer(self->easy, CURLOPT_HTTPHEADER, self->headers);
  const char *agent = self->common->options->text[HCS_HTTP_USER_AGENT];
  if (agent != NULL) failed |= set_pointer(self->easy, CURLOPT_USERAGENT, agent);
  return failed;
}

static int set_method_and_body(transfer *self) {
  CURL *easy = self->easy;
  const char *method = self->request->method;
  if (!has_body(self->request)) {
    if (strcmp(method, "HEAD") == 0) return set_number(easy, CURLOPT_NOBODY, 1);
    int failed = set_number(easy, CURLOPT_HTTPGET, 1);
    return strcmp(method, "GET") == 0 ? failed : failed | set_pointer(easy, CURLOPT_CUSTOMREQUEST, method);
  }
  size_t length = 0;
  const void *bytes = "";
  if (self->request->body != NULL) bytes = hcs_body_bytes(self->request->body, &length);
  int failed = bytes == NULL || set_number(easy, CURLOPT_POST, 1);
  failed |= curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length) != CURLE_OK;
  failed |= set_pointer(easy, CURLOPT_POSTFIELDS, bytes); /* not copied: our pages are what is sent from */
  if (strcmp(method, "POST") != 0) failed |= set_pointer(easy, CURLOPT_CUSTOMREQUEST, method);
  return failed;
}

static int set_course(transfer *self) {
  CURL *easy = self->easy;
  int failed = set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, bounded(self->request->connect_milliseconds));
  failed |= set_number(easy, CURLOPT_TIMEOUT_MS, bounded(self->request->total_milliseconds));
  failed |= set_number(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  failed |= set_function(easy, CURLOPT_PREREQFUNCTION, (void (*)(void))before_request);
  failed |= set_pointer(easy, CURLOPT_PREREQDATA, self);
  failed |= set_function(easy, CURLOPT_HEADERFUNCTION, (void (*)(void))read_header);
  failed |= set_pointer(easy, CURLOPT_HEADERDATA, self);
  failed |= set_function(easy, CURLOPT_WRITEFUNCTION, (void (*)(void))read_body);
  failed |= set_pointer(easy, CURLOPT_WRITEDATA, self);
  failed |= set_pointer(easy, CURLOPT_PRIVATE, self);
  if (self->request->money) {
    /* libcurl sends a request again when a kept connection dies under it. This one never travels on a kept one. */
    failed |= set_number(easy, CURLOPT_FRESH_CONNECT, 1);
    failed |= set_number(easy, CURLOPT_FORBID_REUSE, 1);
  }
  /* From libcurl 7.87 on: a name that takes long to resolve does not hold up the thread that gives up on it. */
  set_number(easy, OPTION_QUICK_EXIT, 1);
  return failed;
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

/* A handle without options but this one: libcurl must not touch the process's SIGPIPE, not even to clean up. */
static CURL *quiet(CURL *easy) {
  if (easy == NULL || set_number(easy, CURLOPT_NOSIGNAL, 1) == 0) return easy;
  curl.easy_cleanup(easy);
  return NULL;
}

/* One that was used before saves making another. */
static CURL *take_handle(transfer_common *common) {
  CURL *spare = common->spare;
  common->spare = NULL;
  return spare != NULL ? spare : quiet(curl.easy_init());
}

static void give_handle(transfer_common *common, CURL *easy) {
  if (common->spare != NULL) {
    curl.easy_cleanup(easy);
  } else {
    curl.easy_reset(easy);
    common->spare = quiet(easy);
  }
}

int transfer_create(hcs_http_request *request, transfer_common *common, transfer **made) {
  transfer *self = calloc(1, sizeof *self);
  if (self == NULL) {
    hcs_http_request_destroy(request);
    return HCS_HTTP_NO_MEMORY;
  }
  self->request = request;
  self->common = common;
  self->left_at = -1;
  self->answered_at = -1;
  int result = address_read(request->url, common->options->allow_loopback, &self->address);
  if (result == HCS_HTTP_OK) {
    self->easy = take_handle(common);
    if (self->easy == NULL) result = HCS_HTTP_NO_MEMORY;
  }
  if (result == HCS_HTTP_OK &&
      (set_peer(self) | set_tls(self) | set_headers(self) | set_method_and_body(self) | set_course(self)) != 0) {
    result = HCS_HTTP_LIBRARY;
  }
  if (result != HCS_HTTP_OK) {
    transfer_destroy(self);
    return result;
  }
  *made = self;
  return HCS_HTTP_OK;
}

/* What the last look let go. libcurl's count of bytes is asked besides, but would count a CONNECT to a proxy too. */
int transfer_has_left(const transfer *running) {
  long request_size = 0;
  if (running->left || goes_through_proxy(running)) return running->left;
  curl.easy_getinfo(running->easy, CURLINFO_REQUEST_SIZE, &request_size);
  return request_size > 0;
}

void transfer_end(transfer *ended, CURLcode code) {
  ended->code = code;
  ended->left = transfer_has_left(ended);
  if (ended->headers_complete) curl.easy_getinfo(ended->easy, CURLINFO_RESPONSE_CODE, &ended->status);
}

static const char *words(const transfer *ended) {
  if (ended->refused) return "the request was not let go";
  if (ended->resent) return "the connection was lost and the request was not sent again";
  if (ended->too_large) return "the answer is larger than allowed";
  if (ended->out_of_memory) return "out of memory";
  if (ended->code != CURLE_OK) return curl.easy_strerror(ended->code);
  return ended->headers_complete ? "" : "the answer ended before its headers did";
}

void transfer_describe(const transfer *ended, hcs_http_result *result) {
  *result = (hcs_http_result){
      .id = ended->request->id,
      .status = (int32_t)ended->status,
      .curl_code = (int32_t)ended->code,
      .left = ended->left,
      .complete = ended->code == CURLE_OK && ended->headers_complete,
      .refused = ended->refused,
      .too_large = ended->too_large,
      .secure = ended->address.secure,
      .resent = ended->resent,
      .left_at = ended->left_at,
      .answered_at = ended->answered_at,
      .date = ended->kept[HEADER_DATE],
      .content_type = ended->kept[HEADER_CONTENT_TYPE],
      .retry_after = ended->kept[HEADER_RETRY_AFTER],
      /* What follows no whole header block is not an answer's body. */
      .body = ended->headers_complete ? ended->body : NULL,
      .body_length = ended->headers_complete ? ended->body_length : 0,
      .error = words(ended),
  };
}

void transfer_destroy(transfer *gone) {
  if (gone->easy != NULL) give_handle(gone->common, gone->easy);
  if (gone->headers != NULL) curl.slist_free_all(gone->headers);
  if (gone->pins != NULL) curl.slist_free_all(gone->pins);
  address_forget(&gone->address);
  hcs_http_request_destroy(gone->request);
  forget_headers(gone);
  free(gone->body);
  free(gone);
}
