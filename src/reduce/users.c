/* Who uses a slot.
**
** For each slot there are lists of the acts that write it, use it at all, or see
** it in their checks; acts with certain flags are listed besides.  From these
** lists come the acts that may have to do with a given one, so that only they
** are asked: in models whose processes come one by one rows are completed again
** and again, and of some hundred acts a few share a slot with a given one. */

#include "base/alloc.h"
#include "reduce/reduce_internal.h"
#include <string.h>

static void add_user(relations *r, user_kind way, uint32_t slot,
                     uint32_t number)
{
  uint32_t *first = &r->first_user[way][slot];
  vec_push(&r->users, ((slot_user){number, *first}));
  *first = (uint32_t)r->users.len; /* its place, plus 1 */
}

static void add_users(relations *r, user_kind way, const uint64_t *slots,
                      uint32_t number)
{
  for (uint32_t s = slots_next(r->access, slots, 0); s != NO_SLOT;
       s = slots_next(r->access, slots, s + 1))
    add_user(r, way, s, number);
}

void users_prepare(relations *r)
{
  for (int i = 0; i < USER_KINDS; i++)
    r->first_user[i] =
        ARENA_ARRAY(r->arena, uint32_t, (size_t)r->access->words * 64);
  r->sharers = ARENA_ARRAY(r->arena, uint64_t, ACTS_MAX / 64 + 1);
}

void users_enter(relations *r, const act *a, uint32_t number)
{
  add_users(r, USER_WRITES, a->writes, number);
  add_users(r, USER_ALL, a->all, number);
  add_users(r, USER_CHECKS, a->seen_checks, number);
  if (a->flags & ACT_WILD)
    vec_push(&r->wild, number);
  if (a->flags & (ACT_SENDS | ACT_ANSWERS))
    vec_push(&r->halves, number);
  if (a->flags & (ACT_RUNS | ACT_DIES))
    vec_push(&r->comers, number);
  if (a->flags & ACT_CHECKS)
    vec_push(&r->checkers, number);
}

void users_free(relations *r)
{
  vec_free(&r->users);
  vec_free(&r->wild);
  vec_free(&r->halves);
  vec_free(&r->comers);
  vec_free(&r->checkers);
}

/* ---- asking -------------------------------------------------------------- */

static void take_list(relations *r, const number_list *list)
{
  for (size_t i = 0; i < list->len; i++)
    bit_set(r->sharers, list->data[i]);
}

static void take_users_of(relations *r, user_kind way, uint32_t slot)
{
  for (uint32_t i = r->first_user[way][slot]; i; i = r->users.data[i - 1].next)
    bit_set(r->sharers, r->users.data[i - 1].act);
}

static void take_users(relations *r, user_kind way, const uint64_t *slots)
{
  for (uint32_t s = slots_next(r->access, slots, 0); s != NO_SLOT;
       s = slots_next(r->access, slots, s + 1))
    take_users_of(r, way, s);
}

/* Those that have to do with everything, and the other halves of a rendezvous. */
static void begin(relations *r, const act *a)
{
  memset(r->sharers, 0, (r->acts.len / 64 + 1) * sizeof *r->sharers);
  take_list(r, &r->wild);
  if (a->flags & (ACT_SENDS | ACT_ANSWERS))
    take_list(r, &r->halves);
}

const uint64_t *users_disturbing(relations *r, const act *a, fill known)
{
  (void)known;
  begin(r, a);
  take_users(r, USER_WRITES, a->seen_all);
  take_users(r, USER_ALL, a->seen_writes);
  take_users(r, USER_CHECKS, a->writes);
  if (a->flags & (ACT_RUNS | ACT_DIES))
    take_list(r, &r->checkers);
  if (a->flags & ACT_CHECKS) {
    take_users(r, USER_WRITES, a->seen_checks);
    take_list(r, &r->comers);
  }
  if (a->flags & ACT_WILD)
    memset(r->sharers, 0xff, (r->acts.len / 64 + 1) * sizeof *r->sharers);
  return r->sharers;
}

const uint64_t *users_helping(relations *r, const act *a, fill known)
{
  const demand *d = act_unmet(a, known);
  begin(r, a);
  if (d)
    take_users_of(r, USER_WRITES, access_length(r->access, d->channel));
  else
    take_users(r, USER_WRITES, a->seen_tests);
  return r->sharers;
}
