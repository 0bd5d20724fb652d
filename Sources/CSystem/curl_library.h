/* libcurl.so.4 as found at run time, and the guard that every call into it stands under. */
#ifndef CSYSTEM_CURL_LIBRARY_H
#define CSYSTEM_CURL_LIBRARY_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <signal.h>
#include <stddef.h>

/* Member name and libcurl's name of every function used. */
#define CURL_FUNCTIONS(EACH)                        \
  EACH(global_init, curl_global_init)               \
  EACH(version_info, curl_version_info)             \
  EACH(free, curl_free)                             \
  EACH(easy_init, curl_easy_init)                   \
  EACH(easy_setopt, curl_easy_setopt)               \
  EACH(easy_getinfo, curl_easy_getinfo)             \
  EACH(easy_cleanup, curl_easy_cleanup)             \
  EACH(easy_reset, curl_easy_reset)                 \
  EACH(easy_strerror, curl_easy_strerror)           \
  EACH(multi_init, curl_multi_init)                 \
  EACH(multi_setopt, curl_multi_setopt)             \
  EACH(multi_add_handle, curl_multi_add_handle)     \
  EACH(multi_remove_handle, curl_multi_remove_handle) \
  EACH(multi_socket_action, curl_multi_socket_action) \
  EACH(multi_info_read, curl_multi_info_read)       \
  EACH(multi_cleanup, curl_multi_cleanup)           \
  EACH(slist_append, curl_slist_append)             \
  EACH(slist_free_all, curl_slist_free_all)         \
  EACH(url, curl_url)                               \
  EACH(url_cleanup, curl_url_cleanup)               \
  EACH(url_set, curl_url_set)                       \
  EACH(url_get, curl_url_get)

#pragma GCC visibility push(hidden)

typedef struct {
#define CURL_MEMBER(member, name) __typeof__(name) *member;
  CURL_FUNCTIONS(CURL_MEMBER)
#undef CURL_MEMBER
} curl_functions;

/* Good after curl_load has answered 0. */
extern curl_functions curl;

/* Loads and initialises libcurl, once in a process; -1 and words in `error` when that cannot be. */
int curl_load(char *error, size_t capacity);

/* libcurl's own words, after it is loaded; else NULL. */
const char *curl_loaded_version(void);

/* SIGPIPE is kept from this thread between the two, and one that was caused in between is taken away. */
typedef struct {
  sigset_t mask;
  int pending;
} pipe_guard;
void pipe_guard_enter(pipe_guard *guard);
void pipe_guard_leave(const pipe_guard *guard);

#pragma GCC visibility pop
#endif
