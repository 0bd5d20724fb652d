/* Checks of the C shim that need a process of their own: signals, forks, threads, descriptors. A scenario is a word on
 * the command line; each check that fails is a line on standard output. */
#ifndef CSYSTEM_PROBE_H
#define CSYSTEM_PROBE_H

#include "csystem.h"

#include <stdint.h>

#define CHECK(condition) check((condition) != 0, __FILE__, __LINE__, #condition)
void check(int holds, const char *file, int line, const char *text);
int failures(void);

int thread_count(void);
int descriptor_count(void);

/* A client with its poller, and what the gate is to do. */
typedef struct {
  hcs_poller *poller;
  hcs_http *http;
  int breaks_a_pipe; /* the gate writes to a pipe that nobody reads, inside of libcurl's call */
  char error[256];
} client;

int client_open(client *made);
void client_close(client *gone);
/* Sends a request to 127.0.0.1 and answers the status; -1 when it was not complete. */
int client_get(client *through, int port, int money);
/* Starts a request to a URL and pumps until it has ended; its libcurl code. */
int client_run(client *through, const char *url, int64_t milliseconds);

void scenario_hygiene(int port);
void scenario_pending(int port);
void scenario_threads(int port);
void scenario_slow_names(void);
void scenario_load(void);
void scenario_forks(int port);
void scenario_forks_under_load(void);
void scenario_secrets_in_child(void);
void scenario_table(void);
void scenario_wake(void);

#endif
