#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <pthread.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static int64_t milliseconds(clockid_t clock) {
  struct timespec now = {0, 0};
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t hcs_boot_milliseconds(void) { return milliseconds(CLOCK_BOOTTIME); }

int64_t hcs_wall_milliseconds(void) { return milliseconds(CLOCK_REALTIME); }

int hcs_random(void *out, size_t length) {
  unsigned char *next = out;
  while (length > 0) {
    ssize_t got = getrandom(next, length, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      return -1;
    }
    next += got;
    length -= (size_t)got;
  }
  return 0;
}

int32_t hcs_process(void) { return (int32_t)getpid(); }

uint64_t hcs_thread(void) { return (uint64_t)pthread_self(); }
