/* What the files of the preprocessor share.
**
** A token is a piece of text with the place where it is written.  Blanks are
** not tokens: a token knows whether some stand before it.  Between tokens that
** come out of macros there is padding, which is no text either; it says where a
** blank is needed so that the output reads as the same tokens, and whether the
** user wrote one.
**
** A macro has a list of tokens, its body; a parameter in it is a token of its
** own kind.  Tokens are read from a stack of contexts, with the files at its
** bottom:
**
**   #define A B + 1        text:   x = A ;
**   #define B 2 * A
**
**   top      | 2 * A |     body of B.  B and A are at work, so this 'A' is
**            | . + 1 |     body of A   painted: it stays a name for ever
**   bottom   | x = . ; |   the file
**
** A context is left when a token is wanted and it has none, not before; then
** its macro may be used again.  This, and the order of everything else, is that
** of gcc, because where C leaves open what happens, models may depend on it.
**
** The arguments of a macro are read without replacing anything, then expanded
** one by one as if they stood alone, and put into the body; the result is a new
** context.  All counts: a model whose macros grow without bounds is refused. */

#ifndef NUT_LANG_PROMELA_PREPROCESS_PP_INTERNAL_H
#define NUT_LANG_PROMELA_PREPROCESS_PP_INTERNAL_H

#include "base/alloc.h"
#include "base/vec.h"
#include "lang/promela/preprocess/preprocess.h"

enum {
  PP_STEPS_MAX = 4 << 20, /* tokens and bytes taken out of macros */
  PP_CALLS_MAX = 200,     /* macros in arguments of macros */
  PP_FILES_MAX = 200,     /* files included by each other */
  PP_INCLUDES_MAX = 20000 /* files included at all */
};

typedef enum {
  PP_EOF, /* of a directive, an argument, or the model */
  PP_PADDING,
  PP_NAME,
  PP_NUMBER,
  PP_STRING,
  PP_CHAR,
  PP_HASH,
  PP_PASTE,
  PP_LPAREN,
  PP_RPAREN,
  PP_COMMA,
  PP_PUNCT, /* any other operator of C */
  PP_OTHER, /* what is no token of C: '@', a quote without partner */
  PP_PARAM  /* only in bodies */
} pp_kind;

enum {
  PP_WHITE = 1,      /* a blank stands before it */
  PP_BOL = 2,        /* the first of its line, in a file */
  PP_PAINTED = 4,    /* a name that is not replaced any more */
  PP_PASTE_LEFT = 8, /* '##' follows */
  PP_STRINGIFY = 16, /* a parameter after '#' */
  PP_SOURCE = 32,    /* padding for a token, whose PP_WHITE it has */
  PP_ARG_END = 64    /* the PP_EOF of an argument */
};

typedef struct pp_name pp_name;

typedef struct pp_token {
  uint8_t kind;
  uint8_t flags;
  uint32_t length;
  const char *text; /* lives as long as the macros */
  pp_name *name;    /* PP_NAME */
  span where;       /* as it is written */
  uint32_t line;    /* for '__LINE__': of the use of the outermost macro */
  uint32_t use;     /* of a macro, see source_use */
  uint32_t param;   /* PP_PARAM: its number */
} pp_token;

typedef VEC(pp_token) pp_tokens;

typedef struct pp_macro {
  bool has_params; /* perhaps none, but parentheses */
  bool variadic;   /* the last one takes all further arguments */
  uint32_t param_count, count;
  const pp_token *body;
} pp_macro;

/* Names that mean something by themselves. */
typedef enum {
  PP_PLAIN,
  PP_DEFINED,
  PP_VA_ARGS,
  PP_LINE,
  PP_FILE,
  PP_BASE_FILE,
  PP_LEVEL,
  PP_COUNTER,
  PP_FOREIGN /* something the system's preprocessor knows, and we do not */
} pp_meaning;

struct pp_name {
  const char *text;
  uint32_t length;
  uint32_t param;  /* while a macro is defined: its parameter, from 1 */
  uint8_t meaning; /* when there is no macro */
  bool disabled;   /* its macro is at work */
  bool foreign;    /* not of ASCII */
  pp_macro *macro; /* or NULL */
  pp_name *next;   /* in its chain */
};

struct pml_macros {
  pp_name **chains;
  uint32_t chain_count, name_count; /* the former is a power of two */
  uint32_t counter;
};

/* A file that is being read. */
typedef struct pp_file {
  const char *text, *p, *end; /* all, what is to be read next */
  uint32_t source;
  uint32_t line; /* from 1 */
  bool fresh;    /* at the beginning of a line */
  bool spliced;  /* lines were joined on the way */
  /* After '#line': the name and the line that are told. */
  bool moved;
  uint32_t told_source;
  uint32_t told_shift; /* added to 'line', modulo 2^32 */
  const char *name;    /* for '__FILE__' */
  const char *folder;  /* of the file, with a '/' at its end, or "" */
  size_t conditions;   /* open ones when it began */
} pp_file;

/* The text of a file that must not be shown. */
typedef struct pp_text {
  uint32_t source;
  const char *bytes;
  size_t length;
} pp_text;

typedef struct pp_condition {
  span where;
  bool was_skipping; /* all of it is skipped */
  bool taken;        /* one of its groups was the right one */
  bool in_else;
} pp_condition;

typedef struct pp_context {
  const pp_token *tokens;
  size_t pos, count;
  pp_name *macro;     /* at work; NULL for arguments and the like */
  bool body;          /* the tokens are those of a body as it stands */
  uint32_t use, line; /* for tokens of macros */
  pp_tokens own;      /* kept when the context is left, to be used again */
} pp_context;

typedef struct pp_arg {
  size_t raw, raw_count; /* in 'raw' of the call */
  size_t full, full_count;
  bool expanded, omitted;
} pp_arg;

/* A use of a macro with parameters. */
typedef struct pp_call {
  pp_tokens raw, full;
  VEC(pp_arg) args;
} pp_call;

/* The text that is made; see token_output.c. */
typedef struct pp_output {
  text text;
  source_recipe recipe;
  uint32_t file, line; /* of the line at hand */
  bool newline;        /* a new line is due: */
  uint32_t next_file, next_line;
  bool avoid;  /* there was padding since the last token */
  bool source; /* and it has a source, */
  bool white;  /* before which a blank stands */
  bool has_last;
  pp_token last;     /* the token before, on this line */
  const char *after; /* the byte behind it in its file; NULL: none */
  uint32_t after_file;
} pp_output;

typedef struct pp_state {
  arena *mem;
  sources *files;
  diags *diags;
  const pml_preprocessing *how;
  pml_macros *macros;
  VEC(pp_file) stack;
  VEC(pp_text) secrets;
  VEC(pp_condition) conditions;
  VEC(pp_context) contexts; /* 'depth' of them are in use */
  size_t depth;
  VEC(pp_call) calls; /* 'nesting' of them are in use */
  uint32_t nesting;
  pp_output out;
  pp_token ahead; /* taken back */
  bool has_ahead;
  bool in_directive;
  bool skipping;
  uint8_t parsing_args; /* 1: is there a '('?  2: behind it */
  uint32_t quiet;       /* not 0: nothing is replaced */
  uint32_t steps, includes;
  bool failed; /* there was an error: all tokens are PP_EOF now */
  uint32_t result;
} pp_state;

/* ---- tokens.c ---- */

/* The next token of the file at hand.  PP_EOF at its end, and at the end of a
** line in a directive. */
void pp_scan(pp_state *, pp_token *);
/* The one token that is all of a text; false when it is not one. */
bool pp_scan_one(pp_state *, const char *bytes, size_t length, pp_token *);
/* Passes blanks and comments in a line, without leaving it. */
void pp_skip_blanks(pp_state *);
/* The rest of the line is passed over. */
void pp_skip_line(pp_state *);
static inline bool pp_is(const pp_token *t, const char *operator)
{
  size_t i = 0;
  while (operator[i] && i<t->length && operator[i] == t->text[i])
    i++;
  return t->kind >= PP_HASH && !operator[i] && i == t->length;
}

/* ---- macro.c, builtin.c ---- */

pp_name *pp_name_of(pp_state *, const char *bytes, size_t length);
/* '#define' and '#undef', behind the word; nothing happens after an error. */
void pp_define(pp_state *);
void pp_undef(pp_state *);
/* A name whose meaning is to be asked for: false, with a diagnostic, when only
** the system's preprocessor knows it. */
bool pp_known(pp_state *, const pp_token *);
static inline bool pp_is_defined(const pp_name *n)
{
  return n->macro || (n->meaning >= PP_LINE && n->meaning < PP_FOREIGN);
}
/* Gives names their meaning. */
void pp_builtin_names(pp_state *);
pp_meaning pp_builtin_meaning(const char *bytes, size_t length);
/* Replaces '__LINE__' and its like by what they stand for. */
void pp_builtin_value(pp_state *, const pp_token *name, pp_token *value);

/* ---- expand.c ---- */

/* The next token, with macros replaced.  In directives there is no padding. */
void pp_get(pp_state *, pp_token *);
/* The same without padding. */
void pp_get_text(pp_state *, pp_token *);
/* Starts to read tokens; 'own' of the context is filled by the caller. */
pp_context *pp_next_context(pp_state *);
void pp_push(pp_state *, const pp_token *, size_t count, pp_name *macro);
/* One token as a context of its own. */
void pp_push_one(pp_state *, const pp_token *);
void pp_pop(pp_state *);
/* Counts work; false when there was too much. */
bool pp_step(pp_state *, size_t work, const pp_token *at);

/* ---- replace.c ---- */

/* Calls move when others nest in them: to be asked for again after 'pp_get'. */
static inline pp_call *pp_call_at_hand(pp_state *pp)
{
  return &pp->calls.data[pp->nesting - 1];
}

/* Pushes what the macro becomes with the arguments of the call at hand. */
void pp_replace(pp_state *, const pp_macro *, const pp_token *name,
                uint32_t use);
/* Joins the token, which has PP_PASTE_LEFT, with what follows in its
** context. */
void pp_paste(pp_state *, const pp_token *);

/* ---- directive.c, expression.c, include.c ---- */

void pp_directive(pp_state *, const pp_token *hash);
bool pp_condition_holds(pp_state *, const pp_token *directive);
void pp_include(pp_state *, const pp_token *directive);
/* Starts to read a source, or the text of one that must not be shown. */
void pp_open(pp_state *, uint32_t source, const char *bytes, size_t length);
/* The file at hand is at its end; false when there is none around it. */
bool pp_close(pp_state *);

/* ---- token_output.c ---- */

/* The token begins a line of its file. */
void pp_output_line(pp_state *, const pp_token *);
void pp_output_token(pp_state *, const pp_token *);
/* Adds the made text to the sources; 0 when it is too long. */
uint32_t pp_output_end(pp_state *);

/* ---- preprocess.c ---- */

/* The first error ends everything. */
void pp_error(pp_state *, const pp_token *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The text of a token in a message; "..." when it must not be shown. */
const char *pp_shown(pp_state *, const pp_token *);
#define PP_USE_CPP "; with --cpp the system's preprocessor reads the model"

#endif
