/* The one file that outlives the host: its latest checkpoint. */
#ifndef STORE_H
#define STORE_H

#include <jansson.h>
#include <stdbool.h>

/* Called between the steps of a write, where a kill is most telling. */
typedef void store_step(void *user, const char *what);

/* The stored snapshot, yours by free; NULL when nothing was ever stored. */
char *store_read(const char *path);

/*
 * Writes beside, syncs and renames: a kill leaves the old snapshot or the new one, never half of one. A snapshot of a
 * lower revision than the stored one is left alone, and that is no failure: what is stored is later.
 */
bool store_write(const char *path, const char *snapshot, store_step *step, void *user);

#endif
