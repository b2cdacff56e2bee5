#include "logic/ltl.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "logic/ltl_internal.h"
#include <assert.h>

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
  vec_free(&c->tokens);
  vec_free(&c->numbers);
  vec_free(&c->order);
  text_free(&c->printed);
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

uint32_t ltl_add_atom(ltl_context *c, const char *string, size_t length)
{
  if (!c->names)
    c->names = names_create();
  const char *name = name_intern(c->names, string, length);
  for (size_t i = 0; i < c->atoms.len; i++)
    if (c->atoms.data[i] == name)
      return (uint32_t)i;
  vec_push(&c->atoms, name);
  return (uint32_t)c->atoms.len - 1;
}

uint32_t ltl_atom_count(const ltl_context *c)
{
  return (uint32_t)c->atoms.len;
}

const char *ltl_atom_text(const ltl_context *c, uint32_t atom)
{
  return c->atoms.data[atom];
}

unsigned ltl_arity(ltl_op op)
{
  static const uint8_t arity[] = {
#define OP(name, count, spin, letter, word) count,
      LTL_OPS(OP)
#undef OP
  };
  return arity[op];
}

/* ---- facts ----------------------------------------------------------------
 */

enum {
  EVERYTHING = LTL_BOOLEAN | LTL_EVENTUAL | LTL_UNIVERSAL | LTL_NEXT_FREE |
               LTL_SAFETY | LTL_GUARANTEE | LTL_OBLIGATION
};

/* Negation turns eventual into universal formulas, safety into guarantee. */
static unsigned facts_of_not(unsigned a)
{
  unsigned same = a & (LTL_BOOLEAN | LTL_NEXT_FREE | LTL_OBLIGATION);
  return same | (a & LTL_EVENTUAL ? LTL_UNIVERSAL : 0) |
         (a & LTL_UNIVERSAL ? LTL_EVENTUAL : 0) |
         (a & LTL_SAFETY ? LTL_GUARANTEE : 0) |
         (a & LTL_GUARANTEE ? LTL_SAFETY : 0);
}

/* What U and its relatives pass on.  The tables for obligations are those of
** Chang, Manna & Pnueli (1992), extended to W and M. */
static unsigned facts_of_binary(ltl_op op, unsigned a, unsigned b)
{
  unsigned both = a & b, facts = both & LTL_NEXT_FREE;
  bool obligation = a & LTL_OBLIGATION && b & LTL_OBLIGATION;
  facts |= both & (LTL_EVENTUAL | LTL_UNIVERSAL);
  switch (op) {
  case LTL_UNTIL:
    facts |= (b & LTL_EVENTUAL) | (both & LTL_GUARANTEE);
    obligation = obligation && b & LTL_GUARANTEE;
    break;
  case LTL_WEAK_UNTIL:
    facts |= both & LTL_SAFETY;
    obligation = obligation && a & LTL_SAFETY;
    break;
  case LTL_RELEASE:
    facts |= (b & LTL_UNIVERSAL) | (both & LTL_SAFETY);
    obligation = obligation && b & LTL_SAFETY;
    break;
  default: /* strong release */
    facts |= both & LTL_GUARANTEE;
    obligation = obligation && a & LTL_GUARANTEE;
    break;
  }
  return facts | (obligation ? LTL_OBLIGATION : 0);
}

static unsigned facts_of(ltl_op op, unsigned a, unsigned b)
{
  unsigned result = 0;
  switch (op) {
  case LTL_FALSE:
  case LTL_TRUE:
    return EVERYTHING;
  case LTL_ATOM:
    return EVERYTHING & ~(unsigned)(LTL_EVENTUAL | LTL_UNIVERSAL);
  case LTL_NOT:
    return facts_of_not(a);
  case LTL_NEXT:
    return a & ~(unsigned)(LTL_BOOLEAN | LTL_NEXT_FREE);
  case LTL_EVENTUALLY:
    result = LTL_EVENTUAL | (a & (LTL_NEXT_FREE | LTL_UNIVERSAL));
    return result | (a & LTL_GUARANTEE ? LTL_GUARANTEE | LTL_OBLIGATION : 0);
  case LTL_ALWAYS:
    result = LTL_UNIVERSAL | (a & (LTL_NEXT_FREE | LTL_EVENTUAL));
    return result | (a & LTL_SAFETY ? LTL_SAFETY | LTL_OBLIGATION : 0);
  case LTL_AND:
  case LTL_OR:
    return a & b;
  case LTL_IMPLIES:
    return facts_of_not(a) & b;
  case LTL_EQUIV:
    return facts_of_not(a) & a & facts_of_not(b) & b;
  case LTL_UNTIL:
  case LTL_WEAK_UNTIL:
  case LTL_RELEASE:
  case LTL_STRONG_RELEASE:
    return facts_of_binary(op, a, b);
  case LTL_OP_COUNT:
    break;
  }
  return 0;
}

/* ---- making ---------------------------------------------------------------
 */

static uint64_t hash_formula(ltl_op op, const ltl *a, const ltl *b)
{
  uint64_t x = op | (uint64_t)(a ? a->id + 1 : 0) << 8;
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

static ltl *new_formula(ltl_context *c, ltl_op op, const ltl *a, const ltl *b)
{
  ltl *f = ARENA_NEW(c->memory, ltl);
  uint32_t depth = a ? a->depth : 0;
  if (b && b->depth > depth)
    depth = b->depth;
  *f = (ltl){.op = (uint8_t)op, .a = a, .b = b, .id = c->count++};
  f->depth = depth + 1;
  f->facts = (uint8_t)facts_of(op, a ? a->facts : 0, b ? b->facts : 0);
  return f;
}

static const ltl *make(ltl_context *c, ltl_op op, const ltl *a, const ltl *b)
{
  if (!c->functions)
    prepare(c);
  size_t at = hash_formula(op, a, b) & (c->row_count - 1);
  for (const ltl *f = c->rows[at]; f; f = f->next_in_row)
    if (f->op == op && f->a == a && f->b == b)
      return f;
  ltl *f = new_formula(c, op, a, b);
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

const ltl *ltl_unary(ltl_context *c, ltl_op op, const ltl *a)
{
  assert(ltl_arity(op) == 1);
  return make(c, op, a, NULL);
}

const ltl *ltl_binary(ltl_context *c, ltl_op op, const ltl *a, const ltl *b)
{
  assert(ltl_arity(op) == 2);
  return make(c, op, a, b);
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

const char *ltl_class_name(ltl_context *c, const ltl *f)
{
  unsigned facts = f->facts | ltl_simplify(c, f)->facts;
  return facts & LTL_SAFETY       ? "safety"
         : facts & LTL_GUARANTEE  ? "guarantee"
         : facts & LTL_OBLIGATION ? "obligation"
                                  : "reactivity";
}
