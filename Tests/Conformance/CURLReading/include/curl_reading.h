/* Where libcurl would connect to for a URL, by its own URL API. */
#ifndef CURL_READING_H
#define CURL_READING_H

#include <stdbool.h>

typedef struct curl_reading {
  bool is_refused;
  char scheme[64];
  /* In small letters; an IPv6 address with its brackets. */
  char host[1024];
  /* The scheme's own port when none is written; -1 when the scheme has none. */
  int port;
} curl_reading;

/* Reads as curl_easy_perform does. */
curl_reading curl_reading_of(const char *url);

/* "7.88.1": the library that reads. */
const char *curl_reading_version(void);

#endif
