#define _POSIX_C_SOURCE 200809L
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *store_read(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = NULL;
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  rewind(file);
  if (length > 0) text = calloc(1, (size_t)length + 1);
  if (text != NULL && fread(text, 1, (size_t)length, file) != (size_t)length) {
    free(text);
    text = NULL;
  }
  fclose(file);
  return text;
}

static json_int_t revision_of(const char *snapshot) {
  json_t *document = snapshot == NULL ? NULL : json_loads(snapshot, 0, NULL);
  json_int_t revision = json_integer_value(json_object_get(document, "revision"));
  json_decref(document);
  return document == NULL ? -1 : revision;
}

bool store_write(const char *path, const char *snapshot, store_step *step, void *user) {
  char beside[512];
  char *stored = store_read(path);
  bool is_older = revision_of(snapshot) < revision_of(stored);
  free(stored);
  if (is_older) return true;
  snprintf(beside, sizeof beside, "%s.new", path);
  FILE *file = fopen(beside, "w");
  if (file == NULL) return false;
  bool is_written = fputs(snapshot, file) >= 0 && fflush(file) == 0;
  step(user, "written");
  is_written = is_written && fsync(fileno(file)) == 0;
  is_written = fclose(file) == 0 && is_written;
  step(user, "synced");
  if (!is_written || rename(beside, path) != 0) return false;
  step(user, "renamed");
  return true;
}
