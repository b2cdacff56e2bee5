/* How runs led to the errors that were found: a second walk keeps the levels,
** then one state of each is looked for, from the last level to the first. */

#include "search/levels/levels_internal.h"
#include "search/ranks/fleet.h"

#include "base/alloc.h"
#include "base/system/address_space.h"
#include "search/disk/disk.h"

#include <string.h>

/* ---- levels that are kept ------------------------------------------------- */

/* Levels go to a disk; otherwise they stay in memory, packed. */
static bool go_away(const team *t)
{
  return t->disk && !t->disk->is_dense;
}

/* With a disk. */
static bool add_level(team *t)
{
  vec_push(&t->starts, disk_kept(t->disk) + t->kept.count);
  for (uint32_t i = 0; i < t->count; i++) {
    const frontier *here = &t->walkers[i].here;
    for (size_t k = 0; k < here->count; k++)
      if (!frontier_add(&t->kept, frontier_handles(here)[k]))
        return false;
  }
  return disk_keep_level(t->disk);
}

/* Each walker's part is a run.  The order of states in a level is nobody's concern;
** of the next level nothing is there yet. */
bool ways_keep_level(team *t)
{
  if (go_away(t))
    return add_level(t);
  vec_push(&t->starts, t->packed.used);
  for (uint32_t i = 0; i < t->count; i++) {
    walker *w = &t->walkers[i];
    if (!frontier_has_room(&w->next, w->here.count) ||
        !handle_list_add(&t->packed, frontier_handles(&w->here), w->here.count,
                         frontier_handles(&w->next)))
      return false;
  }
  return !t->disk || disk_keep_level(t->disk);
}

/* The runs up to byte 'end', in 'kept'. */
static bool unpack(team *t, size_t *at, size_t end)
{
  frontier_clear(&t->kept);
  while (*at < end)
    if (!handle_list_read(&t->packed, at, &t->kept))
      return false;
  return true;
}

/* All levels once more, in new places: 'other' is room for one of them. */
static bool pack_again(team *t, store *s,
                       store_handle (*translate)(store *, store_handle),
                       handle_list *made, frontier *other)
{
  size_t at = 0;
  for (size_t i = 0; i < t->starts.len; i++) {
    size_t end = i + 1 < t->starts.len ? t->starts.data[i + 1] : t->packed.used;
    if (!unpack(t, &at, end) || !frontier_has_room(other, t->kept.count))
      return false;
    store_handle *handles = frontier_handles(&t->kept);
    for (size_t k = 0; k < t->kept.count; k++)
      handles[k] = translate(s, handles[k]);
    t->starts.data[i] = made->used;
    if (!handle_list_add(made, handles, t->kept.count, frontier_handles(other)))
      return false;
  }
  return true;
}

bool ways_renumber(team *t, store *s,
                   store_handle (*translate)(store *, store_handle))
{
  handle_list made = {0};
  frontier other = {0};
  size_t room = t->asker->watch.room;
  store_handle *handles = frontier_handles(&t->kept);
  for (size_t n = 0; go_away(t) && n < t->kept.count; n++)
    handles[n] = translate(s, handles[n]);
  if (go_away(t) || !t->packed.used)
    return true;
  bool done = space_reserve(&made.memory, room) &&
              space_reserve(&other.memory, room) &&
              pack_again(t, s, translate, &made, &other);
  if (!done)
    vec_clear(&t->starts);
  reserve_destroy(&other.memory);
  reserve_destroy(&t->packed.memory);
  reserve_shrink(&t->kept.memory, 0);
  frontier_clear(&t->kept);
  t->packed = made;
  return done;
}

/* ---- back ---------------------------------------------------------------- */

static bool leads_there(const search *r, const canonical_bytes *wanted)
{
  const batch *b = &r->batches[0];
  for (size_t i = 0; i < b->list.len; i++) {
    const successor *next = &b->list.data[i];
    if (next->length == wanted->len &&
        !memcmp(b->bytes.data + next->start, wanted->data, wanted->len))
      return true;
  }
  return false;
}

static void set_bytes(canonical_bytes *to, const uint8_t *from, size_t length)
{
  vec_clear(to);
  for (size_t i = 0; i < length; i++)
    vec_push(to, from[i]);
}

void ways_look(walker *w, const uint8_t *state, uint32_t length)
{
  finding *best = &w->back;
  if (!leads_there(&w->own, w->team->wanted_state))
    return;
  program_canonical(w->own.program, state, length, &w->key);
  if (best->is_known && canonical_compare(&w->key, &best->key) >= 0)
    return;
  best->is_known = true;
  set_bytes(&best->key, w->key.data, w->key.len);
  set_bytes(&best->state, state, length);
}

/* Shows some states of a kept level, from number or byte 'start' on, as what is
** expanded next; how many, or how far. */
static size_t show_kept(team *t, size_t start, size_t end)
{
  uint64_t away = disk_kept(t->disk);
  if (!go_away(t)) {
    size_t at = start;
    if (!unpack(t, &at, end)) {
      watch_full(&t->asker->watch);
      return 0;
    }
    t->level = (frontier){.count = t->kept.count};
    t->level.memory.base = t->kept.memory.base;
    return end - start;
  }
  if (start < away)
    return disk_show_kept(t->disk, start, end, &t->level);
  t->level = (frontier){.count = end - start};
  t->level.memory.base = (uint8_t *)(frontier_handles(&t->kept) + start - away);
  return end - start;
}

/* The least state of a kept level that leads to the wanted one; NULL: there is
** none, or the run ended. */
static const canonical_bytes *look_back(team *t, size_t level)
{
  finding *best = NULL;
  if (level + 1 >= t->starts.len) /* the second walk did not get there */
    return NULL;
  t->only[0] = &t->level;
  t->parts = t->only;
  t->part_count = 1;
  for (uint32_t i = 0; i < t->count; i++)
    t->walkers[i].back.is_known = false;
  size_t start = t->starts.data[level], end = t->starts.data[level + 1];
  for (size_t n; start < end && (n = show_kept(t, start, end)); start += n)
    team_run(t, t->asker->loop->level_back, t->level.count > FRONTIER_PIECE);
  if (start < end)
    return NULL;
  for (uint32_t i = 0; i < t->count; i++) {
    finding *f = &t->walkers[i].back;
    if (f->is_known && (!best || canonical_compare(&f->key, &best->key) < 0))
      best = f;
  }
  if (t->asker->fleet && t->asker->fleet->is_spread)
    best = fleet_join_back(t, best);
  return best && !t->asker->watch.stop ? &best->state : NULL;
}

static void add_to_path(team *t, const canonical_bytes *state)
{
  for (size_t i = 0; i < state->len; i++)
    vec_push(&t->path, state->data[i]);
  vec_push(&t->ends, t->path.len);
}

/* The states from the initial one to that of the finding, backwards. */
static bool find_way(team *t, const finding *f)
{
  vec_clear(&t->path);
  vec_clear(&t->ends);
  add_to_path(t, &f->state);
  t->wanted_state = &f->state;
  for (uint64_t level = f->level; level--; t->wanted_state = &t->last) {
    const canonical_bytes *state = look_back(t, level);
    if (!state)
      return false;
    add_to_path(t, state);
    set_bytes(&t->last, state->data, state->len);
  }
  return true;
}

/* ---- telling ------------------------------------------------------------- */

/* As 'search.find_path' and 'state_at': places count from the initial state. */
static void tell_places(search *r, number_list *places)
{
  for (size_t i = 0; i < r->team->ends.len; i++)
    vec_push(places, i);
}

static uint32_t tell_state(search *r, uint64_t place, const uint8_t **state)
{
  const team *t = r->team;
  size_t i = t->ends.len - 1 - place, start = i ? t->ends.data[i - 1] : 0;
  *state = t->path.data + start;
  return (uint32_t)(t->ends.data[i] - start);
}

static bool is_told(const team *t, size_t kind)
{
  return t->found[kind].is_known &&
         kind != t->kinds - FOUND_KINDS + FOUND_STUCK;
}

/* The answer that a finding belongs to; NULL: the run that makes a value too
** large. */
static answer *answer_of(const team *t, size_t kind)
{
  return kind < t->kinds - FOUND_KINDS ? &t->asker->result->answers.data[kind]
                                       : NULL;
}

static void tell(team *t, size_t kind)
{
  search *r = t->asker;
  const finding *f = &t->found[kind];
  answer *a = answer_of(t, kind);
  bool found = find_way(t, f);
  if (a && !found && r->watch.stop) {
    a->untold = r->result->reason;
    return;
  }
  trace **made = a ? &a->trace : &r->result->overflow;
  trace_result result =
      found ? search_trace(r, &f->claim, NULL, made) : TRACE_IMPOSSIBLE;
  if (a)
    answer_traced(a, result, r->watch.limits);
}

/* The same for a place where steps fail, besides the first. */
static void tell_place(team *t, const fault_place *p)
{
  search *r = t->asker;
  answer *a = &r->result->answers.data[p->answer];
  if (find_way(t, &p->found))
    search_trace(r, &p->found.claim, NULL,
                 &a->violations.data[p->violation].trace);
}

/* The walk that keeps the levels, up to that of the last error. */
static void walk_again(team *t)
{
  search *r = t->asker;
  uint64_t deepest = 0;
  for (size_t i = 0; i < t->places.len; i++)
    if (t->places.data[i].found.level > deepest)
      deepest = t->places.data[i].found.level;
  for (size_t kind = 0; kind < t->kinds; kind++)
    if (is_told(t, kind) && t->found[kind].level > deepest)
      deepest = t->found[kind].level;
  r->watch.stop = r->watch.truncated = false;
  r->watch.depth = 0;
  r->shallow.due = UINT64_MAX;
  r->deep.due = 0;
  r->result->stats = (statistics){0};
  r->result->reason = REASON_NONE;
  r->watch.store = search_make_store(r);
  if (!r->watch.store) {
    watch_full(&r->watch);
    return;
  }
  team_begin_again(t);
  if (r->loop->level_begin(r))
    levels_walk(t, deepest);
}

static void tell_all(void *work)
{
  team *t = work;
  search *r = t->asker;
  walk_again(t);
  vec_push(&t->starts,
           t->disk ? disk_kept(t->disk) + t->kept.count : t->packed.used);
  r->find_path = tell_places;
  r->state_at = tell_state;
  for (size_t kind = 0; kind < t->kinds; kind++)
    if (is_told(t, kind))
      tell(t, kind);
  for (size_t i = 0; i < t->places.len; i++)
    tell_place(t, &t->places.data[i]);
}

/* What is not told in the end was not for some reason. */
static void expect_nothing(team *t)
{
  for (size_t kind = 0; kind < t->kinds; kind++)
    if (is_told(t, kind) && answer_of(t, kind))
      answer_of(t, kind)->untold = REASON_OUT_OF_MEMORY;
}

void levels_tell(search *r)
{
  team *t = r->team;
  size_t told = 0;
  for (size_t kind = 0; t && kind < t->kinds; kind++)
    told += is_told(t, kind);
  if (!told) {
    if (t) /* what follows is no part of it */
      worker_set_patience(r->worker, watch_is_over, &r->watch);
    return;
  }
  const watch kept = r->watch;
  const statistics stats = r->result->stats;
  const reason why = r->result->reason;
  bool polled = limits_set_polled(r->watch.limits, true);
  expect_nothing(t);
  mem_protect(tell_all, t);
  limits_set_polled(r->watch.limits, polled);
  store *made = r->watch.store;
  r->watch = kept;
  r->watch.store = made;
  r->result->stats = stats;
  r->result->reason = why;
  worker_set_patience(r->worker, watch_is_over, &r->watch);
}
