/* The text of a model as tokens, for editors: it may be wrong anywhere, and is
** understood as far as it goes.  Comments are tokens as well, so that nothing of
** the text is lost but blanks. */

#ifndef NUT_CLI_LSP_CUT_TOKENS_H
#define NUT_CLI_LSP_CUT_TOKENS_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum {
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_COMMENT,
  TOKEN_MARK /* operators and brackets */
} token_kind;

typedef struct token {
  token_kind kind;
  bool begins;    /* it is the first of its line */
  bool directive; /* it stands in a line of the preprocessor */
  uint32_t start, length;
  uint32_t line; /* from 0 */
} token;

typedef struct tokens {
  const char *text;
  size_t length;
  token *list;
  uint32_t count;
} tokens;

/* Tokens of a text that outlives them; of languages with lines for the
** preprocessor, those are known ('directives'). */
tokens tokens_of(arena *, const char *text, size_t length, bool directives);
bool token_is(const tokens *, uint32_t index, const char *word);
/* The name as a string, in the arena. */
const char *token_text(arena *, const tokens *, uint32_t index);
/* The token at a byte, or that ends there; UINT32_MAX: none. */
uint32_t token_at(const tokens *, uint32_t offset);
/* The one before or behind that is no comment; UINT32_MAX: none. */
uint32_t token_before(const tokens *, uint32_t index);
uint32_t token_behind(const tokens *, uint32_t index);
#define NO_TOKEN UINT32_MAX

#endif
