#include "curl_reading.h"

#include <ctype.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

/* A part that does not fit is no part: the reading counts as refused. */
static bool take(CURLU *handle, CURLUPart part, unsigned int flags, char *into, size_t size) {
  char *text = NULL;
  if (curl_url_get(handle, part, &text, flags) != CURLUE_OK || text == NULL) return false;
  size_t length = strlen(text);
  bool fits = length < size;
  for (size_t index = 0; fits && index <= length; index++) into[index] = (char)tolower((unsigned char)text[index]);
  curl_free(text);
  return fits;
}

curl_reading curl_reading_of(const char *url) {
  curl_reading reading = {.is_refused = true, .port = -1};
  char port[16] = "";
  CURLU *handle = curl_url();
  if (handle == NULL) return reading;
  /* The flags with which a transfer reads CURLOPT_URL. */
  unsigned int flags = CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME;
  if (curl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK &&
      take(handle, CURLUPART_SCHEME, 0, reading.scheme, sizeof reading.scheme) &&
      take(handle, CURLUPART_HOST, 0, reading.host, sizeof reading.host) && reading.host[0] != '\0') {
    reading.is_refused = false;
    if (take(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT, port, sizeof port)) reading.port = atoi(port);
  }
  curl_url_cleanup(handle);
  return reading;
}

const char *curl_reading_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }
