/* The merchant's back end, as far as a till may ask it: was this session paid, and could a payment still arrive? */
#ifndef BACKEND_H
#define BACKEND_H

#include <stdbool.h>

/* What was found out about a session, in the words of hco_resolve. */
typedef enum backend_verdict {
  BACKEND_PAID,
  BACKEND_DECLINED,
  BACKEND_NOT_CREATED, /* and none will come: nothing that a till sent is still on its way */
  BACKEND_ABANDONED    /* pending, or nothing is sure */
} backend_verdict;

/* "paid", "declined", "notCreated", "abandoned". */
const char *backend_word(backend_verdict verdict);

/* Asks until the answer is certain, or two seconds have gone. */
backend_verdict backend_verdict_of(const char *sandbox, const char *session);

/* The shopper approves on the page of a pending payment: the URL that leads back, yours by free, or NULL. */
char *backend_approve(const char *page);

#endif
