/* Who is meant by a name.  Variables, constants, channels and processes share
** one space of names, states have their own in every process. */

#ifndef NUT_LANG_DVE_SYMBOLS_H
#define NUT_LANG_DVE_SYMBOLS_H

#include "lang/dve/ast.h"
#include "lang/scopes.h"

typedef enum {
  SYMBOL_VARIABLE,
  SYMBOL_CONSTANT,
  SYMBOL_CHANNEL,
  SYMBOL_PROCESS,
  SYMBOL_STATE
} symbol_kind;

/* A channel and what its uses say about it. */
typedef struct channel_info {
  const dve_channel *source;
  channel_type *type;
  uint32_t number; /* of the channel in every state */
  bool used;       /* untyped: the number of values is known */
  span first_use;  /* and from here */
} channel_info;

typedef struct process_info {
  const dve_process *source;
  process_type *type;
  int32_t number; /* of the process in every state; -1: the property */
} process_info;

typedef struct symbol {
  scoped as; /* states are apart; a scope is a process_info */
  symbol_kind kind;
  var *var;              /* VARIABLE */
  bool fixed;            /* VARIABLE: a constant array */
  int32_t value;         /* CONSTANT */
  channel_info *channel; /* CHANNEL */
  process_info *process; /* PROCESS */
  uint32_t location;     /* STATE */
} symbol;

/* A new one; it must not be there yet. */
symbol *symbols_add(scopes *, symbol_kind, const process_info *scope,
                    const char *name, span where);
/* The most similar name of that kind that can be seen from 'scope', or NULL. */
const symbol *symbols_nearest(const scopes *, const process_info *scope,
                              symbol_kind, const char *name);

#endif
