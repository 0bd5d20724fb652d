#define _GNU_SOURCE
#include "probe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed;

void check(int holds, const char *file, int line, const char *text) {
  if (holds) return;
  failed++;
  const char *name = strrchr(file, '/');
  printf("%s:%d: %s\n", name == NULL ? file : name + 1, line, text);
  fflush(stdout);
}

int failures(void) { return failed; }

/* As a shell would have started it, whatever the test's own thread blocks. */
static void become_ordinary(void) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGALRM, SIG_DFL);
  alarm(60);
}

int main(int count, char **arguments) {
  const char *scenario = count > 1 ? arguments[1] : "";
  int port = count > 2 ? atoi(arguments[2]) : 0;
  become_ordinary();
  if (strcmp(scenario, "hygiene") == 0) scenario_hygiene(port);
  else if (strcmp(scenario, "pending") == 0) scenario_pending(port);
  else if (strcmp(scenario, "threads") == 0) scenario_threads(port);
  else if (strcmp(scenario, "slow-names") == 0) scenario_slow_names();
  else if (strcmp(scenario, "load") == 0) scenario_load();
  else if (strcmp(scenario, "forks") == 0) scenario_forks(port);
  else if (strcmp(scenario, "forks-under-load") == 0) scenario_forks_under_load();
  else if (strcmp(scenario, "secrets-in-child") == 0) scenario_secrets_in_child();
  else if (strcmp(scenario, "table") == 0) scenario_table();
  else if (strcmp(scenario, "wake") == 0) scenario_wake();
  else return 2;
  return failed > 0;
}
