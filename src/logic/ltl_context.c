/* Contexts of formulas: the unique table, propositions, and what can be asked
** of a formula. */

#include "logic/ltl_context.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "logic/ltl_internal.h"
#include "model/model.h"
#include <assert.h>
#include <string.h>

enum { FIRST_ROWS = 256, FUNCTION_NODES = 1 << 16 };

ltl_context *ltl_create(void)
{
  return mem_alloc(sizeof(ltl_context));
}

void ltl_destroy(ltl_context *c)
{
  if (!c)
    return;
  vec_free(&c->atoms);
  vec_free(&c->atom_nodes);
  vec_free(&c->operands);
  vec_free(&c->function_of);
  vec_free(&c->seen);
  vec_free(&c->numbers);
  vec_free(&c->order);
  mem_free(c->rows, c->row_count * sizeof *c->rows);
  mem_free(c->answers, LTL_ANSWERS * sizeof *c->answers);
  booleans_destroy(c->functions);
  names_destroy(c->names);
  arena_destroy(c->memory);
  mem_free(c, sizeof *c);
}

/* The parts come with the first use: each is in its place before the next is
** asked for, so that a context can be destroyed whenever memory runs out. */
static void prepare(ltl_context *c)
{
  c->memory = arena_create();
  c->rows = mem_alloc(FIRST_ROWS * sizeof *c->rows);
  c->row_count = FIRST_ROWS;
  c->answers = mem_alloc(LTL_ANSWERS * sizeof *c->answers);
  c->functions = booleans_create(FUNCTION_NODES);
}

static bool is_atom(const ltl_proposition *p, const char *name,
                    const expr *condition)
{
  return condition ? p->condition && expr_same(p->condition, condition)
                   : !p->condition && p->text == name;
}

uint32_t ltl_add_atom(ltl_context *c, const char *string, expr *condition)
{
  if (!c->names)
    c->names = names_create();
  const char *name =
      string ? name_intern(c->names, string, strlen(string)) : NULL;
  for (size_t i = 0; i < c->atoms.len; i++)
    if (is_atom(&c->atoms.data[i], name, condition))
      return (uint32_t)i;
  vec_push(&c->atoms, ((ltl_proposition){name, condition}));
  return (uint32_t)c->atoms.len - 1;
}

uint32_t ltl_atom_count(const ltl_context *c)
{
  return (uint32_t)c->atoms.len;
}

const char *ltl_atom_text(const ltl_context *c, uint32_t atom)
{
  return c->atoms.data[atom].text;
}

const expr *ltl_atom_condition(const ltl_context *c, uint32_t atom)
{
  return c->atoms.data[atom].condition;
}

/* ---- making ---------------------------------------------------------------
 */

static uint64_t hash_formula(ltl_op which, const ltl *a, const ltl *b)
{
  uint64_t x = which | (uint64_t)(a ? a->id + 1 : 0) << 8;
  return hash_mix(hash_mix(x) ^ (b ? b->id + 1 : 0));
}

static void enlarge(ltl_context *c)
{
  size_t count = 2 * c->row_count;
  ltl **rows = mem_alloc(count * sizeof *rows);
  for (size_t i = 0; i < c->row_count; i++)
    for (ltl *f = c->rows[i]; f;) {
      ltl *next = (ltl *)f->next_in_row;
      size_t at = hash_formula(f->op, f->a, f->b) & (count - 1);
      f->next_in_row = rows[at];
      rows[at] = f;
      f = next;
    }
  mem_free(c->rows, c->row_count * sizeof *c->rows);
  c->rows = rows;
  c->row_count = count;
}

static ltl *new_formula(ltl_context *c, ltl_op which, const ltl *a,
                        const ltl *b)
{
  ltl *f = ARENA_NEW(c->memory, ltl);
  ltl_init(f, which, a, b);
  f->id = c->count++;
  return f;
}

static const ltl *make(ltl_context *c, ltl_op which, const ltl *a, const ltl *b)
{
  if (!c->functions)
    prepare(c);
  size_t at = hash_formula(which, a, b) & (c->row_count - 1);
  for (const ltl *f = c->rows[at]; f; f = f->next_in_row)
    if (f->op == which && f->a == a && f->b == b)
      return f;
  ltl *f = new_formula(c, which, a, b);
  f->next_in_row = c->rows[at];
  c->rows[at] = f;
  if (c->count > 2 * c->row_count)
    enlarge(c);
  return f;
}

const ltl *ltl_atom(ltl_context *c, uint32_t atom)
{
  assert(atom < c->atoms.len);
  if (!c->functions)
    prepare(c);
  if (c->atom_nodes.len <= atom)
    vec_resize(&c->atom_nodes, atom + 1u);
  if (!c->atom_nodes.data[atom]) {
    ltl *f = new_formula(c, LTL_ATOM, NULL, NULL);
    f->atom = atom;
    f->text = c->atoms.data[atom].text;
    f->condition = c->atoms.data[atom].condition;
    c->atom_nodes.data[atom] = f;
  }
  return c->atom_nodes.data[atom];
}

const ltl *ltl_constant(ltl_context *c, bool value)
{
  if (!c->constants[value])
    c->constants[value] = make(c, value ? LTL_TRUE : LTL_FALSE, NULL, NULL);
  return c->constants[value];
}

const ltl *ltl_unary(ltl_context *c, ltl_op which, const ltl *a)
{
  assert(ltl_arity(which) == 1);
  return make(c, which, a, NULL);
}

const ltl *ltl_binary(ltl_context *c, ltl_op which, const ltl *a, const ltl *b)
{
  assert(ltl_arity(which) == 2);
  return make(c, which, a, b);
}

const ltl *ltl_intern(ltl_context *c, const ltl *f)
{
  expr *e = f->condition;
  if (f->op == LTL_ATOM && !(e && e->op == OP_CONST))
    return ltl_atom(c, ltl_add_atom(c, f->text, e));
  if (!f->a)
    return ltl_constant(c, e ? e->value : f->op == LTL_TRUE);
  const ltl *a = ltl_intern(c, f->a);
  return make(c, f->op, a, f->b ? ltl_intern(c, f->b) : NULL);
}

/* ---- questions ------------------------------------------------------------
 */

static size_t count_new(ltl_context *c, const ltl *f)
{
  size_t count = 0;
  /* Down the left side without recursion: chains of && are long there. */
  for (; f && !c->seen.data[f->id]; f = f->a) {
    c->seen.data[f->id] = 1;
    count += 1 + count_new(c, f->b);
  }
  return count;
}

size_t ltl_size(ltl_context *c, const ltl *f)
{
  vec_clear(&c->seen);
  vec_resize(&c->seen, c->count);
  return count_new(c, f);
}

bool ltl_ignores_stuttering(ltl_context *c, const ltl *f)
{
  return ltl_is(f, LTL_NEXT_FREE) || ltl_is(ltl_simplify(c, f), LTL_NEXT_FREE);
}
