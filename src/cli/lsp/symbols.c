/* Declarations found, names resolved. */

#include "cli/lsp/symbols.h"
#include <stdlib.h>
#include <string.h>

/* ---- words -------------------------------------------------------------- */

static const char *const promela_words[] = {
    "active",  "assert", "atomic",  "bit",       "bool",     "break",
    "byte",    "chan",   "d_step",  "do",        "else",     "empty",
    "enabled", "eval",   "false",   "fi",        "for",      "full",
    "goto",    "hidden", "if",      "in",        "init",     "inline",
    "int",     "len",    "local",   "ltl",       "mtype",    "nempty",
    "never",   "nfull",  "notrace", "od",        "of",       "pc_value",
    "pid",     "printf", "printm",  "priority",  "proctype", "provided",
    "return",  "run",    "select",  "short",     "show",     "skip",
    "timeout", "trace",  "true",    "typedef",   "unless",   "unsigned",
    "xr",      "xs",     "always",  "eventually"};

static const char *const dve_words[] = {
    "accept", "and",   "assert", "async", "byte",    "channel",
    "commit", "const", "effect", "false", "guard",   "imply",
    "init",   "int",   "not",    "or",    "process", "property",
    "state",  "sync",  "system", "trans", "true"};

enum {
  PROMELA_WORDS = sizeof promela_words / sizeof promela_words[0],
  DVE_WORDS = sizeof dve_words / sizeof dve_words[0]
};

const char *keyword_at(bool dve, size_t i)
{
  if (dve)
    return i < DVE_WORDS ? dve_words[i] : NULL;
  return i < PROMELA_WORDS ? promela_words[i] : NULL;
}

bool is_keyword(bool dve, const char *word)
{
  const char *one;
  for (size_t i = 0; (one = keyword_at(dve, i)); i++)
    if (!strcmp(one, word))
      return true;
  return false;
}

bool type_limits(bool dve, const char *type, long *lo, long *hi)
{
  static const struct {
    const char *name;
    long lo, hi;
  } known[] = {{"bit", 0, 1},     {"bool", 0, 1},
               {"byte", 0, 255},  {"pid", 0, 255},
               {"mtype", 0, 255}, {"short", -32768, 32767},
               {"chan", 0, 255},  {"int", -2147483647 - 1, 2147483647}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (!strcmp(known[i].name, type)) {
      bool narrow = dve && !strcmp(type, "int");
      *lo = narrow ? -32768 : known[i].lo;
      *hi = narrow ? 32767 : known[i].hi;
      return true;
    }
  return false;
}

const char *symbol_kind_word(symbol_kind k)
{
  static const char *const words[] = {
#define KIND(name, word, number) word,
      SYMBOL_KINDS(KIND)
#undef KIND
  };
  return words[k];
}

int symbol_kind_number(symbol_kind k)
{
  static const int numbers[] = {
#define KIND(name, word, number) number,
      SYMBOL_KINDS(KIND)
#undef KIND
  };
  return numbers[k];
}

/* ---- declarations ------------------------------------------------------- */

typedef struct finder {
  symbols *s;
  const tokens *t;
  uint32_t scope;   /* the innermost open one */
  bool waits;       /* its brace has not come yet */
  uint32_t nesting; /* of parentheses and brackets */
} finder;

static uint32_t add_scope(finder *f, symbol_kind kind, uint32_t first)
{
  symbols *s = f->s;
  if (s->scope_count == s->scope_room) {
    scope *old = s->scopes;
    s->scope_room = 2 * s->scope_room + 16;
    s->scopes = ARENA_ARRAY(s->arena, scope, s->scope_room);
    if (s->scope_count)
      memcpy(s->scopes, old, s->scope_count * sizeof *old);
  }
  s->scopes[s->scope_count] = (scope){f->scope, first, f->t->count, kind};
  f->scope = s->scope_count++;
  return f->scope;
}

/* Where the symbols of a name are in 'heads'. */
static uint32_t slot_of(const char *name)
{
  uint32_t hash = 2166136261u;
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 16777619u;
  return hash % SYMBOL_SLOTS;
}

static symbol *declare(finder *f, symbol_kind kind, uint32_t at,
                       const char *type)
{
  symbols *s = f->s;
  if (s->count == s->room) {
    symbol *old = s->list;
    s->room = 2 * s->room + 64;
    s->list = ARENA_ARRAY(s->arena, symbol, s->room);
    if (s->count)
      memcpy(s->list, old, s->count * sizeof *old);
  }
  s->list[s->count] = (symbol){.name = token_text(s->arena, f->t, at),
                               .kind = kind,
                               .token = at,
                               .scope = f->scope,
                               .inside = NO_SCOPE,
                               .type = type,
                               .next = NO_SYMBOL};
  uint32_t *head = &s->heads[slot_of(s->list[s->count].name)];
  s->list[s->count].next = *head;
  *head = s->count;
  s->records += kind == SYMBOL_RECORD;
  s->uses[at] = s->count;
  return &s->list[s->count++];
}

static bool is_name(const finder *f, uint32_t i)
{
  return i < f->t->count && f->t->list[i].kind == TOKEN_NAME &&
         !is_keyword(f->s->dve, token_text(f->s->arena, f->t, i));
}

/* The token behind what is between brackets, if one opens at 'i'. */
static uint32_t skip_nested(const finder *f, uint32_t i)
{
  int depth = 0;
  for (; i != NO_TOKEN && i < f->t->count; i = token_behind(f->t, i)) {
    char c = f->t->text[f->t->list[i].start];
    if (f->t->list[i].kind != TOKEN_MARK)
      c = 'x';
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth <= 0)
      return token_behind(f->t, i);
  }
  return NO_TOKEN;
}

static symbol_kind kind_in(const finder *f, bool channel)
{
  const scope *s = &f->s->scopes[f->scope];
  if (s->kind == SYMBOL_RECORD)
    return SYMBOL_FIELD;
  if (s->kind == SYMBOL_PROCESS && f->waits)
    return SYMBOL_PARAMETER;
  return channel ? SYMBOL_CHANNEL : SYMBOL_VARIABLE;
}

/* The names behind a type: "x, y[3] = 2, z". */
static void declare_list(finder *f, uint32_t i, const char *type, bool channel)
{
  while (is_name(f, i)) {
    symbol *made = declare(f, kind_in(f, channel), i, type);
    i = token_behind(f->t, i);
    made->array = token_is(f->t, i, "[");
    while (i != NO_TOKEN && !token_is(f->t, i, ",") &&
           !token_is(f->t, i, ";") && !token_is(f->t, i, ")") &&
           !token_is(f->t, i, "}") && !token_is(f->t, i, "->"))
      i = skip_nested(f, i);
    if (!token_is(f->t, i, ","))
      return;
    i = token_behind(f->t, i);
  }
}

/* Names of constants between braces. */
static void declare_constants(finder *f, uint32_t i)
{
  while (i != NO_TOKEN && !token_is(f->t, i, "}")) {
    if (is_name(f, i))
      declare(f, SYMBOL_SYMBOL, i, "mtype");
    i = token_behind(f->t, i);
  }
}

static uint32_t scope_of_type(const symbols *s, const char *type)
{
  for (uint32_t i = s->heads[slot_of(type)]; i != NO_SYMBOL;
       i = s->list[i].next)
    if (s->list[i].kind == SYMBOL_RECORD && !strcmp(s->list[i].name, type))
      return s->list[i].inside;
  return NO_SCOPE;
}

static bool is_type(const finder *f, uint32_t i)
{
  static const char *const types[] = {"bit",      "bool",  "byte",
                                      "pid",      "short", "int",
                                      "unsigned", "chan",  "mtype"};
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
    if (token_is(f->t, i, types[k]))
      return true;
  return f->s->records &&
         scope_of_type(f->s, token_text(f->s->arena, f->t, i)) != NO_SCOPE;
}

static void declare_typed(finder *f, uint32_t i)
{
  const char *type = token_text(f->s->arena, f->t, i);
  bool mtype = token_is(f->t, i, "mtype");
  bool channel = token_is(f->t, i, "chan");
  i = token_behind(f->t, i);
  if (mtype && token_is(f->t, i, ":"))
    i = token_behind(f->t, token_behind(f->t, i));
  if (mtype && token_is(f->t, i, "="))
    i = token_behind(f->t, i);
  if (mtype && token_is(f->t, i, "{"))
    declare_constants(f, token_behind(f->t, i));
  else
    declare_list(f, i, type, channel);
}

/* A name with a body, whose scope begins here. */
static void begin_body(finder *f, symbol_kind kind, uint32_t name)
{
  uint32_t number = f->s->count;
  if (is_name(f, name))
    declare(f, kind, name, "");
  uint32_t made = add_scope(f, kind, name);
  if (number < f->s->count)
    f->s->list[number].inside = made;
  f->waits = true;
}

static void declare_parameters(finder *f, uint32_t i)
{
  for (i = token_behind(f->t, i);
       i != NO_TOKEN && !token_is(f->t, i, ")") && !token_is(f->t, i, "{");
       i = token_behind(f->t, i))
    if (is_name(f, i))
      declare(f, SYMBOL_PARAMETER, i, "");
}

static bool is_label(const finder *f, uint32_t i)
{
  static const char *const before[] = {
      "{", "}", ";", "->", "::", ":", "od", "fi", "else"};
  uint32_t last = token_before(f->t, i);
  if (f->nesting || !token_is(f->t, token_behind(f->t, i), ":") ||
      f->scope == 0 || !is_name(f, i))
    return false;
  for (size_t k = 0; k < sizeof before / sizeof before[0]; k++)
    if (last == NO_TOKEN || token_is(f->t, last, before[k]))
      return true;
  return false;
}

/* The scope of the process around. */
static uint32_t process_scope(const symbols *s, uint32_t inner)
{
  while (inner && s->scopes[inner].kind == SYMBOL_LABEL)
    inner = s->scopes[inner].parent;
  return inner;
}

static void declare_label(finder *f, uint32_t i)
{
  uint32_t inner = f->scope;
  f->scope = process_scope(f->s, inner);
  declare(f, SYMBOL_LABEL, i, "");
  f->scope = inner;
}

static void look_at_macro(finder *f, uint32_t i)
{
  uint32_t name = token_behind(f->t, i);
  if (!token_is(f->t, i, "define") || name == NO_TOKEN || !is_name(f, name))
    return;
  uint32_t inner = f->scope;
  f->scope = 0;
  declare(f, SYMBOL_MACRO, name, "");
  f->scope = inner;
}

static void look_at_promela(finder *f, uint32_t i)
{
  const tokens *t = f->t;
  if (t->list[i].directive) {
    look_at_macro(f, i);
    return;
  }
  if (token_is(t, i, "proctype"))
    begin_body(f, SYMBOL_PROCESS, token_behind(t, i));
  else if (token_is(t, i, "init") || token_is(t, i, "never") ||
           token_is(t, i, "trace") || token_is(t, i, "notrace"))
    begin_body(f, SYMBOL_PROCESS, token_is(t, i, "init") ? i : i + 1);
  else if (token_is(t, i, "inline")) {
    begin_body(f, SYMBOL_INLINE, token_behind(t, i));
    declare_parameters(f, token_behind(t, i));
  } else if (token_is(t, i, "typedef"))
    begin_body(f, SYMBOL_RECORD, token_behind(t, i));
  else if (token_is(t, i, "ltl"))
    begin_body(f, SYMBOL_CLAIM, token_behind(t, i));
  else if (is_label(f, i))
    declare_label(f, i);
  else if (f->s->uses[i] == NO_SYMBOL && is_type(f, i))
    declare_typed(f, i);
}

static void look_at_dve(finder *f, uint32_t i)
{
  const tokens *t = f->t;
  uint32_t next = token_behind(t, i);
  if (token_is(t, i, "process") && is_name(f, next))
    begin_body(f, SYMBOL_PROCESS, next);
  else if (token_is(t, i, "byte") || token_is(t, i, "int"))
    declare_list(f, next, token_text(f->s->arena, t, i), false);
  else if (token_is(t, i, "channel"))
    declare_list(f, token_is(t, next, "{") ? skip_nested(f, next) : next,
                 "channel", true);
  else if (token_is(t, i, "state"))
    for (; is_name(f, next); next = token_behind(t, token_behind(t, next))) {
      declare(f, SYMBOL_STATE, next, "");
      if (!token_is(t, token_behind(t, next), ","))
        break;
    }
}

static void open_brace(finder *f, uint32_t i)
{
  if (!f->waits)
    add_scope(f, SYMBOL_LABEL, i);
  f->waits = false;
}

static void close_brace(finder *f, uint32_t i)
{
  if (f->scope) {
    f->s->scopes[f->scope].end = i + 1;
    f->scope = f->s->scopes[f->scope].parent;
  }
  f->waits = false;
}

static void find_all(finder *f)
{
  const tokens *t = f->t;
  for (uint32_t i = 0; i < t->count; i++) {
    const token *one = &t->list[i];
    char c = one->kind == TOKEN_MARK ? t->text[one->start] : 'x';
    bool counts = one->kind != TOKEN_COMMENT && !one->directive;
    f->nesting += counts && (c == '(' || c == '[');
    f->nesting -= counts && (c == ')' || c == ']') && f->nesting;
    if (counts && c == '{' && one->length == 1)
      open_brace(f, i);
    f->s->scope_of[i] = f->scope;
    if (one->kind == TOKEN_NAME && f->s->dve)
      look_at_dve(f, i);
    else if (one->kind == TOKEN_NAME)
      look_at_promela(f, i);
    if (counts && c == '}' && one->length == 1)
      close_brace(f, i);
  }
}

/* ---- names -------------------------------------------------------------- */

static bool is_by_name(const symbol *s)
{
  return s->kind != SYMBOL_LABEL && s->kind != SYMBOL_FIELD;
}

static bool encloses(const symbols *s, uint32_t outer, uint32_t inner)
{
  for (; inner != NO_SCOPE; inner = s->scopes[inner].parent)
    if (inner == outer)
      return true;
  return false;
}

bool symbol_is_visible(const symbols *s, uint32_t number, uint32_t at)
{
  const symbol *x = &s->list[number];
  uint32_t here = at < s->tokens.count ? s->scope_of[at] : 0;
  return is_by_name(x) && encloses(s, x->scope, here) &&
         (!x->scope || x->token <= at || s->dve);
}

uint32_t symbol_find(const symbols *s, const char *name, uint32_t at)
{
  uint32_t best = NO_SYMBOL;
  for (uint32_t i = s->heads[slot_of(name)]; i != NO_SYMBOL;
       i = s->list[i].next) {
    if (strcmp(s->list[i].name, name) != 0 || !symbol_is_visible(s, i, at))
      continue;
    if (best == NO_SYMBOL ||
        (s->list[i].scope != s->list[best].scope &&
         encloses(s, s->list[best].scope, s->list[i].scope)))
      best = i;
  }
  return best;
}

/* The symbol of that name in one scope. */
static uint32_t find_inside(const symbols *s, uint32_t in, const char *name,
                            symbol_kind kind)
{
  for (uint32_t i = s->heads[slot_of(name)]; i != NO_SYMBOL;
       i = s->list[i].next)
    if (s->list[i].scope == in && s->list[i].kind == kind &&
        !strcmp(s->list[i].name, name))
      return i;
  return NO_SYMBOL;
}

/* The name before "[...]", if there are brackets before token 'i'. */
static uint32_t base_before(const tokens *t, uint32_t i)
{
  int depth = 0;
  for (i = token_before(t, i); i != NO_TOKEN; i = token_before(t, i)) {
    depth += token_is(t, i, "]");
    depth -= token_is(t, i, "[");
    if (!depth && !token_is(t, i, "["))
      return t->list[i].kind == TOKEN_NAME ? i : NO_TOKEN;
  }
  return NO_TOKEN;
}

/* What a name behind '.', '@' or ':' means; the base was resolved before. */
static uint32_t resolve_member(const symbols *s, const char *name,
                               uint32_t mark)
{
  const tokens *t = &s->tokens;
  uint32_t at = base_before(t, mark);
  uint32_t base = at == NO_TOKEN ? NO_SYMBOL : s->uses[at];
  if (base == NO_SYMBOL)
    return NO_SYMBOL;
  const symbol *b = &s->list[base];
  if (b->kind == SYMBOL_PROCESS && b->inside != NO_SCOPE) {
    symbol_kind kinds[] = {SYMBOL_LABEL, SYMBOL_STATE, SYMBOL_VARIABLE,
                           SYMBOL_PARAMETER, SYMBOL_CHANNEL};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
      uint32_t found = find_inside(s, b->inside, name, kinds[i]);
      if (found != NO_SYMBOL)
        return found;
    }
    return NO_SYMBOL;
  }
  uint32_t fields = scope_of_type(s, b->type);
  return fields == NO_SCOPE ? NO_SYMBOL
                            : find_inside(s, fields, name, SYMBOL_FIELD);
}

/* Macros may name what is local where they are used: the only one there is. */
static uint32_t resolve_in_macro(const symbols *s, const char *name)
{
  uint32_t found = NO_SYMBOL;
  for (uint32_t i = s->heads[slot_of(name)]; i != NO_SYMBOL;
       i = s->list[i].next) {
    if (strcmp(s->list[i].name, name) != 0)
      continue;
    if (!s->list[i].scope)
      return i;
    if (found != NO_SYMBOL)
      return NO_SYMBOL;
    found = i;
  }
  return found;
}

static uint32_t resolve(const symbols *s, uint32_t i)
{
  const tokens *t = &s->tokens;
  const char *name = token_text(s->arena, t, i);
  uint32_t last = token_before(t, i);
  if (!s->dve && token_is(t, last, "goto"))
    return find_inside(s, process_scope(s, s->scope_of[i]), name, SYMBOL_LABEL);
  if (last != NO_TOKEN && (token_is(t, last, ".") || token_is(t, last, "@") ||
                           token_is(t, last, s->dve ? "->" : ":"))) {
    uint32_t member = resolve_member(s, name, last);
    if (member != NO_SYMBOL || token_is(t, last, ".") || token_is(t, last, "@"))
      return member;
  }
  if (t->list[i].directive)
    return resolve_in_macro(s, name);
  return symbol_find(s, name, i);
}

bool symbol_is_written(const symbols *s, uint32_t at)
{
  const tokens *t = &s->tokens;
  uint32_t i = token_behind(t, at);
  int depth = 0;
  symbol_kind kind =
      s->uses[at] == NO_SYMBOL ? SYMBOL_LABEL : s->list[s->uses[at]].kind;
  if (kind != SYMBOL_VARIABLE && kind != SYMBOL_PARAMETER &&
      kind != SYMBOL_FIELD)
    return false;
  for (; i != NO_TOKEN && (depth || token_is(t, i, "["));
       i = token_behind(t, i)) {
    depth += token_is(t, i, "[");
    depth -= token_is(t, i, "]");
  }
  if (token_is(t, i, "=") || token_is(t, i, "++") || token_is(t, i, "--"))
    return true;
  /* Received: behind '?', with nothing but a list between. */
  for (i = token_before(t, at); i != NO_TOKEN; i = token_before(t, i)) {
    if (token_is(t, i, "?") || token_is(t, i, "??"))
      return true;
    if (t->list[i].kind != TOKEN_NAME && t->list[i].kind != TOKEN_NUMBER &&
        !token_is(t, i, ",") && !token_is(t, i, "("))
      return false;
    if (t->list[i].line != t->list[at].line || token_is(t, i, "eval"))
      return false;
  }
  return false;
}

symbols *symbols_of(arena *a, const char *text, size_t length, bool dve)
{
  symbols *s = ARENA_NEW(a, symbols);
  *s = (symbols){.arena = a, .dve = dve};
  s->tokens = tokens_of(a, text, length, !dve);
  s->scope_of = ARENA_ARRAY(a, uint32_t, s->tokens.count + 1);
  s->uses = ARENA_ARRAY(a, uint32_t, s->tokens.count + 1);
  for (uint32_t i = 0; i < s->tokens.count; i++)
    s->uses[i] = NO_SYMBOL;
  for (uint32_t i = 0; i < SYMBOL_SLOTS; i++)
    s->heads[i] = NO_SYMBOL;
  finder f = {.s = s, .t = &s->tokens, .scope = NO_SCOPE};
  add_scope(&f, SYMBOL_LABEL, 0);
  find_all(&f);
  for (uint32_t i = 0; i < s->tokens.count; i++)
    if (s->tokens.list[i].kind == TOKEN_NAME && s->uses[i] == NO_SYMBOL)
      s->uses[i] = resolve(s, i);
  return s;
}
