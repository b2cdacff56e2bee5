/* What the names of a model mean, for editors, also while it is being written:
** found from its tokens, with the scopes of the language but without its
** grammar.
**
**   scope    the file, a process, a block, a record
**   symbol   a declaration, in a scope
**   use      a token that is the name of a symbol; its declaration is one */

#ifndef NUT_CLI_LSP_SYMBOLS_H
#define NUT_CLI_LSP_SYMBOLS_H

#include "cli/lsp/cut_tokens.h"

/* kind, the word for people, number of it in the protocol */
/* clang-format off */
#define SYMBOL_KINDS(KIND)                                                     \
  KIND(VARIABLE,  "variable",     13)                                          \
  KIND(PARAMETER, "parameter",    13)                                          \
  KIND(PROCESS,   "process type", 5)                                           \
  KIND(INLINE,    "inline",       12)                                          \
  KIND(MACRO,     "macro",        14)                                          \
  KIND(RECORD,    "type",         23)                                          \
  KIND(FIELD,     "field",        8)                                           \
  KIND(SYMBOL,    "mtype",        22)                                          \
  KIND(LABEL,     "label",        20)                                          \
  KIND(STATE,     "state",        22)                                          \
  KIND(CHANNEL,   "channel",      13)                                          \
  KIND(CLAIM,     "property",     7)
/* clang-format on */

typedef enum {
#define KIND(name, word, number) SYMBOL_##name,
  SYMBOL_KINDS(KIND)
#undef KIND
} symbol_kind;

typedef struct symbol {
  const char *name;
  symbol_kind kind;
  uint32_t token;   /* of the declaration */
  uint32_t scope;   /* it is declared in */
  uint32_t inside;  /* its own scope, of processes and records; or NO_SCOPE */
  const char *type; /* as written: "byte"; "": none */
  bool array;
  uint32_t next; /* before it in its slot, or NO_SYMBOL */
} symbol;

#define NO_SYMBOL UINT32_MAX
#define NO_SCOPE UINT32_MAX

typedef struct scope {
  uint32_t parent;
  uint32_t first, end; /* tokens */
  symbol_kind kind;    /* of whose it is; SYMBOL_LABEL: a block's */
} scope;

enum { SYMBOL_SLOTS = 4096 };

typedef struct symbols {
  arena *arena;
  tokens tokens;
  bool dve;
  symbol *list;
  uint32_t count, room, records;
  uint32_t heads[SYMBOL_SLOTS]; /* the last of each name, by its hash */
  scope *scopes;
  uint32_t scope_count, scope_room;
  uint32_t *scope_of; /* of each token */
  uint32_t *uses;     /* of each token: its symbol, or NO_SYMBOL */
} symbols;

/* Of a text that outlives it; it lives in the arena.  'dve': that language,
** otherwise Promela. */
symbols *symbols_of(arena *, const char *text, size_t length, bool dve);
const char *symbol_kind_word(symbol_kind);
int symbol_kind_number(symbol_kind);

/* Whether the symbol can be seen at the token, by its name alone. */
bool symbol_is_visible(const symbols *, uint32_t number, uint32_t at);
/* The symbol that 'name' would mean at the token; NO_SYMBOL: none. */
uint32_t symbol_find(const symbols *, const char *name, uint32_t at);
/* Whether the token, a use, gives its variable a value. */
bool symbol_is_written(const symbols *, uint32_t at);
/* Words of the language; NULL after the last. */
const char *keyword_at(bool dve, size_t index);
bool is_keyword(bool dve, const char *word);
/* Least and greatest value of a type; false: it has none. */
bool type_limits(bool dve, const char *type, long *lo, long *hi);

#endif
