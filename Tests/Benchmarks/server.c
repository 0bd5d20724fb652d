#include "server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

enum { MOST_DESCRIPTORS = 256, BATCH = 16 };

typedef struct connection {
  size_t length;
  char bytes[LARGEST_REQUEST];
} connection;

static connection *connections[MOST_DESCRIPTORS];

static const char payment_answer[] =
    "{\"results\":[{\"id\":\"r1\",\"date\":\"2026-11-30T12:00:00Z\",\"method\":\"creditcard\",\"partner\":\"purse\","
    "\"session_id\":\"s\",\"transaction_id\":\"t1\",\"plugin_result\":{\"status\":\"OK\",\"amount\":120.00},"
    "\"status\":{\"action\":\"AUTHORIZE\",\"state\":\"SUCCESS\",\"code\":\"SUCCEEDED\"}}],\"redirection\":{},"
    "\"global_status\":\"SUCCESS\"}";

static void answer(int descriptor, const char *body) {
  char date[64], text[2048];
  time_t now = time(NULL);
  struct tm parts;
  gmtime_r(&now, &parts);
  strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  static const char format[] =
      "HTTP/1.1 200 OK\r\nDate: %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s";
  int length = snprintf(text, sizeof text, format, date, strlen(body), body);
  if (write(descriptor, text, (size_t)length) != length) _exit(1);
}

static void answer_time(int descriptor) {
  char body[128];
  time_t now = time(NULL);
  struct tm parts;
  gmtime_r(&now, &parts);
  strftime(body, sizeof body, "{\"utc\":\"%a, %d %b %Y %H:%M:%S GMT\",\"iso\":\"%Y-%m-%dT%H:%M:%S.000Z\"}", &parts);
  answer(descriptor, body);
}

/* The bytes of head and body; 0 when they are not all there. */
static size_t whole_request(const connection *from) {
  const char *end = strstr(from->bytes, "\r\n\r\n");
  if (end == NULL) return 0;
  size_t length = (size_t)(end - from->bytes) + 4;
  const char *field = strcasestr(from->bytes, "\r\ncontent-length:");
  if (field != NULL && field < end) length += strtoul(field + strlen("\r\ncontent-length:"), NULL, 10);
  return from->length >= length ? length : 0;
}

static void forget(int descriptor) {
  free(connections[descriptor]);
  connections[descriptor] = NULL;
  close(descriptor);
}

static void serve(int descriptor, journal *journal) {
  connection *from = connections[descriptor];
  ssize_t got = read(descriptor, from->bytes + from->length, sizeof from->bytes - 1 - from->length);
  if (got <= 0) {
    forget(descriptor);
    return;
  }
  from->length += (size_t)got;
  from->bytes[from->length] = '\0';
  if (whole_request(from) == 0) return;
  if (strncmp(from->bytes, "POST ", 5) == 0) {
    /* The balances of saved gift cards are asked for, too. */
    if (strstr(from->bytes, "/validate HTTP/") != NULL) {
      memcpy(journal->request, from->bytes, from->length + 1);
      journal->length = from->length;
      atomic_fetch_add(&journal->payments, 1);
    }
    answer(descriptor, payment_answer);
  } else {
    answer_time(descriptor);
    atomic_fetch_add(&journal->times, 1);
  }
  from->length = 0;
}

static void admit(int epoll, int listener) {
  int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (descriptor < 0) return;
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (descriptor >= MOST_DESCRIPTORS || epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) _exit(1);
  connections[descriptor] = calloc(1, sizeof *connections[descriptor]);
  if (connections[descriptor] == NULL) _exit(1);
}

static _Noreturn void run(int listener, journal *journal) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event ready[BATCH], event = {.events = EPOLLIN, .data.fd = listener};
  if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) != 0) _exit(1);
  for (;;) {
    int count = epoll_wait(epoll, ready, BATCH, -1);
    for (int index = 0; index < count; index++) {
      int descriptor = ready[index].data.fd;
      if (descriptor == listener) admit(epoll, listener);
      else serve(descriptor, journal);
    }
  }
}

server server_start(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    give_up("no socket");
  }
  journal *journal = mmap(NULL, sizeof *journal, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (journal == MAP_FAILED) give_up("out of memory");
  pid_t process = fork();
  if (process < 0) give_up("cannot fork");
  if (process == 0) run(listener, journal);
  close(listener);
  return (server){.process = process, .port = ntohs(address.sin_port), .journal = journal};
}

void server_stop(server *server) {
  kill(server->process, SIGTERM);
  waitpid(server->process, NULL, 0);
}
