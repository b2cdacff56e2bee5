/* Lines indented by what is open where they begin. */

#include "cli/lsp/pretty.h"
#include "base/vec.h"
#include "cli/lsp/cut_tokens.h"
#include <string.h>

enum { STEP = 2 };

/* Something that was opened, on a line with that indentation. */
typedef struct opened {
  uint32_t indent;
  char kind; /* '{', '(', or 'o' for do and if */
} opened;

typedef struct printer {
  const tokens *t;
  text *out;
  bool dve;
  bool spaces;     /* blanks inside of lines may be added */
  uint32_t indent; /* of the line at hand */
  uint32_t last;   /* the last token that is no comment, or NO_TOKEN */
  VEC(opened) stack;
} printer;

static bool opens(const printer *p, uint32_t i, char *kind)
{
  const tokens *t = p->t;
  bool choice = !p->dve && (token_is(t, i, "do") || token_is(t, i, "if"));
  bool round = token_is(t, i, "(") || token_is(t, i, "[");
  *kind = choice ? 'o' : round ? '(' : '{';
  return choice || round || token_is(t, i, "{");
}

static bool closes(const printer *p, uint32_t i)
{
  const tokens *t = p->t;
  return token_is(t, i, "}") || token_is(t, i, ")") || token_is(t, i, "]") ||
         (!p->dve && (token_is(t, i, "od") || token_is(t, i, "fi")));
}

static bool is_label_line(const printer *p, uint32_t i)
{
  const tokens *t = p->t;
  return !p->dve && p->stack.len && t->list[i].kind == TOKEN_NAME &&
         token_is(t, i + 1, ":") && vec_last(&p->stack).kind != '(' &&
         t->list[i + 1].line == t->list[i].line;
}

/* In DVE a statement goes on to its semicolon. */
static bool goes_on(const printer *p)
{
  return p->dve && p->stack.len && p->last != NO_TOKEN &&
         !token_is(p->t, p->last, ";") && !token_is(p->t, p->last, "{") &&
         !token_is(p->t, p->last, "}");
}

/* The indentation of a line that begins with token 'i'. */
static uint32_t indent_of(const printer *p, uint32_t i)
{
  if (!p->stack.len)
    return 0;
  const opened *in = &vec_last(&p->stack);
  if (closes(p, i))
    return in->indent;
  if (in->kind == 'o' && token_is(p->t, i, "::"))
    return in->indent;
  if (in->kind == '(')
    return in->indent + 2 * STEP;
  if (is_label_line(p, i))
    return in->indent;
  return in->indent + STEP + (goes_on(p) ? STEP : 0);
}

static void follow(printer *p, uint32_t i)
{
  char kind;
  if (p->t->list[i].kind == TOKEN_COMMENT || p->t->list[i].directive)
    return;
  p->last = i;
  if (closes(p, i) && p->stack.len)
    p->stack.len--;
  else if (opens(p, i, &kind)) {
    bool later = kind == 'o' && !p->t->list[i].begins;
    vec_push(&p->stack, ((opened){p->indent + (later ? STEP : 0), kind}));
  }
}

/* Whether the text is the same with a blank between the two tokens, of which
** there is none yet, and better to read. */
static bool wants_blank(const printer *p, uint32_t i)
{
  const tokens *t = p->t;
  if (!p->spaces || t->list[i].directive)
    return false;
  if (token_is(t, i, ",") || token_is(t, i, ";"))
    return !token_is(t, i + 1, ";") && !token_is(t, i + 1, ")") &&
           !token_is(t, i + 1, ",");
  return token_is(t, i, "->") || token_is(t, i + 1, "->") ||
         token_is(t, i, "::");
}

/* Whether some macro makes a string of its argument, blanks included. */
static bool makes_strings(const tokens *t)
{
  for (uint32_t i = 1; i < t->count; i++)
    if (t->list[i].directive && !t->list[i].begins && token_is(t, i, "#"))
      return true;
  return false;
}

static void add_bytes(printer *p, uint32_t from, uint32_t end)
{
  text_add_bytes(p->out, p->t->text + from, end - from);
}

static uint32_t end_of(const token *t)
{
  return t->start + t->length;
}

/* One line of tokens from 'i' on; the first one behind it. */
static uint32_t add_line(printer *p, uint32_t i)
{
  const tokens *t = p->t;
  p->indent = indent_of(p, i);
  bool verbatim = t->list[i].directive;
  for (uint32_t k = 0; k < (verbatim ? 0 : p->indent); k++)
    text_add_char(p->out, ' ');
  for (;; i++) {
    add_bytes(p, t->list[i].start, end_of(&t->list[i]));
    follow(p, i);
    bool more = i + 1 < t->count && !t->list[i + 1].begins;
    if (!more)
      break;
    uint32_t gap = t->list[i + 1].start - end_of(&t->list[i]);
    if (gap)
      add_bytes(p, end_of(&t->list[i]), t->list[i + 1].start);
    else if (wants_blank(p, i))
      text_add_char(p->out, ' ');
  }
  return i + 1;
}

/* A line for the preprocessor with all that it goes on to. */
static uint32_t add_directive(printer *p, uint32_t i)
{
  const tokens *t = p->t;
  uint32_t first = i;
  while (i + 1 < t->count && t->list[i + 1].directive &&
         !(t->list[i + 1].begins && token_is(t, i + 1, "#")))
    i++;
  add_bytes(p, t->list[first].start, end_of(&t->list[i]));
  return i + 1;
}

/* Line ends between two lines of tokens: at most one line is empty. */
static void add_ends(printer *p, uint32_t behind)
{
  const tokens *t = p->t;
  uint32_t ends = 0;
  if (behind == t->count && p->out->data[p->out->len - 1] == '\n')
    return; /* a comment that is not closed has the last one */
  if (behind < t->count)
    for (uint32_t k = end_of(&t->list[behind - 1]); k < t->list[behind].start;
         k++)
      ends += t->text[k] == '\n';
  text_add(p->out, ends > 1 ? "\n\n" : "\n");
}

void pretty_print(const char *source, size_t length, bool dve, text *out)
{
  arena *a = arena_create();
  tokens t = tokens_of(a, source, length, !dve);
  printer p = {.t = &t,
               .out = out,
               .dve = dve,
               .spaces = !dve && !makes_strings(&t),
               .last = NO_TOKEN};
  for (uint32_t i = 0; i < t.count;) {
    bool directive = t.list[i].directive && token_is(&t, i, "#");
    i = directive ? add_directive(&p, i) : add_line(&p, i);
    add_ends(&p, i);
  }
  vec_free(&p.stack);
  arena_destroy(a);
}
