/* Embedded C: what the compiler is to see of it, and its memory. */

#include "lang/promela/lower/lower.h"

#include <ctype.h>
#include <string.h>

/* ---- memory ----------------------------------------------------------- */

/* The text without the blanks around it. */
static const char *trimmed(lower *l, const char *from)
{
  size_t n = strlen(from);
  while (n && isspace((unsigned char)from[n - 1]))
    n--;
  for (; n && isspace((unsigned char)*from); n--)
    from++;
  return arena_copy(l->arena, from, n);
}

/* The name in a declaration: the last one that is not inside brackets. */
static const char *name_in(lower *l, const char *declaration)
{
  size_t end = strcspn(declaration, "[(:"), start;
  while (end && isspace((unsigned char)declaration[end - 1]))
    end--;
  for (start = end; start; start--) {
    unsigned char c = (unsigned char)declaration[start - 1];
    if (!isalnum(c) && c != '_')
      break;
  }
  return name_intern(l->m->names, declaration + start, end - start);
}

static process_type *process_named(lower *l, const char *name, span where)
{
  for (uint32_t i = 0; i < l->module->proc_count; i++)
    if (!strcmp(l->module->procs[i]->name, name))
      return l->procs[i].type;
  diag_error(l->diags, where, "c_state: there is no proctype '%.64s'", name);
  return NULL;
}

/* Its length is set once the compiler was asked. */
static var *new_bytes(lower *l, process_type *owner, const char *name,
                      uint32_t flags, span where)
{
  type t = type_scalar(TYPE_BYTE);
  var *v = owner ? model_add_local(l->m, owner, name, t, where)
                 : model_add_global(l->m, name, t, where);
  v->flags = flags | VAR_OPAQUE | VAR_ARRAY;
  v->length = 1;
  return v;
}

/* c_state "declaration" "Global" | "Local proctype" | "Hidden" [ "value" ] */
static void lower_c_state(lower *l, const pml_c_unit *c)
{
  embed_memory m = {.what = trimmed(l, c->part[0]), .where = c->where};
  const char *place = trimmed(l, c->part[1]);
  m.name = name_in(l, m.what);
  m.initial = c->part[2];
  if (!strcmp(place, "Global")) {
    m.kind = MEMORY_GLOBAL;
  } else if (!strcmp(place, "Hidden")) {
    m.kind = MEMORY_NOWHERE;
  } else if (!strncmp(place, "Local", 5) && isspace((unsigned char)place[5])) {
    m.kind = MEMORY_LOCAL;
    m.owner = process_named(l, trimmed(l, place + 5), c->where);
    if (!m.owner)
      return;
  } else {
    diag_error(l->diags, c->where,
               "c_state is \"Global\", \"Hidden\" or \"Local proctype\", not "
               "\"%.64s\"",
               place);
    return;
  }
  if (!*m.name) {
    diag_error(l->diags, c->where, "c_state declares no variable: \"%.64s\"",
               m.what);
    return;
  }
  if (m.kind != MEMORY_NOWHERE)
    m.var = new_bytes(l, m.owner, m.name, 0, c->where);
  vec_push(&l->m->c_memory, m);
}

/* c_track "address" "size" [ "Matched" | "UnMatched" ] */
static void lower_c_track(lower *l, const pml_c_unit *c)
{
  embed_memory m = {.kind = MEMORY_MATCHED,
                    .what = trimmed(l, c->part[0]),
                    .size = trimmed(l, c->part[1]),
                    .where = c->where};
  const char *how = c->part[2] ? trimmed(l, c->part[2]) : "Matched";
  if (!strcmp(how, "UnMatched")) {
    m.kind = MEMORY_UNMATCHED;
  } else if (strcmp(how, "Matched") != 0) {
    diag_error(l->diags, c->where,
               "c_track is \"Matched\" or \"UnMatched\", not \"%.64s\"", how);
    return;
  }
  m.name = name_of(l->m->names, m.what);
  m.var = new_bytes(l, NULL, m.name,
                    m.kind == MEMORY_UNMATCHED ? (uint32_t)VAR_HIDDEN : 0u,
                    c->where);
  vec_push(&l->m->c_memory, m);
}

void lower_c_memory(lower *l)
{
  for (uint32_t i = 0; i < l->module->unit_count; i++) {
    const pml_unit *u = &l->module->units[i];
    if (u->kind == UNIT_C && u->c->kind == C_STATE)
      lower_c_state(l, u->c);
    else if (u->kind == UNIT_C && u->c->kind == C_TRACK)
      lower_c_track(l, u->c);
  }
  if (l->m->c_memory.len)
    l->m->flags |= MODEL_HAS_C;
}

/* ---- texts ------------------------------------------------------------ */

static embed_kind kind_of(pml_c_use use)
{
  switch (use) {
  case C_DECLARES:
    return EMBED_DECLARES;
  case C_DEFINES:
    return EMBED_DEFINES;
  case C_VALUE:
    return EMBED_VALUE;
  case C_TEST:
    return EMBED_TEST;
  case C_RUNS:
    return EMBED_RUNS;
  }
  return EMBED_DECLARES;
}

/* '\#' stands for a '#' that the preprocessor of the model shall not see. */
static const char *without_escapes(lower *l, const char *from)
{
  char *out = arena_copy(l->arena, from, strlen(from));
  size_t n = 0;
  for (; *from; from++)
    if (from[0] != '\\' || from[1] != '#')
      out[n++] = *from;
  out[n] = 0;
  return out;
}

/* Whether an expression assigns to something, as far as its text tells. */
static bool assigns(const char *at)
{
  for (; *at; at++) {
    if (*at == '"' || *at == '\'') {
      char quote = *at++;
      for (; *at && *at != quote; at++)
        at += *at == '\\' && at[1];
      if (!*at)
        return false;
    } else if ((at[0] == '+' || at[0] == '-') && at[1] == at[0]) {
      return true;
    } else if (*at == '=' || (strchr("<>!", *at) && at[1] == '=')) {
      if (*at == '=' && at[1] != '=')
        return true;
      at++;
    }
  }
  return false;
}

/* SPIN refuses this, too: a search looks at an expression without going on. */
static void check_value(lower *l, const pml_c_code *c)
{
  if ((c->use == C_VALUE || c->use == C_TEST) && assigns(c->text))
    diag_error(l->diags, c->where,
               "a C expression that changes something; that is for c_code");
}

void lower_c_code(lower *l)
{
  for (const pml_c_code *c = l->module->codes; c; c = c->next) {
    embed_code code = {.kind = kind_of(c->use),
                       .text = without_escapes(l, c->text),
                       .owner = c->proc ? l->procs[c->proc->index].type : NULL,
                       .where = c->where};
    vec_push(&l->m->c_code, code);
    check_value(l, c);
    l->m->flags |= MODEL_HAS_C;
  }
}

expr *lower_c(lower *l, const pml_c_code *c)
{
  expr *e = expr_new(l->m, OP_EMBED, NULL, NULL, NULL, c->where);
  e->value = (int32_t)c->index;
  return e;
}
