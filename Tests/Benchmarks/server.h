/* A back end of its own process that answers at once, and keeps the last payment request for whoever wants the same. */
#ifndef SERVER_H
#define SERVER_H

#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

enum { LARGEST_REQUEST = 16384 };

/* Shared with the server's process. Times are counted once answered, payments before it. */
typedef struct journal {
  atomic_uint times, payments;
  size_t length;
  char request[LARGEST_REQUEST]; /* of the last payment: head and body, NUL-terminated */
} journal;

typedef struct server {
  pid_t process;
  int port;
  journal *journal;
} server;

/* Forks, so it comes first in a program. */
server server_start(void);
void server_stop(server *server);

#endif
