#define _GNU_SOURCE
#include "csandboxserver.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int csandbox_listen(uint16_t port, uint16_t *bound_port) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  int yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 128) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    int error = errno;
    close(listener);
    errno = error;
    return -1;
  }
  *bound_port = ntohs(address.sin_port);
  return listener;
}

struct MHD_Daemon *csandbox_start(int listener, const char *certificate, const char *key,
                                  MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
                                  MHD_NotifyConnectionCallback connected, void *context) {
  /* The Date header is the sandbox's own, so that its clock can be wrong. */
  unsigned int flags =
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC |
      MHD_USE_SUPPRESS_DATE_NO_CLOCK;
  if (certificate == NULL) {
    return MHD_start_daemon(flags, 0, NULL, NULL, access, context,
                            MHD_OPTION_LISTEN_SOCKET, listener,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context,
                            MHD_OPTION_NOTIFY_CONNECTION, connected, context,
                            MHD_OPTION_END);
  }
  return MHD_start_daemon(flags | MHD_USE_TLS, 0, NULL, NULL, access, context,
                          MHD_OPTION_LISTEN_SOCKET, listener,
                          MHD_OPTION_NOTIFY_COMPLETED, completed, context,
                          MHD_OPTION_NOTIFY_CONNECTION, connected, context,
                          MHD_OPTION_HTTPS_MEM_CERT, certificate,
                          MHD_OPTION_HTTPS_MEM_KEY, key,
                          MHD_OPTION_END);
}

uintptr_t csandbox_connection_number(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? 0 : (uintptr_t)info->socket_context;
}

static int descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/* libmicrohttpd has loaded GnuTLS already; asking for its one function here spares a build dependency. */
typedef ssize_t (*tls_send)(void *session, const void *bytes, size_t length);

static ssize_t send_some(struct MHD_Connection *connection, const char *bytes, size_t length) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (info == NULL || info->tls_session == NULL) return send(descriptor(connection), bytes, length, MSG_NOSIGNAL);
  tls_send send_through = (tls_send)dlsym(RTLD_DEFAULT, "gnutls_record_send");
  return send_through == NULL ? -1 : send_through(info->tls_session, bytes, length);
}

int csandbox_send_raw(struct MHD_Connection *connection, const void *bytes, size_t length) {
  const char *rest = bytes;
  while (length > 0) {
    ssize_t sent = send_some(connection, rest, length);
    if (sent <= 0) return -1;
    rest += sent;
    length -= (size_t)sent;
  }
  return 0;
}

int csandbox_reset(struct MHD_Connection *connection) {
  /* Dissolving a connection sends the reset at once, before libmicrohttpd's orderly shutdown could send a FIN. */
  struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
  return connect(descriptor(connection), &nowhere, sizeof nowhere);
}
