/* What the writers of Promela and DVE share: words, expressions, and what a
** step does as a list of statements. */

#ifndef NUT_CONVERT_WRITER_H
#define NUT_CONVERT_WRITER_H

#include "base/source/intern.h"
#include "convert/flat.h"

/* What a language can say. */
typedef struct dialect {
  const char *const *keywords; /* no names; NULL last */
  bool has_records;            /* else each field is a variable of its own */
  bool has_conditional;        /* (a -> b : c) */
  int32_t tokens_max;          /* in a place of a net; 0: as many as fit */
  /* What variables of these types are called, and hold. */
  const char *(*type_word)(const flat *, const type *);
} dialect;

typedef enum {
  DO_ASSIGN, /* "x = e" */
  DO_CHECK,  /* a condition: if it is false, there is no step, but a fault */
  DO_ASSERT  /* a condition that must be true */
} statement_kind;

typedef struct statement {
  statement_kind kind;
  const char *text;
} statement;

/* The words for one variable: one, or one for each scalar field. */
typedef struct word_list {
  const char **words;
  uint32_t count;
} word_list;

typedef struct writer {
  flat f;
  const dialect *dialect;
  names *taken;
  word_list *globals;
  word_list **locals;     /* by instance and index */
  const char **locations; /* variables: where each instance is */
  const char **instances; /* what each is called */
  const char **channels;  /* NULL: a rendezvous has none */
  const char **records;
  /* Variables that carry values inside of a step, and are 0 outside, by the
  ** word of their type; 'used' of them in the step at hand. */
  struct {
    const char *type;
    VEC(const char *) words;
    uint32_t used;
  } carriers[8];
  VEC(statement) statements; /* of the step at hand */
  text guard;                /* its condition; empty: always */
} writer;

/* False with the reason: the model cannot be written.  'writer_free' is called
** in both cases. */
bool writer_create(writer *, const model *, const dialect *, text *why);
void writer_free(writer *);
/* Gives the reason, if it is the first, and answers false. */
bool writer_refuse(writer *, const char *reason);

/* A name made of letters, digits and '_' that nobody else has. */
const char *writer_word(writer *, const char *wanted);
/* The variable that has this scalar, as it is written in expressions. */
void write_ref(writer *, uint32_t who, const ref *, text *out);
/* In the eyes of the instance 'who'; in parentheses if need be. */
void write_expr(writer *, uint32_t who, const expr *, text *out);
/* A value that is known: an initial value. */
bool writer_constant(writer *, const expr *, int32_t *value);

/* Fills in the guard and the statements of a step.  Buffered channels are left
** to the caller. */
void write_step(writer *, const flat_step *);
/* What the step does, for people. */
void write_comment(writer *, const flat_step *, text *out);

/* A leaf of a variable: the scalar field that has its own word, and how many
** elements it has in all. */
typedef struct leaf {
  const type *type;
  uint32_t length;
  bool is_array;
  const var *var;
} leaf;
/* Leaf 'n' of 'v'; false when there is none. */
bool leaf_at(const var *v, uint32_t n, leaf *);

#endif
