/* The server of the page: the API of docs/http.md over the public library.
**
**   browser ── http_serve.c ──> http_routes.c ──> http_models.c   texts and saving
**              who may ask                    ──> http_runs.c     walks and traces
**              (libmicrohttpd)                ──> http_checks.c   in threads
**
** Only http_serve.c knows of HTTP, and only it needs another library; without it
** 'nutshell explore' tells what is missing.
**
** A model is a text that was read, known by its digest; it has a workspace and
** the runs that were made in it.  Each is used by one thread at a time, under
** its own lock.  A check has a workspace of its own and a thread.  Old ones go
** when there are too many: what the page holds are texts and choices, from which
** all can be made again. */

#ifndef NUT_CLI_HTTP_HTTP_H
#define NUT_CLI_HTTP_HTTP_H

#include "base/sha256.h"
#include "base/text/text.h"
#include "base/vec.h"
#include "cli/options.h"
#include "nutshell.h"
#include <jansson.h>
#include <pthread.h>

enum {
  HTTP_PARTS = 6,
  HTTP_BODY_MOST = 16 << 20,
  HTTP_MODELS_MOST = 8,
  HTTP_RUNS_MOST = 32, /* of a model */
  HTTP_CHECKS_MOST = 16,
  HTTP_RUNNING_MOST = 2, /* checks at a time */
  HTTP_ID = 17
};

/* ---- requests ----------------------------------------------------------- */

typedef struct http_request {
  const char *method;
  const char *parts[HTTP_PARTS]; /* of the path behind /api/v1/ */
  size_t part_count;
  const json_t *body; /* an object; NULL: none came */
  const char *(*query)(void *context, const char *key); /* NULL: not given */
  void *context;
} http_request;

typedef struct http_answer {
  unsigned status;
  json_t *body;     /* or */
  text bytes;       /* that are of this */
  const char *type; /* of media */
} http_answer;

/* Says what is wrong, in the form of the API. */
void http_refuse(http_answer *, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A number of the query; 'usual' unless it is given. */
uint64_t http_number(const http_request *, const char *key, uint64_t usual);
const char *http_text(const json_t *, const char *key); /* or NULL */
/* Whether the body has these fields only; refuses otherwise. */
bool http_fields(const http_request *, http_answer *, const char *const *names);

/* ---- the server --------------------------------------------------------- */

typedef struct http_run {
  char id[HTTP_ID];
  nut_walk *walk;
  VEC(uint32_t) shown; /* indices of the steps that are numbered */
  VEC(uint8_t) folded; /* by step: it does not matter */
  size_t shown_length; /* of the walk, when they were found */
  json_t *about;       /* what it shows, or NULL */
  char problem[300];   /* why a replay stopped; "" */
  bool replayed;       /* only a part of it can go on, as another run */
} http_run;

typedef struct http_model {
  char id[HTTP_ID];
  pthread_mutex_t lock; /* of all that follows but 'users' and 'gone' */
  nut_workspace *workspace;
  text content;
  VEC(http_run *) runs;
  unsigned users; /* under the lock of the server */
  bool gone;
} http_model;

typedef struct http_check http_check;

typedef struct http_server {
  const options *options;
  const char *file; /* the model of the command line */
  nut_load load;
  char root[4096]; /* edited texts include files of this folder only */
  pthread_mutex_t lock;
  VEC(http_model *) models;
  VEC(http_check *) checks;
  char disk[SHA256_TEXT]; /* digest of the file, when it was read or written */
  uint64_t next;          /* number of the next run or check */
  bool closing;
} http_server;

/* NULL after a complaint: the model cannot even be opened. */
http_server *http_open(const options *);
void http_close(http_server *);
/* Answers a request of the API; any thread may. */
void http_answer_request(http_server *, const http_request *, http_answer *);

/* ---- models ------------------------------------------------------------- */

/* The model of this id, locked and kept; NULL after a refusal. */
http_model *http_model_take(http_server *, const char *id, http_answer *);
void http_model_give_back(http_server *, http_model *);
/* A new workspace with the text of a model. */
nut_workspace *http_workspace(http_server *, const char *content,
                              size_t length);

/* GET model: as it is on disk.  POST models: a text.  */
void http_model_read(http_server *, http_answer *);
void http_model_post(http_server *, const http_request *, http_answer *);
void http_model_get(http_server *, const http_request *, http_answer *);
void http_model_save(http_server *, const http_request *, http_answer *);
void http_model_drawing(http_server *, const http_request *, http_answer *);
void http_model_state(http_server *, const http_request *, http_answer *);

/* ---- runs --------------------------------------------------------------- */

void http_runs_request(http_server *, const http_request *, http_answer *);
void http_run_free(http_run *);
/* Values, processes, moves, what is not enabled: of a state in which the model
** rests. */
void http_put_state(json_t *, nut_workspace *, nut_state);

/* ---- checks ------------------------------------------------------------- */

void http_check_start(http_server *, const http_request *, http_answer *);
void http_checks_request(http_server *, const http_request *, http_answer *);
/* Works with the trace of a check; false: it is not there. */
bool http_check_trace(http_server *, const char *id, size_t property,
                      size_t index,
                      void (*work)(void *context, const nut_result *,
                                   const nut_trace *),
                      void *context);
/* Listens to a check, which is cancelled when nobody listens any more; NULL: no
** such check. */
http_check *http_check_listen(http_server *, const char *id);
/* Waits for the next event and adds it to the text; false: there are no more. */
bool http_check_event(http_server *, http_check *, uint64_t *seen, text *out);
void http_check_leave(http_server *, http_check *);
/* Ends all checks, and frees them. */
void http_checks_close(http_server *);

/* ---- serving ------------------------------------------------------------ */

typedef struct http_service http_service;

enum { HTTP_TOKEN = 33, HTTP_HOST = 64 };

typedef struct http_place {
  const char *host; /* an address, or "localhost" */
  unsigned port;    /* 0: one that is free; then the one that was found */
  const char *page; /* folder with the page; "": there is none */
  char token[HTTP_TOKEN];
  char shown[HTTP_HOST]; /* what an address of the page has: "[::1]" */
  bool here;             /* nobody but this computer can reach it */
  bool anywhere;         /* it is all addresses of this computer */
} http_place;

/* Whether this build can serve. */
bool http_can_serve(void);
/* Begins to serve in threads of its own; NULL after a complaint. */
http_service *http_serve(http_server *, http_place *);
void http_stop(http_service *);

#endif
