/* The answer of a store, or of a set in it, to a state it was offered. */

#ifndef NUT_STORE_STORE_RESULT_H
#define NUT_STORE_STORE_RESULT_H

typedef enum {
  STORE_NEW, /* was not there; it is now */
  STORE_SEEN,
  STORE_FULL /* memory or numbers ran out; the store is unchanged */
} store_result;

#endif
