/* Messages of JSON between us and a client, over the standard input and output:
** what the language server, the debug adapter and the server for assistants
** have in common.
**
**   RPC_HEADERS   Content-Length: 42\r\n\r\n{...}     lsp, dap
**   RPC_LINES     {...}\n                             mcp
**
** What a client sends is wild until it is proved otherwise: a message has at
** most RPC_MOST bytes, and what is not JSON is answered and forgotten.  A frame
** that cannot be told from the next one ends the conversation. */

#ifndef NUT_CLI_SERVE_RPC_H
#define NUT_CLI_SERVE_RPC_H

#include "base/text/text.h"
#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>

enum { RPC_MOST = 16 << 20 };

typedef enum { RPC_HEADERS, RPC_LINES } rpc_frame;

/* What came of the bytes so far. */
typedef enum {
  RPC_MORE,    /* a message is not complete yet */
  RPC_MESSAGE, /* here it is */
  RPC_WRONG,   /* there was one that is not JSON; it is gone */
  RPC_BROKEN   /* nothing after this can be understood */
} rpc_result;

typedef struct rpc {
  rpc_frame frame;
  text in;       /* bytes that were not used yet */
  size_t used;   /* of them, those of messages that were taken */
  bool complete; /* the input has ended */
  int to;        /* a descriptor */
  bool failed;   /* it could not be written to */
  pthread_mutex_t lock;
} rpc;

void rpc_open(rpc *, rpc_frame, int to);
void rpc_close(rpc *);
void rpc_feed(rpc *, const char *bytes, size_t count);
/* Takes the next message out of what was fed; it belongs to the caller. */
rpc_result rpc_take(rpc *, json_t **message);
/* Waits for a message on descriptor 'from'.  NULL: there will be no more, or
** somebody has interrupted us. */
json_t *rpc_wait(rpc *, int from);

/* Writes a message, which is given up.  Any thread may. */
void rpc_send(rpc *, json_t *message);

/* JSON-RPC 2.0: answers to the request with this id, and messages that are
** none.  The values are given up; the id, which belongs to the request, is not. */
void rpc_answer(rpc *, const json_t *id, json_t *result);
void rpc_refuse(rpc *, const json_t *id, int code, const char *why);
void rpc_notify(rpc *, const char *method, json_t *parameters);

enum {
  RPC_NOT_JSON = -32700,
  RPC_NOT_REQUEST = -32600,
  RPC_NO_METHOD = -32601,
  RPC_BAD_PARAMETERS = -32602,
  RPC_FAILED = -32803
};

#endif
