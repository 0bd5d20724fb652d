/* Which process this is, and the locks that belong to it rather than to an object. */
#ifndef CSYSTEM_PROCESS_H
#define CSYSTEM_PROCESS_H

#include <stdint.h>

enum { PROCESS_LOCK_REGISTRY, PROCESS_LOCK_LIBRARY, PROCESS_LOCKS };

#pragma GCC visibility push(hidden)

/* A number for this process, other than that of any process it was forked from; 0 before the first lock is taken.
 * Takes no lock and is async-signal-safe. */
uint64_t process_epoch(void);

void process_lock(int lock);
void process_unlock(int lock);

/* What a new process has to put right in the handle table, which it inherited at a random moment. */
void handles_after_fork(void);

#pragma GCC visibility pop
#endif
