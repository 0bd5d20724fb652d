#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

/* What stands for the session's id in the file: its last twelve digits become a number that rises. */
static const char id_start[] = "\"id\":\"76fc12e0-2226-438b-b053-";

static char *text;
static char *id_digits;

void session_load(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) give_up("cannot read %s", path);
  long length = ftell(file);
  rewind(file);
  text = calloc(1, (size_t)length + 1);
  if (text == NULL || fread(text, 1, (size_t)length, file) != (size_t)length) give_up("cannot read %s", path);
  fclose(file);
  id_digits = strstr(text, id_start);
  if (id_digits == NULL) give_up("%s has another session id", path);
  id_digits += strlen(id_start);
}

static size_t put_base64(char *at, const char *bytes, size_t length) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *start = at;
  for (size_t index = 0; index < length; index += 3) {
    size_t left = length - index;
    unsigned value = (unsigned)(unsigned char)bytes[index] << 16;
    if (left > 1) value |= (unsigned)(unsigned char)bytes[index + 1] << 8;
    if (left > 2) value |= (unsigned char)bytes[index + 2];
    *at++ = letters[value >> 18];
    *at++ = letters[value >> 12 & 63];
    *at++ = left > 1 ? letters[value >> 6 & 63] : '=';
    *at++ = left > 2 ? letters[value & 63] : '=';
  }
  return (size_t)(at - start);
}

char *session_request(const char *payment_root, const char *time_root) {
  static unsigned next;
  char digits[16];
  snprintf(digits, sizeof digits, "%012u", ++next);
  memcpy(id_digits, digits, 12);
  size_t length = strlen(text);
  char *request = malloc(length / 3 * 4 + 4 + strlen(payment_root) + strlen(time_root) + 100);
  if (request == NULL) give_up("out of memory");
  char *at = request + sprintf(request, "{\"widgetData\":\"");
  at += put_base64(at, text, length);
  sprintf(at, "\",\"apiPaths\":{\"payment\":\"%s\",\"datetime\":\"%s\"}}", payment_root, time_root);
  return request;
}

void must(const char *what, hco_status status, char *reply) {
  if (status != HCO_OK) give_up("%s: %s %s", what, hco_status_name(status), reply == NULL ? "" : reply);
  hco_free(reply);
}
