#include "measure.h"

#include <headless_checkout.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

double wall_now(void) { return now(CLOCK_MONOTONIC); }

double thread_now(void) { return now(CLOCK_THREAD_CPUTIME_ID); }

sample sample_make(size_t capacity) {
  sample sample = {.capacity = capacity};
  sample.ours = calloc(capacity, sizeof *sample.ours);
  sample.floor = calloc(capacity, sizeof *sample.floor);
  if (sample.ours == NULL || sample.floor == NULL) give_up("out of memory");
  return sample;
}

void sample_add(sample *sample, double ours, double floor) {
  if (sample->count == sample->capacity) give_up("more figures than room");
  sample->ours[sample->count] = ours;
  sample->floor[sample->count] = floor;
  sample->count += 1;
}

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median(double *values, size_t count) {
  qsort(values, count, sizeof *values, by_value);
  return values[count / 2];
}

void sample_print(sample *sample, const char *name, const char *target) {
  if (sample->count == 0) give_up("%s was not measured", name);
  double ours = median(sample->ours, sample->count);
  double floor = median(sample->floor, sample->count);
  const char *flavour = getenv("BENCH_FLAVOUR");
  printf("bench: %s ours=%.2fus floor=%.2fus ratio=%.2f", name, ours, floor, ours / floor);
  if (target != NULL) printf(" target=%s", target);
  printf(" flavour=%s\n", flavour == NULL ? "unknown" : flavour);
  free(sample->ours);
  free(sample->floor);
}

void give_up(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}
