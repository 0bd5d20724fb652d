#include "csystem.h"

#include <pthread.h>
#include <stdlib.h>

struct hcs_lock {
  pthread_mutex_t mutex;
};

hcs_lock *hcs_lock_create(void) {
  hcs_lock *lock = malloc(sizeof *lock);
  if (lock == NULL) return NULL;
  if (pthread_mutex_init(&lock->mutex, NULL) != 0) {
    free(lock);
    return NULL;
  }
  return lock;
}

void hcs_lock_destroy(hcs_lock *lock) {
  if (lock == NULL) return;
  pthread_mutex_destroy(&lock->mutex);
  free(lock);
}

void hcs_lock_acquire(hcs_lock *lock) { pthread_mutex_lock(&lock->mutex); }

void hcs_lock_release(hcs_lock *lock) { pthread_mutex_unlock(&lock->mutex); }
