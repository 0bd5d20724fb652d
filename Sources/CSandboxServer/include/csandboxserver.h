/* What checkout-sandbox needs of libmicrohttpd and Swift cannot call: variadic functions, and what no HTTP server
   means to do (half an answer, a reset). */
#pragma once

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

/* A socket that listens on 127.0.0.1 and nowhere else; port 0 is any. -1 on failure, with errno. */
int csandbox_listen(uint16_t port, uint16_t *bound_port);

/* Starts serving, a thread a connection. Both texts are PEM, or NULL for plain HTTP. The listener belongs to the
   daemon once this has succeeded. `connected` may number a connection through its socket context. */
struct MHD_Daemon *csandbox_start(int listener, const char *certificate, const char *key,
                                  MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
                                  MHD_NotifyConnectionCallback connected, void *context);

/* The number that `connected` gave. */
uintptr_t csandbox_connection_number(struct MHD_Connection *connection);

/* Writes bytes as they are, past libmicrohttpd's own answer, through TLS where there is any. 0, or -1. */
int csandbox_send_raw(struct MHD_Connection *connection, const void *bytes, size_t length);

/* Resets the TCP connection (RST). The descriptor stays libmicrohttpd's to close. 0, or -1. */
int csandbox_reset(struct MHD_Connection *connection);
