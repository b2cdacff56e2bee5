/* What the files of the parser share.
**
** Recursive descent with one token in hand ('tok').  SPIN's lexer knows the
** kinds of names and adds semicolons; here 'feed.c' does both, and expands
** inlines, so that the parsing functions see SPIN's token stream.
**
** Errors: 'panic' is set by the first error and makes every 'expect' fail
** silently until a sequence or the list of units has recovered. */

#ifndef NUT_LANG_PROMELA_PARSE_PARSE_INTERNAL_H
#define NUT_LANG_PROMELA_PARSE_PARSE_INTERNAL_H

#include "base/alloc.h"
#include "lang/promela/ast.h"
#include "lang/promela/lex.h"
#include "lang/promela/parse/parse.h"
#include "lang/promela/symbols.h"

/* Nesting of parentheses, blocks and inlines; depth of one expression. */
enum { MAX_NESTING = 1000, MAX_EXPR_DEPTH = 4000, MAX_INLINES = 100 };

/* Expanding inlines may not deliver more tokens than this. */
enum { MAX_EXPANDED = 2 << 20 };

typedef struct pml_inline {
  const char *name;
  span where;
  uint32_t id;
  const char **params;
  uint32_t param_count;
  const pml_token *tokens; /* from '{' to '}' */
  uint32_t token_count;
  bool active; /* being expanded: a further call would never end */
} pml_inline;

/* What a name is beyond a variable or a label. */
typedef struct pml_symbol {
  pml_record *record;
  const pml_type_ref *range; /* a subrange */
  pml_proc *proc;
  pml_inline *inl;
  uint32_t mtype; /* index in mtypes, plus 1 */
} pml_symbol;

typedef struct pml_args {
  const pml_token *tokens;
  uint32_t count;
} pml_args;

/* A source of tokens: the file, the body of an inline, or an argument that
** stands for a parameter. */
typedef struct pml_frame {
  const pml_token *tokens;
  uint32_t pos, count;
  uint32_t id;          /* different for each frame ever opened */
  pml_inline *inl;      /* NULL for the file and for arguments */
  const pml_args *args; /* of the call */
  const pml_call *call;
  pml_expr *result; /* of the call, or NULL */
  span site;        /* arguments: where the parameter stands */
  bool is_arg, newline;
} pml_frame;

/* A place in the token stream that a span begins at. */
typedef struct pml_mark {
  span where, site;
  uint32_t frame;
} pml_mark;

typedef struct parser {
  arena *mem;
  names *names;
  sources *sources;
  diags *diags;
  promela_module *module;
  pml_tokens tokens;
  pml_table symbols; /* name -> pml_symbol */

  /* Token stream. */
  VEC(pml_frame) frames;
  pml_token tok, ahead, held;
  pml_mark tok_mark, ahead_mark, held_mark;
  bool has_ahead, has_held;
  pml_token_kind prev;
  pml_mark prev_mark;
  uint32_t frames_opened, expanded, inlines_open;
  uint32_t parens;  /* open parentheses: newlines do not separate inside */
  bool in_sequence; /* newlines separate at all: bodies and typedefs */
  bool given_up;    /* only the end of the file is delivered any more */

  /* Errors. */
  bool panic;
  span last_error;
  uint32_t nesting;

  /* What is being parsed. */
  pml_proc *proc;
  pml_scope *scope;
  VEC(uint32_t) scope_counts; /* braces opened so far at each level */
  uint32_t level;
  bool init_ok;     /* declarations here still initialise */
  uint32_t d_steps; /* d_step blocks that are open */
  bool in_ltl, has_xu;
  uint32_t never_count, ltl_unnamed, inline_count;

  /* Lists under construction, nested like the things they belong to. */
  VEC(void *) list; /* statements, options, arguments, variables */
  VEC(pml_label *) labels;
  VEC(pml_stmt *) loops;
  pml_tokens arg_tokens; /* of the argument being read */
  pml_stmt *after;       /* to be appended after the statement just parsed */
  VEC(pml_unit) units;
  VEC(void *) globals, procs, records, ltls, locals, proc_labels;
  VEC(pml_mtype) mtypes;
  VEC(uint32_t) ltl_tokens; /* first and end of each deferred formula */
  text preprocessed, excerpt;
  uint32_t formula_file; /* of a formula from elsewhere, */
  pml_expr *formula;     /* and the formula */
} parser;

/* feed.c: tokens */
/* Preprocesses the input and fills 'tokens'; false when there is nothing to
** parse. */
bool pml_read_tokens(parser *, pml_input *);
void pml_feed_start(parser *, const pml_token *, uint32_t count);
void pml_advance(parser *);
pml_token_kind pml_peek(parser *); /* kind of the token after 'tok' */
pml_symbol *pml_symbol_of(parser *, const char *name); /* made when missing */
pml_mark pml_here(const parser *);
span pml_since(const parser *, pml_mark); /* up to the last consumed token */
void pml_give_up(parser *);

/* feed.c: errors */
void pml_error(parser *, span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pml_expected(parser *, const char *what); /* ..., found <tok> */
/* After that: a note, if what stands there is a habit from elsewhere.  'before'
** is the expression in front of it, or NULL. */
void pml_hint_habit(parser *, const pml_expr *before);
bool pml_accept(parser *, pml_token_kind);
bool pml_expect(parser *, pml_token_kind);
bool pml_close(parser *, pml_token_kind, span opened); /* names the opener */
bool pml_open_paren(parser *);
bool pml_close_paren(parser *, span opened);
bool pml_enter(parser *); /* one level deeper; false = too deep, given up */
void pml_leave(parser *);

/* inline.c */
void pml_inline_definition(parser *);
pml_stmt *pml_inline_call(parser *, pml_mark, pml_expr *result);
void pml_close_frame(parser *, pml_frame *);

/* parse_expr.c */
pml_expr *pml_new_expr(parser *, pml_expr_kind, span);
pml_expr *pml_new_const(parser *, int32_t, span);
pml_expr *pml_new_binary(parser *, pml_expr_kind, pml_expr *, pml_expr *, span);
pml_expr *pml_parse_expr(parser *);  /* full_expr */
pml_expr *pml_parse_plain(parser *); /* expr: no probes */
pml_expr *pml_parse_rest(parser *, pml_mark, pml_expr *left);
pml_expr *pml_parse_varref(parser *);
pml_expr *pml_parse_poll(parser *, pml_mark, pml_expr *chan, bool random);
void pml_parse_send_args(parser *, pml_expr ***, uint32_t *);
void pml_parse_recv_args(parser *, pml_expr ***, uint32_t *);
void pml_parse_args(parser *, pml_expr ***, uint32_t *);
bool pml_parse_const(parser *, int32_t *);

/* parse_decl.c */
bool pml_at_declaration(parser *);
bool pml_at_subrange(parser *);
void pml_parse_subrange(parser *);
pml_stmt *pml_parse_declaration(parser *, pml_var_kind);
void pml_parse_typedef(parser *);
void pml_parse_params(parser *, pml_proc *);

/* parse_stmt.c */
pml_stmt *pml_new_stmt(parser *, pml_stmt_kind, span);
pml_seq *pml_parse_sequence(parser *, span where);
void pml_add_stmt(parser *, pml_stmt *);
void pml_open_brace(parser *);
void pml_close_brace(parser *, span opened);
pml_stmt *pml_parse_block(parser *, pml_stmt_kind, pml_mark);
pml_c_code *pml_c_text(parser *, pml_c_use, pml_c_code **test);
pml_seq *pml_make_seq(parser *, size_t base, span where, pml_scope *);

/* parse_loop.c */
pml_stmt *pml_parse_for(parser *);
pml_stmt *pml_parse_select(parser *);

/* parse.c */
void **pml_take_list(parser *, size_t base, uint32_t *count);

#endif
