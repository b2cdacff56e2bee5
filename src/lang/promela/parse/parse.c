/* The top level: units, and the way from file to tree. */

#include "lang/promela/parse/parse.h"
#include "lang/promela/parse/parse_internal.h"
#include "lang/promela/resolve/resolve.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void **pml_take_list(parser *p, size_t base, uint32_t *count)
{
  size_t n = p->list.len - base;
  void **items = ARENA_ARRAY(p->mem, void *, n);
  if (n)
    memcpy(items, p->list.data + base, n * sizeof *items);
  *count = (uint32_t)n;
  vec_resize(&p->list, base);
  return items;
}

static void **copy_list(parser *p, void **data, size_t n)
{
  void **items = ARENA_ARRAY(p->mem, void *, n);
  if (n)
    memcpy(items, data, n * sizeof *items);
  return items;
}

/*------------------------------------------------------------------------*/
/* Processes                                                               */

static pml_proc *new_proc(parser *p, pml_proc_kind kind, const char *name)
{
  pml_proc *proc = ARENA_NEW(p->mem, pml_proc);
  proc->kind = kind;
  proc->name = name;
  proc->where = p->tok.where;
  proc->index = (uint32_t)p->procs.len;
  vec_push(&p->procs, proc);
  pml_unit unit = {.kind = UNIT_PROC, .proc = proc};
  vec_push(&p->units, unit);
  return proc;
}

/* body: '{' sequence '}' */
static void body(parser *p, pml_proc *proc)
{
  span opened = p->tok.where;
  if (p->panic || p->tok.kind != T_LBRACE) {
    pml_expected(p, "'{'");
    return;
  }
  pml_mark start = pml_here(p);
  p->init_ok = true;
  p->in_sequence = true;
  pml_open_brace(p);
  proc->body = pml_parse_sequence(p, opened);
  p->in_sequence = false;
  p->init_ok = true;
  pml_close_brace(p, opened);
  if (!p->panic)
    proc->body->where = pml_since(p, start);
}

/* Parameters, locals and labels gather in the parser while a body is read.
** Parameters belong to the scope of the body, which does not exist yet when
** they are read. */
static void finish_proc(parser *p, pml_proc *proc)
{
  proc->locals = (pml_var **)copy_list(p, p->locals.data, p->locals.len);
  proc->local_count = (uint32_t)p->locals.len;
  proc->labels =
      (pml_label **)copy_list(p, p->proc_labels.data, p->proc_labels.len);
  proc->label_count = (uint32_t)p->proc_labels.len;
  for (uint32_t i = 0; i < proc->param_count && proc->body; i++)
    proc->params[i]->scope = proc->body->scope;
  vec_clear(&p->locals);
  vec_clear(&p->proc_labels);
  vec_clear(&p->loops);
  p->proc = NULL;
  p->scope = NULL;
  p->level = 0;
}

/* [ 'priority' const ] */
static void opt_priority(parser *p, pml_proc *proc)
{
  if (p->panic || !pml_accept(p, T_PRIORITY))
    return;
  proc->priority = p->tok.value;
  pml_expect(p, T_CONST);
}

/* [ 'provided' '(' expr ')' ] */
static void opt_provided(parser *p, pml_proc *proc)
{
  if (p->panic || !pml_accept(p, T_PROVIDED))
    return;
  span opened = p->tok.where;
  if (pml_open_paren(p)) {
    proc->provided = pml_parse_expr(p);
    pml_close_paren(p, opened);
  }
}

/* [ 'active' [ '[' ( const_expr | name ) ']' ] ] */
static uint32_t opt_active(parser *p, pml_expr **by_name)
{
  int32_t count = 0;
  if (!pml_accept(p, T_ACTIVE))
    return 0;
  span opened = p->tok.where;
  if (!pml_accept(p, T_LBRACKET))
    return 1;
  span where = p->tok.where;
  if (p->tok.kind == T_NAME)
    *by_name = pml_parse_varref(p);
  else if (pml_parse_const(p, &count) && (count < 0 || count > 255)) {
    pml_error(p, where, "0 to 255 processes can be active, not %d", count);
    p->panic = p->given_up;
    count = 0;
  }
  pml_close(p, T_RBRACKET, opened);
  return (uint32_t)count;
}

/* proc: [ active ] ( 'proctype' | 'D_proctype' ) name '(' [ params ] ')'
**       [ priority ] [ provided ] body */
static void proctype(parser *p)
{
  pml_expr *by_name = NULL;
  uint32_t active = opt_active(p, &by_name);
  bool deterministic = p->tok.kind == T_D_PROCTYPE;
  if (p->panic || (p->tok.kind != T_PROCTYPE && !deterministic)) {
    pml_expected(p, "'proctype'");
    return;
  }
  pml_advance(p);
  if (p->tok.kind == T_PNAME) {
    pml_error(p, p->tok.where, "proctype '%s' is defined twice", p->tok.name);
    diag_note(p->diags, pml_symbol_of(p, p->tok.name)->proc->where,
              "the first definition");
    return;
  }
  if (p->tok.kind != T_NAME) {
    pml_expected(p, "the name of the proctype");
    return;
  }
  pml_proc *proc = new_proc(p, PROC_PROCTYPE, p->tok.name);
  proc->active = active;
  proc->active_expr = by_name;
  proc->deterministic = deterministic;
  pml_symbol_of(p, proc->name)->proc = proc;
  pml_advance(p);
  p->proc = proc;
  pml_parse_params(p, proc);
  opt_priority(p, proc);
  opt_provided(p, proc);
  body(p, proc);
  finish_proc(p, proc);
}

/* 'init' [ priority ] body */
static void init(parser *p)
{
  for (size_t i = 0; i < p->procs.len; i++)
    if (((pml_proc *)p->procs.data[i])->kind == PROC_INIT) {
      pml_error(p, p->tok.where, "'init' is defined twice");
      p->panic = p->given_up;
    }
  pml_proc *proc = new_proc(p, PROC_INIT, name_of(p->names, ":init:"));
  proc->active = 1;
  pml_advance(p);
  p->proc = proc;
  opt_priority(p, proc);
  body(p, proc);
  finish_proc(p, proc);
}

/* 'never' [ name ] body */
static void never(parser *p)
{
  char given[32];
  pml_advance(p);
  pml_proc *proc = new_proc(p, PROC_NEVER, NULL);
  if (p->tok.kind == T_NAME) {
    proc->name = p->tok.name;
    pml_advance(p);
  } else {
    snprintf(given, sizeof given, "never_%u", p->never_count);
    proc->name = name_of(p->names, given);
  }
  p->never_count++;
  p->proc = proc;
  body(p, proc);
  finish_proc(p, proc);
}

/* ( 'trace' | 'notrace' ) body */
static void trace(parser *p)
{
  bool no = p->tok.kind == T_NOTRACE;
  for (size_t i = 0; i < p->procs.len; i++) {
    pml_proc_kind kind = ((pml_proc *)p->procs.data[i])->kind;
    if (kind == PROC_TRACE || kind == PROC_NOTRACE) {
      pml_error(p, p->tok.where, "only one trace can be defined");
      p->panic = p->given_up;
    }
  }
  pml_proc *proc = new_proc(p, no ? PROC_NOTRACE : PROC_TRACE,
                            name_of(p->names, no ? ":notrace:" : ":trace:"));
  pml_advance(p);
  p->proc = proc;
  body(p, proc);
  finish_proc(p, proc);
}

/*------------------------------------------------------------------------*/
/* Formulas and embedded C                                                 */

/* The text between the braces as the user wrote it. */
static const char *formula_text(parser *p, span open, span close)
{
  uint32_t from = open.start + open.length;
  if (open.file != close.file || close.start < from)
    return "";
  text *out = &p->excerpt;
  text_clear(out);
  source_excerpt(p->sources, (span){open.file, from, close.start - from}, out);
  size_t first = 0, last = out->len;
  while (first < last && out->data[first] == ' ')
    first++;
  while (last > first && out->data[last - 1] == ' ')
    last--;
  return arena_copy(p->mem, text_string(out) + first, last - first);
}

/* 'ltl' [ name ] '{' formula '}'.  The formula is read after all else, because
** it may speak of what comes later. */
static void ltl(parser *p)
{
  char given[32];
  pml_ltl *it = ARENA_NEW(p->mem, pml_ltl);
  pml_mark start = pml_here(p);
  pml_advance(p);
  it->named = p->tok.kind == T_NAME;
  if (it->named) {
    it->name = p->tok.name;
    pml_advance(p);
  } else {
    snprintf(given, sizeof given, "ltl_%u", p->ltl_unnamed++);
    it->name = name_of(p->names, given);
  }
  if (p->tok.kind != T_LBRACE) {
    pml_expected(p, "'{'");
    return;
  }
  pml_frame *file = &p->frames.data[0];
  const pml_token *tokens = file->tokens;
  uint32_t open = file->pos - 1, close = open, depth = 0;
  for (; tokens[close].kind != T_EOF; close++)
    if (tokens[close].kind == T_LBRACE)
      depth++;
    else if (tokens[close].kind == T_RBRACE && --depth == 0)
      break;
  file->pos = close;
  span opened = p->tok.where;
  pml_advance(p);
  pml_close(p, T_RBRACE, opened);
  if (p->panic)
    return;
  it->where = pml_since(p, start);
  it->text = formula_text(p, opened, tokens[close].where);
  vec_push(&p->ltls, it);
  vec_push(&p->ltl_tokens, open + 1);
  vec_push(&p->ltl_tokens, close + 1);
  pml_unit unit = {.kind = UNIT_LTL, .ltl = it};
  vec_push(&p->units, unit);
}

/* formula: expr [ ';' ] '}', read from tokens put aside. */
static void formulas(parser *p)
{
  p->in_ltl = true;
  for (size_t i = 0; i < p->ltls.len && !diags_full(p->diags); i++) {
    const uint32_t *range = &p->ltl_tokens.data[2 * i];
    pml_ltl *it = p->ltls.data[i];
    pml_token last = p->tokens.data[range[1] - 1];
    /* The closing brace ends the formula's own stream of tokens. */
    uint32_t count = range[1] - range[0];
    pml_token *copy = ARENA_ARRAY(p->mem, pml_token, count);
    memcpy(copy, p->tokens.data + range[0], count * sizeof *copy);
    copy[count - 1] = (pml_token){.kind = T_EOF, .where = last.where};
    p->panic = false;
    pml_feed_start(p, copy, count);
    it->formula = pml_parse_expr(p);
    if (!p->panic)
      pml_accept(p, T_SEMI);
    if (!p->panic && p->tok.kind != T_EOF) {
      pml_expected(p, "an operator or the end of the formula");
      pml_hint_habit(p, it->formula);
    }
  }
  p->in_ltl = false;
}

static pml_c_unit *new_c(parser *p, pml_c_kind kind)
{
  pml_c_unit *c = ARENA_NEW(p->mem, pml_c_unit);
  c->kind = kind;
  c->where = p->tok.where;
  pml_unit unit = {.kind = UNIT_C, .c = c};
  vec_push(&p->units, unit);
  return c;
}

/* ( 'c_state' | 'c_track' ) string string [ string ] */
static void c_state(parser *p)
{
  pml_c_unit *c = new_c(p, p->tok.kind == T_C_STATE ? C_STATE : C_TRACK);
  pml_advance(p);
  for (int i = 0; i < 3 && !p->panic; i++) {
    c->part[i] = p->tok.kind == T_STRING ? p->tok.name : NULL;
    if (i < 2 || p->tok.kind == T_STRING)
      pml_expect(p, T_STRING);
  }
}

static void c_code(parser *p)
{
  bool declares = p->tok.kind == T_C_DECL;
  pml_c_unit *c = new_c(p, declares ? C_DECL : C_CODE);
  pml_advance(p);
  c->code = pml_c_text(p, declares ? C_DECLARES : C_DEFINES, NULL);
}

/*------------------------------------------------------------------------*/
/* Units                                                                   */

static bool begins_unit(pml_token_kind kind)
{
  return kind == T_PROCTYPE || kind == T_D_PROCTYPE || kind == T_ACTIVE ||
         kind == T_INIT || kind == T_NEVER || kind == T_TRACE ||
         kind == T_NOTRACE || kind == T_LTL || kind == T_INLINE ||
         kind == T_TYPEDEF;
}

/* Back from the inlines that are open to the file they were called in, where
** units are. */
static void leave_inlines(parser *p)
{
  if (p->frames.len == 1)
    return;
  while (p->frames.len > 1) {
    pml_close_frame(p, &vec_last(&p->frames));
    (void)vec_pop(&p->frames);
  }
  p->has_ahead = p->has_held = false;
  pml_advance(p);
}

/* After an error that no sequence could catch: on to the next unit. */
static void recover(parser *p)
{
  p->panic = p->given_up;
  p->in_sequence = false;
  p->parens = 0;
  p->level = 0;
  p->proc = NULL;
  p->scope = NULL;
  leave_inlines(p);
  uint32_t depth = 0;
  while (p->tok.kind != T_EOF && !begins_unit(p->tok.kind)) {
    if (p->tok.kind == T_LBRACE)
      depth++;
    else if (p->tok.kind == T_RBRACE && depth)
      depth--;
    else if (p->tok.kind == T_SEMI && !depth && !p->has_held)
      break;
    pml_advance(p);
  }
}

static void declaration(parser *p)
{
  pml_unit unit = {.kind = UNIT_VARS};
  unit.vars = pml_parse_declaration(p, PML_GLOBAL);
  if (unit.vars->var_count)
    vec_push(&p->units, unit);
}

/* unit: proc | init | never | ltl | trace | one_decl | typedef | subrange
**     | inline | c_code | c_decl | c_state | c_track | ';' */
static void unit(parser *p)
{
  switch (p->tok.kind) {
  case T_SEMI:
  case T_ARROW:
    pml_advance(p);
    break;
  case T_ACTIVE:
  case T_PROCTYPE:
  case T_D_PROCTYPE:
    proctype(p);
    break;
  case T_INIT:
    init(p);
    break;
  case T_NEVER:
    never(p);
    break;
  case T_TRACE:
  case T_NOTRACE:
    trace(p);
    break;
  case T_LTL:
    ltl(p);
    break;
  case T_TYPEDEF:
    pml_parse_typedef(p);
    break;
  case T_INLINE:
    pml_inline_definition(p);
    break;
  case T_C_CODE:
  case T_C_DECL:
    c_code(p);
    break;
  case T_C_STATE:
  case T_C_TRACK:
    c_state(p);
    break;
  default:
    if (pml_at_declaration(p))
      declaration(p);
    else if (pml_at_subrange(p))
      pml_parse_subrange(p);
    else
      pml_expected(p, "a declaration, a proctype, 'init', 'never', 'ltl' or"
                      " 'inline'");
    break;
  }
}

static void units(parser *p)
{
  while (p->tok.kind != T_EOF) {
    unit(p);
    if (p->panic)
      recover(p);
  }
}

static void fill_module(parser *p)
{
  promela_module *m = p->module;
  m->unit_count = (uint32_t)p->units.len;
  m->units = ARENA_ARRAY(p->mem, pml_unit, p->units.len);
  if (p->units.len)
    memcpy(m->units, p->units.data, p->units.len * sizeof *m->units);
  m->mtype_count = (uint32_t)p->mtypes.len;
  m->mtypes = ARENA_ARRAY(p->mem, pml_mtype, p->mtypes.len);
  if (p->mtypes.len)
    memcpy(m->mtypes, p->mtypes.data, p->mtypes.len * sizeof *m->mtypes);
#define COPY(field, count)                                                     \
  m->field = (void *)copy_list(p, p->field.data, p->field.len);                \
  m->count = (uint32_t)p->field.len
  COPY(globals, global_count);
  COPY(procs, proc_count);
  COPY(records, record_count);
  COPY(ltls, ltl_count);
#undef COPY
}

/*------------------------------------------------------------------------*/
/* From file to tree                                                       */

static void free_parser(parser *p)
{
  vec_free(&p->tokens);
  vec_free(&p->arg_tokens);
  vec_free(&p->frames);
  vec_free(&p->scope_counts);
  vec_free(&p->list);
  vec_free(&p->labels);
  vec_free(&p->loops);
  vec_free(&p->units);
  vec_free(&p->globals);
  vec_free(&p->procs);
  vec_free(&p->records);
  vec_free(&p->ltls);
  vec_free(&p->locals);
  vec_free(&p->proc_labels);
  vec_free(&p->mtypes);
  vec_free(&p->ltl_tokens);
  text_free(&p->preprocessed);
  text_free(&p->excerpt);
}

static void parse_model(parser *p)
{
  promela_module *m = p->module;
  pml_input in = {.file = m->file};
  if (!pml_read_tokens(p, &in))
    return;
  m->preprocessed = in.preprocessed;
  pml_feed_start(p, p->tokens.data, (uint32_t)p->tokens.len);
  units(p);
  if (!p->given_up)
    formulas(p);
  fill_module(p);
}

/* The names a formula may use have kinds, as in the model.  Macros of the
** model hold in the formula, too. */
static void parse_formula(parser *p)
{
  const promela_module *m = p->module;
  for (uint32_t i = 0; i < m->mtype_count; i++) {
    vec_push(&p->mtypes, m->mtypes[i]);
    pml_symbol_of(p, m->mtypes[i].name)->mtype = i + 1;
  }
  for (uint32_t i = 0; i < m->proc_count; i++)
    if (m->procs[i]->kind == PROC_PROCTYPE)
      pml_symbol_of(p, m->procs[i]->name)->proc = m->procs[i];
  for (uint32_t i = 0; i < m->record_count; i++)
    pml_symbol_of(p, m->records[i]->name)->record = m->records[i];
  pml_input in = {.file = p->formula_file, .formula = true};
  if (!pml_read_tokens(p, &in))
    return;
  p->in_ltl = true;
  pml_feed_start(p, p->tokens.data, (uint32_t)p->tokens.len);
  p->formula = pml_parse_expr(p);
  if (!p->panic && p->tok.kind != T_EOF) {
    pml_expected(p, "an operator or the end of the formula");
    pml_hint_habit(p, p->formula);
  }
}

/* Runs a parser.  Running out of memory must not leave its lists behind. */
typedef struct parsing {
  parser *parser;
  void (*parse)(parser *);
} parsing;

static void do_parse(void *work)
{
  parsing *w = work;
  w->parse(w->parser);
}

static void tidy_parser(void *work)
{
  free_parser(((parsing *)work)->parser);
}

static void guarded(parser *p, void (*parse)(parser *))
{
  parsing work = {p, parse};
  mem_protect_tidy(do_parse, tidy_parser, &work);
}

static parser *new_parser(arena *mem, names *all_names, sources *files,
                          diags *messages, promela_module *module)
{
  parser *p = ARENA_NEW(mem, parser);
  p->mem = mem;
  p->names = all_names;
  p->sources = files;
  p->diags = messages;
  p->module = module;
  p->init_ok = true;
  return p;
}

promela_module *promela_parse(arena *mem, names *all_names, sources *files,
                              diags *messages, uint32_t file,
                              const promela_options *options)
{
  promela_module *m = ARENA_NEW(mem, promela_module);
  m->file = file;
  m->cpp_args = options ? options->cpp_args : NULL;
  m->cpp_arg_count = options ? options->cpp_arg_count : 0;
  m->system_cpp = options && options->system_cpp;
  m->allow_c = options && options->allow_c;
  m->codes_end = &m->codes;
  size_t before = diags_errors(messages);
  guarded(new_parser(mem, all_names, files, messages, m), parse_model);
  if (diags_errors(messages) == before)
    promela_resolve(mem, all_names, messages, m);
  return m;
}

pml_ltl *promela_parse_ltl(arena *mem, names *all_names, sources *files,
                           diags *messages, uint32_t file,
                           promela_module *module, const char *name)
{
  parser *p = new_parser(mem, all_names, files, messages, module);
  p->formula_file = file;
  size_t before = diags_errors(messages), length;
  guarded(p, parse_formula);
  if (diags_errors(messages) == before)
    promela_resolve_formula(mem, all_names, messages, module, p->formula);
  if (diags_errors(messages) > before)
    return NULL;
  pml_ltl *it = ARENA_NEW(mem, pml_ltl);
  const char *source = source_text(files, file, &length);
  it->name = name_of(all_names, name);
  it->named = true;
  it->where = (span){file, 0, (uint32_t)length};
  it->text = arena_copy(mem, source, length);
  it->formula = p->formula;
  return it;
}
