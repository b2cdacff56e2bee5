/* How acts have to do with each other.
**
** Two acts of different processes do not disturb each other when neither writes
** what the other tests, reads or writes: then, where both are possible, both
** stay possible and the order does not matter.  That is more than is needed in
** some cases, which are treated here by themselves: a queue that one fills and
** the other empties, processes that end, and the checks of 'xr' and 'xs'.
**
** An act 'h' of a process stands for all that the process may do behind it
** before it is at the same location again (kind.after). */

#include "base/alloc.h"
#include "reduce/reduce_internal.h"
#include <assert.h>

/* ---- channels ---------------------------------------------------------- */

static uint32_t uses_of(const act *a, uint32_t channel)
{
  for (size_t i = 0; i < a->uses.len; i++)
    if (a->uses.data[i].channel == channel)
      return a->uses.data[i].flags;
  return 0;
}

static const uint32_t takes = USE_RECEIVE | USE_PICK | USE_SOME;
static const uint32_t appends = USE_SEND | USE_ROOM;

static bool only(uint32_t uses, uint32_t these)
{
  return uses && !(uses & ~these);
}

/* The slot belongs to a channel to whose end one act sends, or asks for room
** there, and from which the other takes, or asks for a message: where both are
** possible they do not disturb each other. */
static bool is_queue(const relations *r, const act *a, const act *b,
                     uint32_t slot)
{
  slot_info s = access_slot(r->access, slot);
  if (s.kind != SLOT_LENGTH && s.kind != SLOT_MESSAGES)
    return false;
  uint32_t one = uses_of(a, s.channel), other = uses_of(b, s.channel);
  return (only(one, appends) && only(other, takes)) ||
         (only(other, appends) && only(one, takes));
}

bool acts_meet(const relations *r, const act *a, const act *b)
{
  bool halves = (a->flags & ACT_SENDS && b->flags & ACT_ANSWERS) ||
                (a->flags & ACT_ANSWERS && b->flags & ACT_SENDS);
  for (size_t i = 0; halves && i < a->uses.len; i++) {
    uint32_t channel = a->uses.data[i].channel;
    if (!r->access->channels.data[channel].type->capacity &&
        uses_of(b, channel))
      return true;
  }
  return false;
}

/* ---- xr and xs --------------------------------------------------------- */

/* Whether role 'number' may claim a channel that 'a' uses.  'trusted': one that
** the process of 'a' claims, it does not. */
static bool claims(relations *r, uint32_t number, const act *a, bool trusted)
{
  const role *o = &r->roles.data[number];
  for (size_t i = 0; o->reader && i < a->uses.len; i++) {
    const channel_use *u = &a->uses.data[i];
    uint32_t both = 0;
    if (bit_get(o->reader, u->channel))
      both |= u->flags & (USE_RECEIVE | USE_PICK);
    if (bit_get(o->sender, u->channel))
      both |= u->flags & (USE_SEND | USE_SORTED);
    if (both && !(trusted && claim_is_own(r, a, u->channel, both)))
      return true;
  }
  return false;
}

/* Whether 'b', which writes the slot, may change by that a claim on a channel
** that 'a' uses.  A variable of its own is in its own claims alone; what is
** shared may be in any. */
static bool changes_name(relations *r, const act *a, const act *b,
                         uint32_t slot, bool trusted)
{
  if (!slots_have(a->seen_checks, slot))
    return false;
  if (!r->plain_claims)
    return true;
  slot_info s = access_slot(r->access, slot);
  if (s.kind == SLOT_PROCESSES)
    return false;
  return !s.process || s.remote || claims(r, b->role, a, trusted);
}

/* Whether 'b' changes who claims the channels that 'a' uses. */
static bool changes_claims(relations *r, const act *a, const act *b,
                           bool trusted)
{
  if (!(a->flags & ACT_CHECKS))
    return false;
  if (b->flags & ACT_DIES && claims(r, b->role, a, trusted))
    return true;
  for (size_t i = 0; b->flags & ACT_RUNS && i < r->offspring.len; i++)
    if (claims(r, r->offspring.data[i], a, trusted))
      return true;
  for (uint32_t i = 0; i < b->write_list.count; i++)
    if (changes_name(r, a, b, b->write_list.data[i], trusted))
      return true;
  return false;
}

/* The slot belongs to a channel that 'b' uses only as the process of 'a' claims
** that nobody else does. */
static bool is_ruled_out(relations *r, const act *a, const act *b,
                         uint32_t slot)
{
  slot_info s = access_slot(r->access, slot);
  return (s.kind == SLOT_LENGTH || s.kind == SLOT_MESSAGES) &&
         claim_rules_out(r, a, b, s.channel, uses_of(b, s.channel));
}

/* ---- two acts ---------------------------------------------------------- */

static bool touch(relations *r, const act *a, const act *b, const uint64_t *set,
                  const slot_list *list)
{
  for (uint32_t i = 0; i < list->count; i++)
    if (slots_have(set, list->data[i]) && !is_queue(r, a, b, list->data[i]) &&
        !is_ruled_out(r, a, b, list->data[i]))
      return true;
  return false;
}

/* Of different processes.  Of two that end, the older cannot before the younger
** has: they are never both possible. */
static bool disturbs(relations *r, const act *a, const act *b, fill known)
{
  (void)known;
  if (b->flags & ACT_TIMEOUT)
    return false;
  if ((a->flags | b->flags) & ACT_WILD)
    return true;
  if (a->flags & b->flags & ACT_ONLY_DIES)
    return false;
  return acts_meet(r, a, b) || touch(r, a, b, a->seen_all, &b->write_list) ||
         touch(r, a, b, a->seen_writes, &b->all_list) ||
         changes_claims(r, a, b, true) || changes_claims(r, b, a, false);
}

bool reduce_disturbs(reduction *r, uint32_t one, uint32_t other)
{
  const act *a = r->of->acts.data[one], *b = r->of->acts.data[other];
  return (a->flags | b->flags) & ACT_TIMEOUT || disturbs(r->of, a, b, FILL_ANY);
}

/* Of the same process, at the same location. */
static bool disturbs_inside(relations *r, const act *a, const act *b)
{
  if (b->flags & ACT_TIMEOUT)
    return false;
  return (a->flags | b->flags) & ACT_WILD ||
         slots_meet(r->access, a->all, b->writes) ||
         slots_meet(r->access, a->writes, b->all);
}

const demand *act_unmet(const act *a, fill known)
{
  return known >= FILL_UNMET ? &a->demands[known - FILL_UNMET] : NULL;
}

static bool demands(const act *a, uint32_t channel)
{
  for (uint32_t i = 0; i < a->demand_count; i++)
    if (a->demands[i].channel == channel)
      return true;
  return false;
}

/* Whether what 'b' does to the channel of this slot cannot make 'a' possible: a
** send waits for room, a receive that takes anything for a message.  One from
** the head of an empty channel waits for a send; when the head does not fit, it
** waits for somebody to take it.  What is demanded of a channel, and is there,
** is still there, and the same, behind an act at its other end. */
static bool is_no_help(relations *r, const act *a, const act *b, uint32_t slot,
                       fill known)
{
  slot_info s = access_slot(r->access, slot);
  if (s.kind != SLOT_LENGTH && s.kind != SLOT_MESSAGES)
    return false;
  uint32_t one = uses_of(a, s.channel), other = uses_of(b, s.channel);
  uint32_t sends = USE_SEND | USE_SORTED | USE_ROOM;
  if (only(one, sends) && only(other, sends))
    return true;
  if (known == FILL_MET && demands(a, s.channel) && is_queue(r, a, b, slot))
    return true;
  if (known == FILL_SOME && s.channel + 1 == a->queue)
    return other == USE_SEND;
  bool taken = only(one, takes) && only(other, takes);
  return taken &&
         (known == FILL_EMPTY ||
          !slots_have(a->tests, access_messages(r->access, s.channel)));
}

/* Whether 'b' may do what is demanded: only that can help. */
static bool meets(relations *r, const demand *d, const act *b)
{
  uint32_t other = uses_of(b, d->channel);
  uint32_t sends = USE_SEND | USE_SORTED | USE_ROOM;
  return slots_have(b->writes, access_length(r->access, d->channel)) &&
         !only(other, d->use == USE_ROOM ? sends : takes);
}

static bool helps(relations *r, const act *a, const act *b, fill known)
{
  if (b->flags & ACT_TIMEOUT)
    return false;
  if (b->flags & ACT_WILD || acts_meet(r, a, b))
    return true;
  const demand *d = act_unmet(a, known);
  if (d)
    return meets(r, d, b) &&
           !is_ruled_out(r, a, b, access_length(r->access, d->channel));
  for (uint32_t i = 0; i < b->write_list.count; i++)
    if (slots_have(a->seen_tests, b->write_list.data[i]) &&
        !is_no_help(r, a, b, b->write_list.data[i], known) &&
        !is_ruled_out(r, a, b, b->write_list.data[i]))
      return true;
  return false;
}

/* The process itself may go elsewhere, change what is tested and come back;
** that it was away is no help. */
static bool helps_inside(relations *r, const act *a, const act *b, fill known)
{
  uint32_t own = access_location(r->access, a->edge->process, false);
  if (b->flags & ACT_TIMEOUT)
    return false;
  if (b->flags & ACT_WILD)
    return true;
  if (act_unmet(a, known))
    return meets(r, act_unmet(a, known), b);
  for (uint32_t i = 0; i < b->write_list.count; i++)
    if (b->write_list.data[i] != own &&
        slots_have(a->tests, b->write_list.data[i]) &&
        !is_no_help(r, a, b, b->write_list.data[i], known))
      return true;
  return false;
}

/* ---- rows -------------------------------------------------------------- */

/* Whether an act has to do with another; which others may. */
typedef struct relation {
  bool (*of)(relations *, const act *, const act *, fill);
  const uint64_t *(*among)(relations *, const act *, fill);
} relation;

static const relation disturbing = {disturbs, users_disturbing};
static const relation helping = {helps, users_helping};

/* The row has room for all acts there can be; untouched pages cost nothing. */
static void make_row(relations *r, row *w)
{
  if (!w->bits)
    w->bits = ARENA_ARRAY(r->arena, uint64_t, ACTS_MAX / 64 + 1);
}

static bool meets_after(const uint64_t *direct, const uint64_t *after,
                        uint32_t count)
{
  for (uint32_t i = 0; i < count / 64 + 1; i++)
    if (direct[i] & after[i])
      return true;
  return false;
}

/* Whether a process that may be created has to do with 'a'. */
static bool concerns_offspring(relations *r, const act *a,
                               const relation *which, fill known,
                               const uint64_t *among)
{
  for (size_t i = 0; i < r->offspring.len; i++) {
    const role *o = &r->roles.data[r->offspring.data[i]];
    for (uint32_t k = 0; k < r->kinds[o->kind].count; k++)
      if (bit_get(among, o->first + k) &&
          which->of(r, a, r->acts.data[o->first + k], known))
        return true;
  }
  return false;
}

/* A row that is to be completed.  Others read it only when it is complete. */
typedef struct completion {
  relations *relations;
  row *row;
  act *act;
  void (*complete)(struct completion *);
  const relation *which;
  fill known;
} completion;

/* Whether the act with this number has to do with that of the row. */
static bool is_direct(const completion *c, uint32_t number,
                      const uint64_t *among)
{
  const act *other = c->relations->acts.data[number];
  bool may = bit_get(among, number);
  assert(may || !c->which->of(c->relations, c->act, other, c->known));
  return may && c->which->of(c->relations, c->act, other, c->known);
}

/* Decides the acts of role 'o' in the row. */
static void relate_role(const completion *c, const role *o, bool offspring,
                        const uint64_t *among)
{
  const kind *k = &c->relations->kinds[o->kind];
  uint64_t direct[KIND_MAX / 64 + 1] = {0};
  bool some = offspring;
  for (uint32_t i = 0; i < k->count; i++)
    if (is_direct(c, o->first + i, among)) {
      bit_set(direct, i);
      some = true;
    }
  for (uint32_t i = 0; some && i < k->count; i++)
    if (meets_after(direct, k->after[i], k->count) ||
        (offspring && k->makes[i]))
      bit_set(c->row->bits, o->first + i);
}

static bool is_complete(const row *w, size_t count)
{
  return __atomic_load_n(&w->known, __ATOMIC_ACQUIRE) >= count;
}

static void do_complete(void *work)
{
  completion *c = work;
  c->complete(c);
}

static void unlock(void *work)
{
  pthread_mutex_unlock(&((completion *)work)->relations->lock);
}

static const uint64_t *complete_row(completion c, size_t count)
{
  pthread_mutex_lock(&c.relations->lock);
  if (is_complete(c.row, count))
    unlock(&c);
  else
    mem_protect_tidy(do_complete, unlock, &c);
  return c.row->bits;
}

static void know(row *w, size_t count)
{
  __atomic_store_n(&w->known, (uint32_t)count, __ATOMIC_RELEASE);
}

/* Completes the row for the roles that have come since. */
static void complete_outside(completion *c)
{
  relations *r = c->relations;
  row *w = c->row;
  make_row(r, w);
  const uint64_t *among = c->which->among(r, c->act, c->known);
  if (!w->known)
    w->offspring = concerns_offspring(r, c->act, c->which, c->known, among);
  for (size_t i = 0; i < r->roles.len; i++)
    if (r->roles.data[i].first >= w->known)
      relate_role(c, &r->roles.data[i], w->offspring, among);
  know(w, r->acts.len);
}

static const uint64_t *look_up(relations *r, act *a, row *w,
                               const relation *which, fill known)
{
  if (is_complete(w, r->acts.len))
    return w->bits;
  return complete_row((completion){r, w, a, complete_outside, which, known},
                      r->acts.len);
}

const uint64_t *acts_disturbing(relations *r, act *a)
{
  return look_up(r, a, &a->disturbed, &disturbing, FILL_ANY);
}

const uint64_t *acts_helping(relations *r, act *a, fill known)
{
  return look_up(r, a, &a->helped[known], &helping, known);
}

static void disturb_inside(completion *c)
{
  relations *r = c->relations;
  const role *o = &r->roles.data[c->act->role];
  uint32_t count = r->kinds[o->kind].count;
  c->row->bits = ARENA_ARRAY(r->arena, uint64_t, count / 64 + 1);
  for (uint32_t i = 0; i < count; i++)
    if (disturbs_inside(r, c->act, r->acts.data[o->first + i]))
      bit_set(c->row->bits, i);
  know(c->row, count);
}

/* Only what is at the same location now matters: another edge of the process
** can come first only when it stays there, and then it is one of these. */
const uint64_t *acts_disturbing_inside(relations *r, act *a)
{
  row *w = &a->disturbed_inside;
  if (is_complete(w, 1))
    return w->bits;
  return complete_row((completion){r, w, a, disturb_inside, NULL, FILL_ANY}, 1);
}

static void help_inside(completion *c)
{
  relations *r = c->relations;
  const act *a = c->act;
  const role *o = &r->roles.data[a->role];
  const kind *k = &r->kinds[o->kind];
  uint64_t *direct = ARENA_ARRAY(r->arena, uint64_t, k->count / 64 + 1);
  uint64_t *bits = ARENA_ARRAY(r->arena, uint64_t, k->count / 64 + 1);
  for (uint32_t i = 0; i < k->count; i++)
    if (helps_inside(r, a, r->acts.data[o->first + i], c->known))
      bit_set(direct, i);
  const uint64_t *among = users_helping(r, a, c->known);
  bool offspring = concerns_offspring(r, a, &helping, c->known, among);
  for (uint32_t i = 0; i < k->count; i++)
    if (meets_after(direct, k->after[i], k->count) ||
        (offspring && k->makes[i]))
      bit_set(bits, i);
  c->row->bits = bits;
  know(c->row, k->count);
}

const uint64_t *acts_helping_inside(relations *r, act *a, fill known)
{
  row *w = &a->helped_inside[known];
  if (is_complete(w, 1))
    return w->bits;
  return complete_row((completion){r, w, a, help_inside, NULL, known}, 1);
}

bool act_leads_to_visible(const relations *r, uint32_t h)
{
  const role *o = &r->roles.data[r->acts.data[h]->role];
  const kind *k = &r->kinds[o->kind];
  const uint64_t *after = k->after[h - o->first];
  for (uint32_t i = 0; i < k->count; i++)
    if (bit_get(after, i) && r->acts.data[o->first + i]->flags & ACT_VISIBLE)
      return true;
  for (size_t n = 0; k->makes[h - o->first] && n < r->offspring.len; n++) {
    const role *child = &r->roles.data[r->offspring.data[n]];
    for (uint32_t i = 0; i < r->kinds[child->kind].count; i++)
      if (r->acts.data[child->first + i]->flags & ACT_VISIBLE)
        return true;
  }
  return false;
}
