/* Clocks, medians, and the one shape in which figures are printed. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

/* Microseconds of the wall, and of this thread's own time, in which nothing else of the machine counts. */
double wall_now(void);
double thread_now(void);

/* Figures of one thing and of its floor, taken in turns. */
typedef struct sample {
  size_t count, capacity;
  double *ours, *floor;
} sample;

sample sample_make(size_t capacity);
void sample_add(sample *sample, double ours, double floor);
/* Prints `bench: NAME ours=..us floor=..us ratio=.. [target=..] flavour=..` from the medians, and frees. */
void sample_print(sample *sample, const char *name, const char *target);

/* Ends the program: something did not run. */
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
