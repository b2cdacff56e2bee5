/* From text to tokens, for every language whose words are names, numbers and
** operators, and the helpers of their parsers.
**
** A language describes itself by tables (its operators, keywords and
** comments); a scanner cuts a text into tokens once, and the parser walks over
** them:
**
**   scanner s;
**   scan_begin(&s, &my_language, names, sources, diags);
**   scan_text(&s, file, NULL);
**   while (!scan_at(&s, SCAN_END)) ...
**   scan_free(&s);
**
** The token at the cursor always exists: the last one is SCAN_END, and the
** cursor does not move past it.  Errors become diagnostics; a parser reports
** one, skips to a place where it knows what comes ('scan_skip'), and goes on
** until 'scan_stuck'. */

#ifndef NUT_LANG_SCAN_H
#define NUT_LANG_SCAN_H

#include "base/source/intern.h"
#include "base/source/source.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

/* The kinds of token that all languages have; their own ones follow. */
enum { SCAN_END, SCAN_NAME, SCAN_NUMBER, SCAN_OWN };

/* What is written in one way: an operator or a keyword. */
typedef struct scan_word {
  const char *text; /* NULL ends a table */
  uint8_t kind;
} scan_word;

typedef struct scan_comment {
  const char *open;  /* NULL ends a table */
  const char *close; /* NULL: the end of the line */
  bool nests;
} scan_comment;

typedef struct scan_language {
  const scan_word *operators; /* the longest that fits is taken */
  const scan_word *keywords;
  const scan_comment *comments;
  /* Characters of names besides letters, digits and '_'; or NULL. */
  const char *first_of_name;
  const char *rest_of_name;
  bool hexadecimal; /* 0x1F is a number */
} scan_language;

typedef struct token {
  uint8_t kind;
  bool first_of_line;
  int32_t value;    /* SCAN_NUMBER */
  const char *name; /* SCAN_NAME: interned */
  span where;       /* for diagnostics: in the file as the user wrote it */
  uint32_t start, length; /* in the text that was scanned */
} token;

/* For text that a preprocessor made: where the user wrote the piece from
** 'start' on. */
typedef struct scan_map {
  span (*locate)(const void *context, uint32_t start, uint32_t length);
  const void *context;
} scan_map;

/* Nesting of parentheses and the like, and the depth of trees, that a parser
** must allow at most: what comes after it walks over trees by recursion. */
enum { SCAN_NESTING_MAX = 1000, SCAN_DEPTH_MAX = 2000 };

/* Fields are for reading; 'at' may be kept and set back, to try again. */
typedef struct scanner {
  const scan_language *language;
  names *names;
  sources *sources;
  diags *diags;
  const char *text;
  uint32_t text_length;
  VEC(token) tokens;
  size_t at;
  uint32_t nesting;
  size_t reported; /* 1 + the token of the last error: one each is enough */
} scanner;

void scan_begin(scanner *, const scan_language *, names *, sources *, diags *);
/* Cuts the whole source 'file' into tokens; 'map' may be NULL.  Errors are in
** the diagnostics, and the tokens can be parsed all the same. */
void scan_text(scanner *, uint32_t file, const scan_map *map);
void scan_free(scanner *);

/* ---- for parsers ------------------------------------------------------- */

static inline const token *scan_peek(const scanner *s, size_t ahead)
{
  size_t last = s->tokens.len - 1;
  return &s->tokens.data[s->at + ahead < last ? s->at + ahead : last];
}

static inline const token *scan_token(const scanner *s)
{
  return &s->tokens.data[s->at];
}

static inline bool scan_at(const scanner *s, uint8_t kind)
{
  return s->tokens.data[s->at].kind == kind;
}

/* The token at the cursor, which moves on. */
const token *scan_next(scanner *);
/* Moves on if the token is of this kind. */
bool scan_accept(scanner *, uint8_t kind);
/* The same, with an error when it is not: "expected ';', found 'x'". */
bool scan_expect(scanner *, uint8_t kind);
/* For what closes: the error tells where 'opened' was. */
bool scan_close(scanner *, uint8_t kind, span opened);
/* "expected WHAT, found ..." at the cursor. */
void scan_wanted(scanner *, const char *what);
/* An error about the tokens from 'first' up to the cursor. */
void scan_error(scanner *, size_t first, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A name, or NULL with "expected WHAT, found ..."; '*where' may be NULL. */
const char *scan_name(scanner *, const char *what, span *where);

/* Around everything that calls itself: false, with an error, when it is too
** deep; then 'scan_leave' is not to be called. */
bool scan_enter(scanner *);
void scan_leave(scanner *);

/* Moves to the next token of one of these kinds (a string of them) that is
** not inside braces, or to a '}' that closes more than was opened since, or to
** the end.  'open' and 'close' are the kinds of the language's braces. */
void scan_skip(scanner *, const char *kinds, uint8_t open, uint8_t close);
/* At the end, or too many errors: a parser stops. */
bool scan_stuck(const scanner *);

/* How a diagnostic calls a kind: "';'", "a name", "'process'". */
void scan_kind_text(const scanner *, uint8_t kind, char *out, size_t size);
/* From the first token to the one before the cursor. */
span scan_span(const scanner *, size_t first);
/* What is written there, each gap between tokens as one blank. */
void scan_excerpt(const scanner *, size_t first, size_t end, text *out);

#endif
