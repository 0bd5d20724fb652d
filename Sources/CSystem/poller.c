#define _GNU_SOURCE
#include "csystem.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { BATCH = 64 }; /* most events taken by one wait; the rest are still there for the next */
enum { KNOWN = 16 }; /* sockets of which it is known that they are watched; more are found out about */

struct hcs_poller {
  int epoll;
  int timer;
  int event;
  int64_t deadline; /* what the timer is set to; negative: to nothing */
  int known[KNOWN];
  int known_count;
};

static int watch(int epoll, int fd, uint32_t events) {
  struct epoll_event event = {.events = events, .data.fd = fd};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0) return 0;
  if (errno != EEXIST) return -1;
  return epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
}

static int *place_of(hcs_poller *poller, int fd) {
  for (int index = 0; index < poller->known_count; index++) {
    if (poller->known[index] == fd) return &poller->known[index];
  }
  return NULL;
}

/* A socket that was watched before. One that was closed meanwhile has left by itself, and its number be another's. */
static int watch_again(int epoll, int fd, uint32_t events) {
  struct epoll_event event = {.events = events, .data.fd = fd};
  return epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0 ? 0 : watch(epoll, fd, events);
}

hcs_poller *hcs_poller_create(int event_descriptor) {
  hcs_poller *poller = malloc(sizeof *poller);
  if (poller == NULL) return NULL;
  poller->event = event_descriptor;
  poller->deadline = -1;
  poller->known_count = 0;
  poller->epoll = epoll_create1(EPOLL_CLOEXEC);
  poller->timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (poller->epoll < 0 || poller->timer < 0 || watch(poller->epoll, poller->timer, EPOLLIN) != 0 ||
      (event_descriptor >= 0 && watch(poller->epoll, event_descriptor, EPOLLIN) != 0)) {
    hcs_poller_destroy(poller);
    return NULL;
  }
  return poller;
}

int hcs_poller_listen(hcs_poller *poller, int event_descriptor) {
  if (event_descriptor < 0 || watch(poller->epoll, event_descriptor, EPOLLIN) != 0) return -1;
  poller->event = event_descriptor;
  return 0;
}

void hcs_poller_destroy(hcs_poller *poller) {
  if (poller == NULL) return;
  if (poller->timer >= 0) close(poller->timer);
  if (poller->epoll >= 0) close(poller->epoll);
  free(poller);
}

int hcs_poller_descriptor(hcs_poller *poller) { return poller->epoll; }

int hcs_poller_watch(hcs_poller *poller, int fd, int mask) {
  uint32_t events = 0;
  if (mask & HCS_READ) events |= EPOLLIN;
  if (mask & HCS_WRITE) events |= EPOLLOUT;
  int *place = place_of(poller, fd);
  if (events != 0) {
    if (place != NULL) return watch_again(poller->epoll, fd, events);
    if (poller->known_count < KNOWN) poller->known[poller->known_count++] = fd;
    return watch(poller->epoll, fd, events);
  }
  if (place != NULL) *place = poller->known[--poller->known_count];
  /* A descriptor that was closed first has left by itself. */
  epoll_ctl(poller->epoll, EPOLL_CTL_DEL, fd, NULL);
  return 0;
}

void hcs_poller_deadline(hcs_poller *poller, int64_t boot_milliseconds) {
  if (boot_milliseconds < 0) boot_milliseconds = -1;
  if (boot_milliseconds == poller->deadline) return;
  struct itimerspec when = {{0, 0}, {0, 0}};
  if (boot_milliseconds >= 0) {
    when.it_value.tv_sec = (time_t)(boot_milliseconds / 1000);
    when.it_value.tv_nsec = (long)(boot_milliseconds % 1000) * 1000000;
    /* All zero would switch the timer off. */
    if (boot_milliseconds == 0) when.it_value.tv_nsec = 1;
  }
  if (timerfd_settime(poller->timer, TFD_TIMER_ABSTIME, &when, NULL) == 0) poller->deadline = boot_milliseconds;
}

/* Reads a counter descriptor empty; 1 when there was something. */
static int drain(int fd) {
  uint64_t count;
  ssize_t got;
  do got = read(fd, &count, sizeof count);
  while (got < 0 && errno == EINTR);
  return got == (ssize_t)sizeof count;
}

static int mask_of(uint32_t events) {
  int mask = 0;
  if (events & EPOLLIN) mask |= HCS_READ;
  if (events & EPOLLOUT) mask |= HCS_WRITE;
  if (events & (EPOLLERR | EPOLLHUP)) mask |= HCS_READ | HCS_WRITE;
  return mask;
}

int hcs_poller_wait(
    hcs_poller *poller, int timeout_milliseconds, hcs_ready *ready, int capacity, int *woken, int *expired) {
  struct epoll_event events[BATCH];
  *woken = 0;
  *expired = 0;
  int wanted = capacity < 1 ? 1 : capacity > BATCH ? BATCH : capacity;
  int count = epoll_wait(poller->epoll, events, wanted, timeout_milliseconds < 0 ? -1 : timeout_milliseconds);
  if (count < 0) return errno == EINTR ? -1 : 0;
  int sockets = 0;
  for (int index = 0; index < count; index++) {
    int fd = events[index].data.fd;
    if (fd == poller->timer) {
      if (drain(fd)) {
        *expired = 1;
        poller->deadline = -1;
      }
    } else if (fd == poller->event) {
      if (drain(fd)) *woken = 1;
    } else if (sockets < capacity) {
      ready[sockets].fd = fd;
      ready[sockets].mask = mask_of(events[index].events);
      sockets++;
    }
  }
  /* Perhaps there are more. A host's loop that is told of edges only would not hear of them: this is one. */
  if (count == wanted) hcs_event_signal(poller->event);
  return sockets;
}

void hcs_event_signal(int event_descriptor) {
  if (event_descriptor < 0) return;
  int saved = errno;
  uint64_t one = 1;
  ssize_t put;
  do put = write(event_descriptor, &one, sizeof one);
  while (put < 0 && errno == EINTR);
  errno = saved;
}
