/* What the parts of embedded C share:
**
**   embed_emit.c   the text for the compiler
**   embed_copy.c   the part of it that copies between states and C variables
**   embed.c        compiling, loading, complaints of the compiler
**   embed_call.c   calling it from the interpreter
**
** Internal to program/. */

#ifndef NUT_PROGRAM_EMBED_EMBED_INTERNAL_H
#define NUT_PROGRAM_EMBED_EMBED_INTERNAL_H

#include "program/embed/embed.h"
#include "program/native/native_internal.h"
#include "runtime/embed.h"

struct embedded {
  text source;
  char key[KEY_MAX];
  compiler compiler;
  cache cache;
  bool cache_is_open;
  compiler_job job;
  limits *limits; /* end the compiler; or NULL */
  void *library;
  int file;                       /* the library */
  const nut_embedded_model *code; /* NULL: not loaded */
  /* There is one set of C variables: one call at a time. */
  pthread_mutex_t lock;
  /* What the running piece printed; not 'text', because running out of memory
  ** must not jump over it. */
  char *said;
  size_t said_length, said_room;
  bool complained; /* by uerror() */
};

typedef struct emission {
  const model *m;
  text *out;
} emission;

/* embed_emit.c */
bool embed_is_packed(const var *); /* kept in less than its bytes */
const char *embed_c_type(const var *);
bool embed_is_visible(const var *); /* to C */
const char *embed_local_name(const emission *, const process_type *,
                             size_t index);

/* embed_copy.c */
bool embed_is_tracked(const embed_memory *);
void embed_add_lvalue(const emission *, const embed_memory *);
void embed_add_copies(const emission *);

/* embed_call.c */
/* Gets ready for crashes, once per process. */
void embed_catch_signals(void);
extern const nut_embed_host embed_host;

#endif
