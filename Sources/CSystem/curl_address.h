/* Where a request may go. libcurl's own reading of the URL decides, since libcurl is who connects. */
#ifndef CSYSTEM_CURL_ADDRESS_H
#define CSYSTEM_CURL_ADDRESS_H

#include "curl_library.h"

typedef struct {
  CURLU *url;  /* what libcurl is given; the address's until address_forget */
  int secure;  /* https */
  char *pin;   /* "localhost:80:127.0.0.1,[::1]" for CURLOPT_RESOLVE, or NULL */
} http_address;

#pragma GCC visibility push(hidden)

/* HCS_HTTP_OK, _URL_INVALID, _URL_REFUSED or _NO_MEMORY. */
int address_read(const char *text, int allow_loopback, http_address *address);
void address_forget(http_address *address);

/* For CURLOPT_OPENSOCKETFUNCTION, with the address as context: plain http reaches this machine only, whatever a name
 * was resolved to, and no socket is inherited by a program that the host starts. */
curl_socket_t address_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *target);

#pragma GCC visibility pop
#endif
