/* Declarations: variables, channels, mtype names, typedefs, parameters. */

#include "lang/promela/parse/parse_internal.h"

#include <string.h>

/* More slots than anybody can search through. */
enum { MAX_SLOTS = 32767 };

static pml_type type_of(pml_token_kind kind)
{
  switch (kind) {
  case T_BIT:
  case T_BOOL:
    return PML_BIT;
  case T_BYTE:
  case T_PID:
    return PML_BYTE;
  case T_SHORT:
    return PML_SHORT;
  case T_INT:
    return PML_INT;
  case T_UNSIGNED:
    return PML_UNSIGNED;
  case T_MTYPE:
    return PML_MTYPE;
  case T_CHAN:
    return PML_CHAN;
  case T_UNAME:
    return PML_RECORD;
  default:
    return PML_NONE;
  }
}

/* 'value' and 'subrange' are no words of SPIN's language, so they mean
** something only where a name cannot be followed by what follows here, on the
** same line. */
static bool at_word(parser *p, const char *word, pml_token_kind next)
{
  return p->tok.kind == T_NAME && !strcmp(p->tok.name, word) &&
         pml_peek(p) == next && !p->has_held && !p->ahead.newline;
}

static bool at_value(parser *p)
{
  return at_word(p, "value", T_CONST) && !p->ahead.name;
}

bool pml_at_subrange(parser *p)
{
  return at_word(p, "subrange", T_NAME);
}

bool pml_at_declaration(parser *p)
{
  pml_token_kind kind = p->tok.kind;
  return type_of(kind) != PML_NONE || kind == T_HIDDEN || kind == T_SHOW ||
         kind == T_LOCAL || at_value(p);
}

/*------------------------------------------------------------------------*/
/* Types                                                                   */

/* 'value' n: a number from 0 to n - 1 */
static pml_type_ref value_type(parser *p)
{
  pml_type_ref ref = {.type = PML_RANGE, .where = p->tok.where};
  pml_advance(p);
  if (p->tok.value < 1) {
    pml_error(p, p->tok.where, "a variable has at least 1 value, not %d",
              p->tok.value);
    p->panic = p->given_up;
  }
  ref.hi = p->tok.value > 0 ? p->tok.value - 1 : 0;
  pml_advance(p);
  return ref;
}

/* The type in hand; the subtype of an mtype is not consumed. */
static pml_type_ref simple_type(parser *p)
{
  pml_type_ref ref = {.type = type_of(p->tok.kind), .where = p->tok.where};
  if (at_value(p))
    return value_type(p);
  if (ref.type == PML_RECORD) {
    const pml_symbol *symbol = pml_symbol_of(p, p->tok.name);
    if (symbol->record) {
      ref.record = symbol->record;
    } else {
      ref = *symbol->range;
      ref.where = p->tok.where;
    }
  }
  if (ref.type == PML_NONE)
    pml_expected(p, "a type");
  else
    pml_advance(p);
  return ref;
}

/* osubt: [ ':' name ] */
static void subtype(parser *p, pml_type_ref *ref)
{
  if (p->panic || p->tok.kind != T_COLON)
    return;
  span where = p->tok.where;
  pml_advance(p);
  if (ref->type != PML_MTYPE)
    pml_error(p, where, "only mtype can have a subtype");
  ref->subtype = p->tok.name;
  pml_expect(p, T_NAME);
}

/* ch_init: '[' const_expr ']' 'of' '{' type { ',' type } '}' */
static pml_chan *chan_init(parser *p)
{
  pml_mark start = pml_here(p);
  span opened = p->tok.where;
  pml_chan *chan = ARENA_NEW(p->mem, pml_chan);
  pml_advance(p);
  int32_t size = 0;
  span where = p->tok.where;
  pml_parse_const(p, &size);
  if (size < 0 || size > MAX_SLOTS) {
    pml_error(p, where, "a channel has 0 to %d slots, not %d", MAX_SLOTS, size);
    p->panic = false;
    size = 0;
  }
  chan->size = (uint32_t)size;
  pml_close(p, T_RBRACKET, opened);
  pml_expect(p, T_OF);
  opened = p->tok.where;
  if (p->tok.kind != T_LBRACE || p->panic) {
    pml_expected(p, "'{' and the types of the messages");
    return chan;
  }
  pml_open_brace(p);
  size_t base = p->list.len;
  do {
    pml_type_ref *ref = ARENA_NEW(p->mem, pml_type_ref);
    *ref = simple_type(p);
    subtype(p, ref);
    if (ref->type == PML_UNSIGNED)
      pml_error(p, ref->where, "unsigned cannot be the type of a message");
    vec_push(&p->list, ref);
  } while (!p->panic && pml_accept(p, T_COMMA));
  void **refs = pml_take_list(p, base, &chan->count);
  chan->types = ARENA_ARRAY(p->mem, pml_type_ref, chan->count);
  for (uint32_t i = 0; i < chan->count; i++)
    chan->types[i] = *(pml_type_ref *)refs[i];
  pml_close_brace(p, opened);
  chan->where = pml_since(p, start);
  return chan;
}

/*------------------------------------------------------------------------*/
/* Variables                                                               */

/* '{' const { ',' const } '}' */
static void init_list(parser *p, pml_var *var)
{
  span opened = p->tok.where;
  pml_open_brace(p);
  size_t base = p->list.len;
  do {
    int32_t *value = ARENA_NEW(p->mem, int32_t);
    *value = p->tok.value;
    pml_expect(p, T_CONST);
    vec_push(&p->list, value);
  } while (!p->panic && pml_accept(p, T_COMMA));
  void **values = pml_take_list(p, base, &var->init_count);
  var->init_list = ARENA_ARRAY(p->mem, int32_t, var->init_count);
  for (uint32_t i = 0; i < var->init_count; i++)
    var->init_list[i] = *(int32_t *)values[i];
  pml_close_brace(p, opened);
  var->init_kind = INIT_LIST;
}

/* [ '=' ( '{' consts '}' | expr | ch_init ) ] */
static void initialiser(parser *p, pml_var *var)
{
  if (p->panic || !pml_accept(p, T_ASSIGN))
    return;
  if (p->tok.kind == T_LBRACE)
    init_list(p, var);
  else if (p->tok.kind == T_LBRACKET) {
    var->chan = chan_init(p);
    var->init_kind = INIT_CHAN;
  } else {
    var->init = pml_parse_plain(p);
    var->init_kind = INIT_EXPR;
  }
}

/* '[' ( const_expr | name ) ']' */
static void array_size(parser *p, pml_var *var)
{
  span opened = p->tok.where;
  int32_t size = 1;
  pml_advance(p);
  if (p->tok.kind == T_NAME)
    var->size_expr = pml_parse_varref(p);
  else {
    span where = p->tok.where;
    bool good = pml_parse_const(p, &size);
    if (good && size <= 0) {
      pml_error(p, where, "the size of an array must be at least 1, not %d",
                size);
      p->panic = false;
      size = 1;
    }
  }
  var->is_array = true;
  var->size = (uint32_t)size;
  pml_close(p, T_RBRACKET, opened);
}

/* ':' const, the width of an unsigned */
static void width(parser *p, pml_var *var)
{
  pml_advance(p);
  span where = p->tok.where;
  int32_t bits = p->tok.value;
  if (!pml_expect(p, T_CONST))
    return;
  if (var->type.type != PML_UNSIGNED)
    pml_error(p, where, "only unsigned can have a width");
  else if (bits < 1 || bits > 31) {
    pml_error(p, where, "the width of an unsigned is 1 to 31 bits");
    bits = 1;
  }
  var->type.width = (uint8_t)bits;
  if (!p->given_up)
    p->panic = false;
}

/* What SPIN's grammar accepts and its checks refuse. */
static void check_variable(parser *p, const pml_var *var)
{
  const char *what = NULL;
  if (var->type.type == PML_UNSIGNED && !var->type.width)
    what = "an unsigned needs a width: unsigned x : 5";
  else if (var->hidden && var->type.type == PML_BIT)
    what = "a bit cannot be hidden";
  else if (var->init_kind == INIT_CHAN && var->type.type != PML_CHAN)
    what = "only a chan can be initialised with a channel";
  else if (var->init_kind == INIT_LIST && !var->is_array)
    what = "only an array can be initialised with a list";
  else if (var->kind == PML_PARAM && var->init_kind != INIT_NONE)
    what = "a parameter cannot be initialised";
  else if (var->kind == PML_PARAM && var->is_array)
    what = "an array cannot be a parameter";
  else if (var->init_kind == INIT_CHAN && var->assigned_at)
    what = "a channel must be made at the start of a proctype, before the"
           " first statement";
  if (what && !p->panic) {
    pml_error(p, var->where, "%s", what);
    p->panic = p->given_up;
  }
}

/* ivar: name [ ':' const | '[' size ']' ] [ '=' initialiser ] */
static pml_var *variable(parser *p, const pml_var *like)
{
  pml_var *var = ARENA_NEW(p->mem, pml_var);
  *var = *like;
  var->name = p->tok.name;
  var->where = p->tok.where;
  var->size = 1;
  var->proc = p->proc;
  var->scope = p->scope;
  /* The comma that C has between parameters. */
  if (var->kind == PML_PARAM && !p->panic && pml_at_declaration(p)) {
    pml_expected(p, "a name (or ';' before another type)");
    return NULL;
  }
  if (!pml_expect(p, T_NAME))
    return NULL;
  if (p->tok.kind == T_COLON)
    width(p, var);
  else if (p->tok.kind == T_LBRACKET)
    array_size(p, var);
  initialiser(p, var);
  if (var->kind == PML_LOCAL)
    var->assigned_at = !p->init_ok;
  check_variable(p, var);
  return var;
}

/* mtype names: a list is numbered from its end, after the earlier lists. */
static void number_mtypes(parser *p, size_t first, const char *sub)
{
  size_t count = 0;
  for (size_t i = 0; i < first; i++)
    count += p->mtypes.data[i].subtype == sub;
  size_t all = p->mtypes.len - first + count;
  if (all > 255) {
    pml_error(p, p->mtypes.data[p->mtypes.len - 1].where,
              "more than 255 mtype names");
    p->panic = p->given_up;
  }
  for (size_t i = p->mtypes.len; i-- > first;) {
    pml_mtype *m = &p->mtypes.data[i];
    m->value = (uint8_t)++count;
    pml_symbol_of(p, m->name)->mtype = (uint32_t)i + 1;
  }
}

/* 'mtype' [ ':' name ] [ '=' ] '{' name { [ ',' ] name } '}' */
static void mtype_names(parser *p, const pml_type_ref *type, bool visibility)
{
  span opened = p->tok.where;
  size_t first = p->mtypes.len;
  if (p->proc)
    pml_error(p, opened, "mtype names must be declared outside of processes");
  else if (visibility)
    pml_error(p, opened, "mtype names cannot be hidden, shown or local");
  p->panic = p->given_up;
  pml_open_brace(p);
  while (p->tok.kind != T_RBRACE && !p->panic) {
    pml_mtype m = {
        .name = p->tok.name, .subtype = type->subtype, .where = p->tok.where};
    if (pml_accept(p, T_COMMA))
      continue;
    if (p->tok.kind == T_CONST && p->tok.name)
      pml_error(p, m.where, "'%s' is declared twice as an mtype name", m.name);
    else if (pml_expect(p, T_NAME))
      vec_push(&p->mtypes, m);
  }
  for (size_t i = first; i < p->mtypes.len; i++) {
    pml_symbol *symbol = pml_symbol_of(p, p->mtypes.data[i].name);
    if (symbol->mtype && !p->panic)
      pml_error(p, p->mtypes.data[i].where,
                "'%s' is declared twice as an mtype name",
                p->mtypes.data[i].name);
    symbol->mtype = (uint32_t)i + 1;
  }
  if (p->mtypes.len == first && !p->panic)
    pml_expected(p, "a name");
  if (p->mtypes.len > first)
    number_mtypes(p, first, type->subtype);
  pml_close_brace(p, opened);
}

static void keep_variable(parser *p, pml_var *var)
{
  if (var->kind == PML_GLOBAL) {
    var->index = (uint32_t)p->globals.len;
    vec_push(&p->globals, var);
  } else if (var->kind == PML_LOCAL || var->kind == PML_PARAM) {
    var->index = (uint32_t)p->locals.len;
    vec_push(&p->locals, var);
  }
}

/* one_decl: [ 'hidden' | 'show' | 'local' ] type ivar { ',' ivar }
**         | 'mtype' [ ':' name ] [ '=' ] '{' names '}'
** The latter gives a statement without variables. */
pml_stmt *pml_parse_declaration(parser *p, pml_var_kind kind)
{
  pml_mark start = pml_here(p);
  pml_stmt *stmt = pml_new_stmt(p, S_DECL, p->tok.where);
  pml_var like = {.kind = kind};
  like.hidden = p->tok.kind == T_HIDDEN;
  like.show = p->tok.kind == T_SHOW;
  like.local = p->tok.kind == T_LOCAL;
  if (like.hidden || like.show || like.local)
    pml_advance(p);
  like.type = simple_type(p);
  subtype(p, &like.type);
  if (like.type.type == PML_MTYPE && !p->panic &&
      (p->tok.kind == T_ASSIGN || p->tok.kind == T_LBRACE)) {
    pml_accept(p, T_ASSIGN);
    if (p->tok.kind == T_LBRACE)
      mtype_names(p, &like.type, like.hidden || like.show || like.local);
    else
      pml_expected(p, "'{'");
    return stmt;
  }
  stmt->assigns = kind == PML_LOCAL && !p->init_ok;
  size_t base = p->list.len;
  do {
    pml_var *var = p->panic ? NULL : variable(p, &like);
    if (var) {
      vec_push(&p->list, var);
      keep_variable(p, var);
    }
  } while (!p->panic && pml_accept(p, T_COMMA));
  stmt->vars = (pml_var **)pml_take_list(p, base, &stmt->var_count);
  stmt->where = pml_since(p, start);
  return stmt;
}

/*------------------------------------------------------------------------*/
/* Typedefs and parameters                                                 */

static void add_fields(parser *p, const pml_stmt *decl, pml_record *record)
{
  for (uint32_t i = 0; i < decl->var_count; i++) {
    decl->vars[i]->in_record = record;
    decl->vars[i]->proc = NULL;
    vec_push(&p->list, decl->vars[i]);
  }
}

/* 'typedef' name '{' one_decl { ';' one_decl } [ ';' ] '}' */
void pml_parse_typedef(parser *p)
{
  pml_advance(p);
  pml_record *record = ARENA_NEW(p->mem, pml_record);
  record->name = p->tok.name;
  record->where = p->tok.where;
  if (p->tok.kind == T_UNAME)
    pml_error(p, record->where, "typedef '%s' is defined twice", record->name);
  if (!pml_expect(p, T_NAME))
    return;
  span opened = p->tok.where;
  if (p->tok.kind != T_LBRACE) {
    pml_expected(p, "'{'");
    return;
  }
  p->in_sequence = true;
  pml_open_brace(p);
  size_t base = p->list.len;
  while (p->tok.kind != T_RBRACE && !p->panic) {
    if (!pml_at_declaration(p)) {
      pml_expected(p, "the declaration of a field");
      break;
    }
    add_fields(p, pml_parse_declaration(p, PML_FIELD), record);
    if (p->tok.kind != T_RBRACE && !p->panic)
      pml_expect(p, T_SEMI);
    while (pml_accept(p, T_SEMI))
      ;
  }
  if (p->list.len == base && !p->panic)
    pml_expected(p, "the declaration of a field");
  p->in_sequence = false;
  record->fields = (pml_var **)pml_take_list(p, base, &record->field_count);
  for (uint32_t i = 0; i < record->field_count; i++)
    record->fields[i]->index = i;
  record->index = (uint32_t)p->records.len;
  vec_push(&p->records, record);
  /* Known before the token after the brace is read: it may be this name. */
  pml_symbol_of(p, record->name)->record = record;
  pml_close_brace(p, opened);
  pml_unit unit = {.kind = UNIT_RECORD, .record = record};
  vec_push(&p->units, unit);
}

/* 'subrange' name '=' const_expr ( '..' | '...' ) const_expr */
void pml_parse_subrange(parser *p)
{
  pml_advance(p);
  pml_type_ref *range = ARENA_NEW(p->mem, pml_type_ref);
  range->type = PML_RANGE;
  range->where = p->tok.where;
  const char *name = p->tok.name;
  pml_expect(p, T_NAME);
  pml_expect(p, T_ASSIGN);
  if (p->panic || !pml_parse_const(p, &range->lo) || !pml_expect(p, T_DOTDOT))
    return;
  pml_accept(p, T_DOT);
  if (!pml_parse_const(p, &range->hi))
    return;
  if (range->lo > range->hi) {
    pml_error(p, range->where, "there is no number from %d to %d", range->lo,
              range->hi);
    p->panic = p->given_up;
    range->hi = range->lo;
  }
  /* Known before the next token is read: it may be this name. */
  pml_symbol_of(p, name)->range = range;
  if (p->tok.kind == T_NAME && p->tok.name == name)
    p->tok.kind = T_UNAME;
}

/* '(' [ one_decl { ';' one_decl } ] ')' */
void pml_parse_params(parser *p, pml_proc *proc)
{
  span opened = p->tok.where;
  if (!pml_open_paren(p))
    return;
  size_t base = p->list.len;
  while (p->tok.kind != T_RPAR && !p->panic) {
    if (!pml_at_declaration(p)) {
      pml_expected(p, "the declaration of a parameter");
      break;
    }
    pml_stmt *decl = pml_parse_declaration(p, PML_PARAM);
    for (uint32_t i = 0; i < decl->var_count; i++)
      vec_push(&p->list, decl->vars[i]);
    if (p->tok.kind != T_RPAR && !p->panic)
      pml_expect(p, T_SEMI);
    while (pml_accept(p, T_SEMI))
      ;
  }
  proc->params = (pml_var **)pml_take_list(p, base, &proc->param_count);
  pml_close_paren(p, opened);
}
