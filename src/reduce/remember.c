/* What a reduction by levels has learned, written to a file in the middle of a
** level and entered again.  Relations between acts are found anew. */

#include "reduce/reduce_internal.h"

static void put_signed(block_writer *w, int32_t value)
{
  block_put_number(w, (uint32_t)value);
}

static void put_role(block_writer *w, const relations *r, uint32_t type_index,
                     uint32_t number, const int32_t *values)
{
  block_put_number(w, type_index);
  block_put_number(w, number);
  for (uint32_t i = 0; i < r->kinds[type_index].constant_count; i++)
    put_signed(w, values[i]);
}

/* Those that stand for one process are known by what they were made of. */
static void put_roles(block_writer *w, const relations *r)
{
  uint64_t own = 0;
  for (size_t i = 0; i < r->roles.len; i++)
    own += !r->roles.data[i].generic;
  block_put_number(w, own);
  for (size_t i = 0; i < r->roles.len; i++) {
    const role *o = &r->roles.data[i];
    if (!o->generic)
      put_role(w, r, o->kind, o->number, o->values);
  }
}

static void put_wanted(block_writer *w, const reduction *r)
{
  size_t count = 0;
  for (size_t i = 0; i < r->wanted.len; count++)
    i += reduce_wanted_length(r->of, r->wanted.data + i);
  block_put_number(w, count);
  for (size_t i = 0; i < r->wanted.len;) {
    const int32_t *at = r->wanted.data + i;
    put_role(w, r->of, (uint32_t)at[0], (uint32_t)at[1], at + 2);
    i += reduce_wanted_length(r->of, at);
  }
}

/* What all threads together have added up to in this level. */
static reduce_tally tally_of_all(reduction *const *all, size_t count)
{
  reduce_tally sum = {0};
  for (size_t i = 0; i < count; i++) {
    reduce_tally one = reduce_tally_of(all[i]);
    sum.looked += one.looked;
    sum.found += one.found;
    sum.offered += one.offered;
    sum.left_out += one.left_out;
    sum.expanded += one.expanded;
  }
  return sum;
}

void reduce_remember(reduction *const *all, size_t count, block_writer *w)
{
  const relations *r = all[0]->of;
  reduce_tally own = tally_of_all(all, count);
  bool has_breach = false;
  for (size_t i = 0; i < count; i++)
    has_breach |= all[i]->has_breach;
  const uint64_t numbers[] = {
      r->looked,   r->offered,     r->left_out,  r->expanded,
      r->rests,    r->rests_until, own.looked,   own.found,
      own.offered, own.left_out,   own.expanded, has_breach,
      r->relies,   r->believes,    r->is_full,   r->claim_broken};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    block_put_number(w, numbers[i]);
  put_roles(w, r);
  block_put_number(w, count);
  for (size_t i = 0; i < count; i++)
    put_wanted(w, all[i]);
}

/* ---- entering it again --------------------------------------------------- */

static int32_t get_signed(block_reader *b)
{
  return (int32_t)(uint32_t)block_get_number(b);
}

/* A role into 'r->values'; false: the file is damaged. */
static bool get_role(reduction *r, block_reader *b, role *made)
{
  uint64_t type_index = block_get_number(b), number = block_get_number(b);
  if (block_problem(b) || type_index >= r->of->model->processes.len ||
      number >= POSITIONS_MAX)
    return block_damaged(b, "it has a process that the model does not have");
  uint32_t constants = r->of->kinds[type_index].constant_count;
  vec_resize(&r->values, constants + 1);
  for (uint32_t i = 0; i < constants; i++)
    r->values.data[i] = get_signed(b);
  *made = (role){.kind = (uint32_t)type_index,
                 .number = (uint32_t)number,
                 .values = r->values.data};
  return !block_problem(b);
}

static bool get_roles(reduction *r, block_reader *b)
{
  role o;
  for (uint64_t n = block_get_count(b, 2); n; n--) {
    if (!get_role(r, b, &o))
      return false;
    reduce_enter_role(r->of, &o);
  }
  for (uint64_t lists = block_get_count(b, 1); lists; lists--)
    for (uint64_t n = block_get_count(b, 2); n; n--) {
      if (!get_role(r, b, &o))
        return false;
      reduce_want(r, &o);
    }
  return !block_problem(b);
}

/* The figures of the relations, and of this level. */
static bool get_figures(reduction *r, block_reader *b)
{
  relations *of = r->of;
  of->looked = block_get_number(b);
  of->offered = block_get_number(b);
  of->left_out = block_get_number(b);
  of->expanded = block_get_number(b);
  of->rests = block_get_number(b);
  of->rests_until = block_get_number(b);
  reduce_tally own;
  own.looked = block_get_number(b);
  own.found = block_get_number(b);
  own.offered = block_get_number(b);
  own.left_out = block_get_number(b);
  own.expanded = block_get_number(b);
  reduce_set_tally(r, own);
  return !block_problem(b);
}

bool reduce_recall(reduction *r, block_reader *b)
{
  relations *of = r->of;
  if (!get_figures(r, b))
    return false;
  bool has_breach = block_get_number(b), relies = block_get_number(b);
  bool believes = block_get_number(b), is_full = block_get_number(b);
  bool claim_broken = block_get_number(b);
  of->believes = of->believes && believes;
  vec_clear(&r->wanted);
  if (!get_roles(r, b))
    return false;
  of->relies |= relies;
  of->claim_broken = claim_broken;
  r->has_breach |= has_breach;
  if (is_full && !of->is_full)
    reduce_do_without(of);
  return true;
}

reduce_tally reduce_tally_of(const reduction *r)
{
  return (reduce_tally){r->looked, r->found, r->offered, r->left_out,
                        r->expanded};
}

void reduce_set_tally(reduction *r, reduce_tally t)
{
  r->looked = t.looked;
  r->found = t.found;
  r->offered = t.offered;
  r->left_out = t.left_out;
  r->expanded = t.expanded;
}

/* ---- several processes --------------------------------------------------- */

void reduce_tell(reduction *const *all, size_t count, reduce_news *n)
{
  n->tally = tally_of_all(all, count);
  n->has_breach = false;
  n->relies = all[0]->of->relies;
  vec_clear(&n->wanted);
  for (size_t i = 0; i < count; i++) {
    n->has_breach |= all[i]->has_breach;
    for (size_t k = 0; k < all[i]->wanted.len; k++)
      vec_push(&n->wanted, all[i]->wanted.data[k]);
  }
}

/* Figures are added up by 'reduce_settle', too, whence nothing of 'r' itself. */
void reduce_hear(reduction *r, const reduce_news *n)
{
  relations *of = r->of;
  of->looked += n->tally.looked;
  of->offered += n->tally.offered;
  of->left_out += n->tally.left_out;
  of->expanded += n->tally.expanded;
  of->relies |= n->relies;
  r->has_breach |= n->has_breach;
  for (size_t i = 0; i < n->wanted.len;) {
    int32_t *at = n->wanted.data + i;
    reduce_want(r, &(role){.kind = (uint32_t)at[0],
                           .number = (uint32_t)at[1],
                           .values = at + 2});
    i += reduce_wanted_length(of, at);
  }
}

void reduce_take_over(reduction *r, const reduce_news *n)
{
  reduce_news rest = *n;
  rest.tally = (reduce_tally){0};
  r->looked += n->tally.looked;
  r->found += n->tally.found;
  r->offered += n->tally.offered;
  r->left_out += n->tally.left_out;
  r->expanded += n->tally.expanded;
  reduce_hear(r, &rest);
}
