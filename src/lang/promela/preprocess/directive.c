/* Lines that begin with '#'. */

#include "lang/promela/preprocess/pp_internal.h"
#include <string.h>

/* ---- conditions ---------------------------------------------------------- */

/* '#if' and its like; 'holds' is not asked for in text that is skipped. */
static void open_condition(pp_state *pp, const pp_token *word, bool holds)
{
  pp_condition c = {.where = word->where,
                    .was_skipping = pp->skipping,
                    .taken = holds || pp->skipping};
  vec_push(&pp->conditions, c);
  pp->skipping |= !holds;
}

static void do_if(pp_state *pp, const pp_token *word)
{
  open_condition(pp, word, !pp->skipping && pp_condition_holds(pp, word));
}

static void if_defined(pp_state *pp, const pp_token *word, bool wanted)
{
  bool holds = false;
  if (!pp->skipping) {
    pp_token t;
    pp_scan(pp, &t);
    if (t.kind != PP_NAME)
      pp_error(pp, t.kind == PP_EOF ? word : &t,
               "expected the name of a macro");
    else if (pp_known(pp, &t))
      holds = pp_is_defined(t.name) == wanted;
  }
  open_condition(pp, word, holds);
}

static void do_ifdef(pp_state *pp, const pp_token *word)
{
  if_defined(pp, word, true);
}

static void do_ifndef(pp_state *pp, const pp_token *word)
{
  if_defined(pp, word, false);
}

/* The condition that this directive belongs to, in this file. */
static pp_condition *open_one(pp_state *pp, const pp_token *word)
{
  if (pp->conditions.len > vec_last(&pp->stack).conditions)
    return &vec_last(&pp->conditions);
  pp_error(pp, word, "'#%s' without '#if'", pp_shown(pp, word));
  return NULL;
}

/* '#else' and '#elif' may not follow '#else'. */
static pp_condition *next_group(pp_state *pp, const pp_token *word)
{
  pp_condition *c = open_one(pp, word);
  if (!c || !c->in_else)
    return c;
  span opened = c->where;
  pp_error(pp, word, "'#%s' after '#else'", pp_shown(pp, word));
  diag_note(pp->diags, opened, "of the condition that begins here");
  return NULL;
}

static void do_else(pp_state *pp, const pp_token *word)
{
  pp_condition *c = next_group(pp, word);
  if (!c)
    return;
  pp->skipping = c->taken;
  c->taken = c->in_else = true;
}

static void do_elif(pp_state *pp, const pp_token *word)
{
  pp_condition *c = next_group(pp, word);
  if (!c)
    return;
  pp->skipping = true;
  if (c->taken)
    return;
  pp->skipping = false; /* so that its names are asked for */
  bool holds = pp_condition_holds(pp, word);
  c = &vec_last(&pp->conditions);
  pp->skipping = !holds;
  c->taken = holds;
}

static void do_endif(pp_state *pp, const pp_token *word)
{
  const pp_condition *c = open_one(pp, word);
  if (!c)
    return;
  pp->skipping = c->was_skipping;
  pp->conditions.len--;
}

/* ---- others -------------------------------------------------------------- */

static void do_define(pp_state *pp, const pp_token *word)
{
  (void)word;
  pp_define(pp);
}

static void do_undef(pp_state *pp, const pp_token *word)
{
  (void)word;
  pp_undef(pp);
}

/* The rest of the line, as it stands there. */
static const char *rest_of_line(pp_state *pp)
{
  pp_skip_blanks(pp);
  const pp_file *f = &vec_last(&pp->stack);
  const char *stop = memchr(f->p, '\n', (size_t)(f->end - f->p));
  size_t length = (size_t)((stop ? stop : f->end) - f->p);
  return arena_copy(pp->mem, f->p, length < 200 ? length : 200);
}

static void do_error(pp_state *pp, const pp_token *word)
{
  pp_error(pp, word, "#error %s", rest_of_line(pp));
}

static void do_warning(pp_state *pp, const pp_token *word)
{
  diag_warn(pp->diags, word->where, "#warning %s", rest_of_line(pp));
}

/* The name of a file after '#line', which a user made up or which is that of
** one of ours. */
static void tell_file(pp_state *pp, const pp_token *t)
{
  char *name = arena_alloc(pp->mem, t->length), *to = name;
  for (const char *p = t->text + 1; p < t->text + t->length - 1; p++) {
    if (*p == '\\' && p + 1 < t->text + t->length - 1)
      p++;
    *to++ = *p;
  }
  pp_file *f = &vec_last(&pp->stack);
  const char *beside = arena_printf(pp->mem, "%s%s", f->folder, name);
  uint32_t source = source_find(pp->files, name);
  if (!source)
    source = source_find(pp->files, beside);
  if (!source)
    source = source_add_label(pp->files, name);
  f->told_source = source ? source : f->source;
  f->name = name;
}

/* '#line 12 "file"': the next line is line 12 of that file. */
static void do_line(pp_state *pp, const pp_token *word)
{
  pp_token t;
  pp_get_text(pp, &t);
  uint64_t line = 0;
  bool number = t.kind == PP_NUMBER;
  for (uint32_t i = 0; i < t.length && number; i++) {
    number = t.text[i] >= '0' && t.text[i] <= '9' && line <= INT32_MAX;
    line = line * 10 + (uint64_t)(t.text[i] - '0');
  }
  if (!number || line > INT32_MAX) {
    pp_error(pp, t.kind == PP_EOF ? word : &t, "expected the number of a line");
    return;
  }
  pp_get_text(pp, &t);
  pp_file *f = &vec_last(&pp->stack);
  if (!f->moved)
    f->told_source = f->source;
  if (t.kind == PP_STRING && t.text[0] == '"')
    tell_file(pp, &t);
  else if (t.kind != PP_EOF)
    pp_error(pp, &t, "expected the name of a file in quotes");
  pp_skip_line(pp);
  f->moved = true;
  f->told_shift = (uint32_t)line - (f->line + 1);
}

/* Most of them are for compilers; those that change how the text is read are
** refused. */
static void do_pragma(pp_state *pp, const pp_token *word)
{
  static const char *const serious[] = {"once", "push_macro", "pop_macro",
                                        "GCC",  "poison",     "system_header"};
  pp_token t;
  (void)word;
  pp_scan(pp, &t);
  for (size_t i = 0; i < sizeof serious / sizeof *serious; i++)
    if (t.kind == PP_NAME && !strcmp(t.name->text, serious[i]))
      pp_error(pp, &t, "'#pragma %s' is not known here" PP_USE_CPP, serious[i]);
}

static void do_ident(pp_state *pp, const pp_token *word)
{
  (void)pp, (void)word;
}

static void do_refuse(pp_state *pp, const pp_token *word)
{
  pp_error(pp, word, "'#%s' is not known here" PP_USE_CPP, pp_shown(pp, word));
}

/* ---- the table ----------------------------------------------------------- */

typedef struct directive {
  const char *name;
  void (*act)(pp_state *, const pp_token *word);
  bool always;  /* also in text that is skipped */
  bool in_args; /* also between the arguments of a macro */
} directive;

static const directive directives[] = {
    {"define", do_define, false, true},
    {"undef", do_undef, false, true},
    {"include", pp_include, false, false},
    {"if", do_if, true, true},
    {"ifdef", do_ifdef, true, true},
    {"ifndef", do_ifndef, true, true},
    {"elif", do_elif, true, true},
    {"else", do_else, true, true},
    {"endif", do_endif, true, true},
    {"line", do_line, false, false},
    {"error", do_error, false, true},
    {"warning", do_warning, false, true},
    {"pragma", do_pragma, false, false},
    {"ident", do_ident, false, false},
    {"sccs", do_ident, false, false},
    {"include_next", do_refuse, false, false},
    {"import", do_refuse, false, false},
    {"embed", do_refuse, false, false},
    {"assert", do_refuse, false, false},
    {"unassert", do_refuse, false, false},
    {"elifdef", do_refuse, true, false},
    {"elifndef", do_refuse, true, false},
};

static const directive *find_directive(const pp_token *word)
{
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
    if (word->kind == PP_NAME && !strcmp(word->name->text, directives[i].name))
      return &directives[i];
  return NULL;
}

static void obey(pp_state *pp, const pp_token *word, bool in_args)
{
  const directive *d = find_directive(word);
  if (!d && (pp->skipping || word->kind == PP_EOF))
    return;
  if (!d && word->kind == PP_NUMBER) {
    pp->ahead = *word; /* a line marker, as preprocessors write them */
    pp->has_ahead = true;
    do_line(pp, word);
  } else if (!d)
    pp_error(pp, word, "there is no directive '#%s'", pp_shown(pp, word));
  else if (pp->skipping && !d->always)
    return;
  else if (in_args && !d->in_args)
    pp_error(
        pp, word,
        "'#%s' between the arguments of a macro is not known here" PP_USE_CPP,
        d->name);
  else
    d->act(pp, word);
}

void pp_directive(pp_state *pp, const pp_token *hash)
{
  uint8_t parsing_args = pp->parsing_args;
  uint32_t quiet = pp->quiet;
  size_t files = pp->stack.len;
  pp_token word;
  (void)hash;
  pp->in_directive = true;
  pp->parsing_args = 0;
  pp->quiet = 0;
  pp_scan(pp, &word);
  obey(pp, &word, parsing_args);
  if (pp->stack.len == files)
    pp_skip_line(pp);
  pp->in_directive = false;
  pp->parsing_args = parsing_args;
  pp->quiet = quiet;
}
