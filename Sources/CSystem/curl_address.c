#define _GNU_SOURCE
#include "curl_address.h"

#include "csystem.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

static int is_loopback_v4(const struct in_addr *address) { return ntohl(address->s_addr) >> 24 == 127; }

static int is_loopback_v6(const struct in6_addr *address) { return IN6_IS_ADDR_LOOPBACK(address); }

/* A numeric address as libcurl normalises it: "127.0.0.1" or "[::1]". */
static int is_loopback_literal(const char *host) {
  struct in_addr four;
  if (inet_pton(AF_INET, host, &four) == 1) return is_loopback_v4(&four);
  size_t length = strlen(host);
  char inner[INET6_ADDRSTRLEN];
  if (length < 3 || length - 2 >= sizeof inner || host[0] != '[' || host[length - 1] != ']') return 0;
  memcpy(inner, host + 1, length - 2);
  inner[length - 2] = 0;
  struct in6_addr six;
  return inet_pton(AF_INET6, inner, &six) == 1 && is_loopback_v6(&six);
}

/* The name must not be looked up: a resolver could say anything. */
static int pin_localhost(http_address *address, const char *host) {
  char *port = NULL;
  if (curl.url_get(address->url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) != CURLUE_OK) return HCS_HTTP_URL_INVALID;
  static const char format[] = "%s:%s:127.0.0.1,[::1]";
  int length = snprintf(NULL, 0, format, host, port);
  address->pin = length < 0 ? NULL : malloc((size_t)length + 1);
  if (address->pin != NULL) snprintf(address->pin, (size_t)length + 1, format, host, port);
  curl.free(port);
  return address->pin == NULL ? HCS_HTTP_NO_MEMORY : HCS_HTTP_OK;
}

static int judge(http_address *address, const char *scheme, const char *host, int allow_loopback) {
  address->secure = strcasecmp(scheme, "https") == 0;
  if (address->secure) return HCS_HTTP_OK;
  if (!allow_loopback || strcasecmp(scheme, "http") != 0) return HCS_HTTP_URL_REFUSED;
  if (is_loopback_literal(host)) return HCS_HTTP_OK;
  return strcasecmp(host, "localhost") == 0 ? pin_localhost(address, host) : HCS_HTTP_URL_REFUSED;
}

int address_read(const char *text, int allow_loopback, http_address *address) {
  *address = (http_address){NULL, 0, NULL};
  address->url = curl.url();
  if (address->url == NULL) return HCS_HTTP_NO_MEMORY;
  char *scheme = NULL;
  char *host = NULL;
  int result = HCS_HTTP_URL_INVALID;
  /* No scheme is guessed, and none but libcurl's own is let through. */
  if (curl.url_set(address->url, CURLUPART_URL, text, CURLU_DISALLOW_USER) == CURLUE_OK &&
      curl.url_get(address->url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
      curl.url_get(address->url, CURLUPART_HOST, &host, 0) == CURLUE_OK) {
    result = judge(address, scheme, host, allow_loopback);
  }
  curl.free(scheme);
  curl.free(host);
  if (result != HCS_HTTP_OK) address_forget(address);
  return result;
}

void address_forget(http_address *address) {
  if (address->url != NULL) curl.url_cleanup(address->url);
  free(address->pin);
  *address = (http_address){NULL, 0, NULL};
}

static int is_loopback_target(const struct curl_sockaddr *target) {
  if (target->family == AF_INET) {
    struct sockaddr_in four;
    memcpy(&four, &target->addr, sizeof four);
    return is_loopback_v4(&four.sin_addr);
  }
  if (target->family != AF_INET6 || target->addrlen < sizeof(struct sockaddr_in6)) return 0;
  /* libcurl keeps the longer addresses in the same place, past what the type admits to. */
  struct in6_addr six;
  memcpy(&six, (const char *)&target->addr + offsetof(struct sockaddr_in6, sin6_addr), sizeof six);
  return is_loopback_v6(&six);
}

curl_socket_t address_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *target) {
  const http_address *address = context;
  if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKET_BAD;
  if (!address->secure && !is_loopback_target(target)) return CURL_SOCKET_BAD;
  return socket(target->family, target->socktype | SOCK_CLOEXEC, target->protocol);
}
