/*
 * Every function of the header in one shape, so that the conventions can be asked of all of them. A check in
 * check_dist.sh keeps the table as long as the header.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <headless_checkout.h>
#include <stdbool.h>

typedef enum owner { OF_RUNTIME, OF_CHECKOUT } owner;

/* What the last call left in its other out parameters. */
typedef struct outs {
  bool are_clear;
} outs;

typedef struct function {
  const char *name;
  owner owner;
  /* It reads a JSON text of the host's. */
  bool reads_json;
  /* `{}` is a fine request. */
  bool takes_nothing;
  /* It works after teardown. */
  bool is_read;
  /* A key that the function knows, with a value of the wrong type; NULL when it reads none. */
  const char *wrong_type;
  /* Members that can be read; NULL when it knows none. */
  const char *fine;
  /* `text` is its request, answer, snapshot or URL. */
  hco_status (*call)(void *handle, const char *text, char **reply, outs *outs);
} function;

/* What hco_restore is given beside the request. */
extern const char *restore_snapshot;

extern const function functions[];
extern const int function_count;

#endif
