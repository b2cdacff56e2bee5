/* Candidates: states that the set did not know.  They are compared with the runs. */

#include "search/disk/disk_internal.h"

#include "base/alloc.h"
#include "search/ranks/fleet.h"

#include <assert.h>

/* ---- candidates ----------------------------------------------------------- */

static void note_mark(void *context, uint64_t key, bool marked)
{
  disk *d = context;
  if (!marked)
    disk_spilling(d)->mark(disk_store(d), key, false);
}

size_t keys_drop_found(uint64_t *keys, size_t count)
{
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!(keys[i] & RUN_FOUND))
      keys[kept++] = keys[i];
  return kept;
}

/* States of the next level: figures and errors.  If memory runs out in between some
** are counted, and no file can tell which. */
static void count_new(disk *d, const uint64_t *keys, size_t count)
{
  team *t = d->team;
  walker *w = &t->walkers[0];
  bool was_torn = d->is_torn;
  d->is_torn = true;
  w->result.stats.states += count;
  if (count)
    w->result.stats.depth = t->asker->watch.depth + 1;
  w->own.watch.store = disk_store(d);
  for (size_t i = 0; i < count && t->judges && w->own.judges_states; i++)
    least_judge_late(w, keys[i]);
  d->is_torn = was_torn;
}

/* And where they are kept. */
static void add_new(disk *d, const uint64_t *keys, size_t count)
{
  count_new(d, keys, count);
  bool is_held = !disk_coming(d) && d->held.count + count <= d->most_held &&
                 frontier_has_room(&d->held, count);
  if (!is_held) {
    disk_write_held(d);
    if (count)
      disk_write_next(d, keys, count);
  }
  for (size_t i = 0; i < count && is_held; i++)
    frontier_add(&d->held, keys[i]);
}

/* Keys that whole states were not found for. */
typedef struct unfound {
  disk *disk;
  run_found *found; /* is told the others, unless it is NULL */
  uint64_t *keys;
  size_t count;
} unfound;

static void add_unfound(void *context, const packed_state *s, bool is_there,
                        bool marked)
{
  unfound *u = context;
  if (!is_there)
    u->keys[u->count++] = s->name;
  else if (u->found)
    u->found(u->disk, s->name, marked);
}

/* Leaves those of the sorted keys that are in none of the runs, nor among the
** whole states; how many. */
static size_t ask(disk *d, const tiers *runs, const packed_set *whole,
                  uint64_t *keys, size_t count)
{
  unfound u = {d, disk_reduces(d) ? note_mark : NULL, keys, 0};
  tiers_ask(&d->io, runs, keys, count, u.found, d);
  count = keys_drop_found(keys, count);
  if (!whole->runs.len || d->io.error)
    return count;
  packed_sort_begin(&d->work, RUN_UNMARKED, true);
  for (size_t i = 0; i < count; i++)
    disk_sort_state(d, keys[i]);
  packed_sort_ask(&d->work, &d->io, whole, add_unfound, &u);
  keys_sort(keys, u.count);
  return u.count;
}

/* Finds out which candidates are new. */
static void resolve(disk *d)
{
  team *t = d->team;
  for (uint32_t i = 0; i < t->count && !d->io.error; i++) {
    frontier *next = &t->walkers[i].next;
    uint64_t *keys = frontier_handles(next);
    if (!next->count)
      continue;
    keys_sort(keys, next->count);
    size_t n = keys_unite(keys, next->count);
    tiers_ask(&d->io, &d->seen, keys, n, NULL, NULL);
    n = keys_drop_found(keys, n);
    n = ask(d, &d->next, &d->packed_next, keys, n);
    n = ask(d, &d->here, &d->packed_here, keys, n);
    n = ask(d, &d->old, &d->packed_old, keys, n);
    if (!d->io.error)
      add_new(d, keys, n);
    frontier_clear(next);
    t->asker->result->disk.passes++;
  }
}

/* Without a reduction nobody waits for the answer: candidates are written, and
** asked for at the end of the level, all at once. */
void disk_put_off(disk *d)
{
  team *t = d->team;
  for (uint32_t i = 0; i < t->count && !d->io.error; i++) {
    frontier *next = &t->walkers[i].next;
    uint64_t *keys = frontier_handles(next);
    keys_sort(keys, next->count);
    tiers_write(&d->io, &d->pending, keys, keys_unite(keys, next->count),
                RUN_UNMARKED);
    frontier_clear(next);
  }
}

size_t disk_read_pending(const disk *d, run_stream *s, uint64_t *keys,
                         size_t most)
{
  size_t n = 0;
  while (n < most && sorted_next(s))
    keys[n++] = s->key;
  return d->io.error ? 0 : n;
}

static void put_all(run_writer *w, const uint64_t *keys, size_t count)
{
  for (size_t i = 0; i < count; i++)
    sorted_put(w, keys[i], false);
  sorted_end(w);
}

/* States of the next level, which are in a run already. */
static void put_coming(disk *d, const uint64_t *keys, size_t count)
{
  count_new(d, keys, count);
  if (count && !d->coming.count)
    sorted_begin(&d->coming_writer, &d->io, &d->coming, RUN_UNMARKED, 32);
  if (count)
    put_all(&d->coming_writer, keys, count);
}

/* Candidates that are in no run are written as one, and are new. */
static void resolve_with(disk *d, uint64_t *keys, size_t most)
{
  run_io *io = &d->io;
  const sorted_run *all = &d->pending.runs.data[0];
  run_stream s;
  run_writer made;
  sorted_consume(&s, io, all, RUN_PENDING);
  sorted_begin(&made, io, &d->remade, RUN_UNMARKED, all->right_bits);
  for (size_t n; (n = disk_read_pending(d, &s, keys, most));) {
    tiers_ask(io, &d->old, keys, n, NULL, NULL);
    n = io->error ? 0 : keys_drop_found(keys, n);
    put_all(&made, keys, n);
    put_coming(d, keys, n);
  }
}

/* Finds out which of those that were put off are new: one pass over the runs. */
static void resolve_pending(disk *d)
{
  frontier *next = &d->team->walkers[0].next;
  disk_put_off(d);
  tiers_unite(&d->io, &d->pending);
  if (d->io.error)
    return;
  disk_write_held(d);
  size_t most = frontier_has_some(next, d->most_candidates);
  if (!most)
    mem_give_up();
  resolve_with(d, frontier_handles(next), most);
  tiers_free(&d->io, &d->pending);
  tiers_add(&d->io, &d->old, &d->remade);
  d->team->asker->result->disk.passes++;
}

/* With a reduction states wait for the answer. */
void disk_resolve_some(disk *d)
{
  if (disk_reduces(d))
    resolve(d);
  else
    disk_put_off(d);
}

void disk_resolve_all(disk *d)
{
  if (disk_is_whole(d) && (d->pending.runs.len || d->packed_pending.runs.len))
    disk_resolve_whole(d);
  else if (d->pending.runs.len)
    resolve_pending(d);
  else
    resolve(d);
}

/* ---- choices that wait ---------------------------------------------------- */

/* Marks of some states, as the runs have them. */
static void find_marks(disk *d, uint64_t *keys, size_t count)
{
  keys_sort(keys, count);
  count = ask(d, &d->next, &d->packed_next, keys, keys_unite(keys, count));
  count = ask(d, &d->here, &d->packed_here, keys, count);
  (void)ask(d, &d->old, &d->packed_old, keys, count);
}

/* It is in the set as if it was new, and in no list: it will be found again.  But
** the choices of others may wait for one that they met there. */
void disk_mark_undone(disk *d)
{
  enum { SOME = 256 };
  uint64_t keys[SOME];
  if (!disk_has_spilled(d) || !disk_reduces(d))
    return;
  for (uint32_t i = 0; i < d->team->count; i++) {
    const walker *w = &d->team->walkers[i];
    for (size_t k = 0; w->busy && k < w->own.fresh.len && !d->io.error;) {
      size_t n = 0;
      for (; n < SOME && k < w->own.fresh.len; k++)
        keys[n++] = w->own.fresh.data[k].number;
      find_marks(d, keys, n);
    }
  }
}

/* A record: where the handle of the state is, how many leading successors, how
** many are left out, and these leading ones.  With other ranks the first of these
** is the number of a doubt, and there are only the successors that are own. */
void disk_await(walker *w, uint32_t cohort)
{
  search *r = &w->own;
  size_t first = 0;
  for (uint32_t hand = 0; hand < cohort; hand++) {
    size_t all = r->batches[hand].list.len, chosen = r->chosen[hand];
    r->is_full[hand] = chosen == all;
    if (chosen < all) {
      uint64_t leads = 0;
      for (size_t i = first; i < first + chosen; i++)
        leads += r->leads.data[i];
      vec_push(&w->waiting, (uint64_t)(uintptr_t)&w->piece[hand]);
      vec_push(&w->waiting, leads << 32 | (uint32_t)(all - chosen));
      for (size_t i = first; i < first + chosen; i++)
        if (r->leads.data[i])
          vec_push(&w->waiting, r->handles.data[i]);
    }
    first += chosen;
  }
}

/* Whether one of the leading successors keeps the promise.  All of them were put
** into the set after it was emptied last. */
static bool keeps_promise(const disk *d, const uint64_t *leads, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++) {
    bool marked;
    if (!disk_spilling(d)->has(disk_store(d), leads[i], &marked))
      mem_give_up(); /* it cannot be told: no answer rather than a wrong one */
    if (marked)
      return true;
  }
  return false;
}

static void decide_of(disk *d, walker *w)
{
  for (size_t at = 0; at < w->waiting.len;) {
    const uint64_t *entry = w->waiting.data + at;
    uint64_t leads = entry[1] >> 32;
    store_handle *state = (store_handle *)(uintptr_t)entry[0];
    at += 2 + leads;
    assert(!(*state & FRONTIER_FULL));
    if (keeps_promise(d, entry + 2, leads)) {
      reduce_leave_out(w->own.reduction, (uint32_t)entry[1]);
      continue;
    }
    if (!frontier_add(&d->again, *state))
      mem_give_up();
    *state |= FRONTIER_FULL;
  }
  vec_clear(&w->waiting);
}

/* With other ranks the set may be emptied before they have answered: what it knows
** of this rank's states is noted, for own doubts and for theirs. */
static void tell_desk(disk *d, walker *w)
{
  desk *to = w->own.desk;
  for (size_t at = 0; at < w->waiting.len;) {
    const uint64_t *entry = w->waiting.data + at;
    uint64_t leads = entry[1] >> 32;
    at += 2 + leads;
    to->doubts.data[entry[0]].is_kept |= keeps_promise(d, entry + 2, leads);
  }
  vec_clear(&w->waiting);
  for (size_t i = 0; i < to->late.len; i++)
    desk_amend(to, &to->late.data[i],
               keeps_promise(d, &to->late.data[i].handle, 1));
  vec_clear(&to->late);
}

/* All candidates are resolved. */
void disk_decide(disk *d)
{
  for (uint32_t i = 0; i < d->team->count; i++)
    if (d->team->walkers[i].own.desk)
      tell_desk(d, &d->team->walkers[i]);
    else
      decide_of(d, &d->team->walkers[i]);
}
