/* States are taken away when the product is on disk (search/disk): in the same
** stages as in memory (stages.c), by one thread, with notes in a file.
**
**   all      the states, a sorted run: the n-th has number n
**   notes    of each by its number: whether it is left, steps to it, what was
**            given on the way, whether it waits
**   steps    found, and not yet noted: when they are many they are sorted, and
**            noted in one pass over the blocks that have their states
**   lists    states that wait, in memory and beyond that in a file
**
** What a stage does with states may be done in any order (docs/internals/runs.md),
** so also late, for many steps at a time.  What is late must not be lost: 'settle'
** notes all steps that are left before a stage, or a layer of one, is over.
**
** On several ranks each has its own states in this way, or in memory.  A sweep or a
** layer is a part of all of them (docs/internals/ranks.md): steps to states of others
** are sent, and those that come are put to the steps that were found here.  */

#include "search/runs/on_disk.h"

#include "base/alloc.h"
#include "search/checkpoint/checkpoint.h"
#include "search/disk/kept_disk.h"
#include "search/ranks/fleet.h"

#include <string.h>

enum { LOOK = 64 }; /* states of a sweep that may go by between two looks */

static bool has_failed(runs_disk *d)
{
  return disk_has_failed(d->disk);
}

/* ---- notes ----------------------------------------------------------------- */

/* What only one stage needs is zero again. */
static bool reset(runs_disk *d)
{
  d->is_fresh = true;
  for (uint64_t i = 0; i < d->all->count && !d->disk->io.error; i++) {
    uint8_t *note = note_file_at(&d->notes, i, true);
    memset(note + 1, 0, d->notes.width - 1);
    *note &= DISK_IS_LEFT;
    if (i % LOOK == LOOK - 1 && !runs_is_spread(d->of) &&
        !runs_disk_goes_on(d, 1))
      return false;
  }
  d->is_fresh = false;
  return !has_failed(d);
}

/* ---- lists ----------------------------------------------------------------- */

void runs_await(runs_disk *d, store_handle handle)
{
  frontier *f = d->next.some;
  if (f->count >= d->most || !frontier_has_room(f, 1))
    (void)kept_levels_write(&d->next.rest, &d->disk->io, f);
  if (!frontier_add(f, handle))
    mem_give_up();
}

static void turn_over(runs_disk *d)
{
  waiting_list done = d->here;
  kept_levels_free(&done.rest, &d->disk->io);
  frontier_clear(done.some);
  d->here = d->next;
  d->next = done;
}

/* ---- steps ------------------------------------------------------------------ */

/* To a state that must be there; false: it is not, or the disk fails, or time is
** up while it is at work. */
static bool go_to(runs_disk *d, run_stream *s, store_handle handle)
{
  if (sorted_go_to(s, handle))
    return true;
  d->walker->is_over |= !has_failed(d);
  return false;
}

/* Notes all steps that were found.  False: the run ends. */
static bool settle(runs_disk *d)
{
  run_stream s;
  sorted_open(&s, &d->disk->io, d->all, 0);
  for (size_t i = 0; i < d->steps.count; i++) {
    const found_step *one = &d->steps.steps[i];
    if (!go_to(d, &s, one->key))
      return false;
    if (!d->take(d, one, d->before.data[s.block] + s.read))
      return false;
  }
  d->steps.count = 0;
  return !has_failed(d);
}

bool runs_settle_steps(runs_disk *d, bool adds)
{
  step_list_sort(&d->steps, adds);
  return settle(d);
}

/* Those that lead to the same state may leave room enough. */
bool runs_put_step(runs_disk *d, store_handle to, uint64_t value, bool adds)
{
  step_list *l = &d->steps;
  l->steps[l->count++] = (found_step){to, value};
  if (l->count < l->most)
    return true;
  step_list_sort(l, adds);
  return l->count < l->most / 2 || settle(d);
}

/* Gains are united, numbers of steps are added. */
static bool put(runs_disk *d, store_handle to, uint64_t value)
{
  return runs_put_step(d, to, value, !runs_is_passing(d->of));
}

static bool settle_last(runs_disk *d)
{
  return runs_settle_steps(d, !runs_is_passing(d->of));
}

bool runs_put_foreign(runs_walker *w, const runs_target *t)
{
  return put(w->of->on_disk, t->handle, runs_is_passing(w->of) ? t->gains : 1);
}

uint64_t runs_had(const runs_walker *w, const runs_state *from)
{
  const runs_disk *d = w->of->on_disk;
  return d->had[from - d->cohort];
}

/* ---- passes ------------------------------------------------------------------ */

/* Nothing is in the middle here.  Who is told to end keeps it so. */
bool runs_disk_goes_on(runs_disk *d, uint32_t expansions)
{
  runs_walker *w = d->walker;
  w->is_amid = false;
  if (!walker_goes_on(w->own->walker, expansions))
    return false;
  w->is_amid = true;
  return !w->is_over && !has_failed(d);
}

/* The steps that were found are noted before a file is written. */
bool runs_settle(runs *r)
{
  runs_disk *d = r->on_disk;
  if (!d)
    return true;
  d->walker->is_amid = true;
  d->walker->is_amid = !settle_last(d);
  return !d->walker->is_amid;
}

static bool pass_cohort(runs_disk *d)
{
  search *own = d->walker->own;
  bool done = runs_pass_over(d->walker, &d->pass, d->cohort, d->count);
  if (own->watch.stop)
    watch_stop(&d->of->search.watch, own->result->reason);
  uint32_t count = d->count;
  d->count = 0;
  if (done && own->desk && desk_is_due(own->desk, count))
    done = runs_serve(d->walker);
  return done && !has_failed(d) && runs_disk_goes_on(d, count + 1);
}

/* Each sweep comes to every state, and forgets what it was told. */
static bool was_done(runs_disk *d, uint8_t *note)
{
  if (!(*note & DISK_IS_DONE))
    return false;
  *note &= (uint8_t)~DISK_IS_DONE;
  d->notes.is_changed = true;
  return true;
}

/* All states whose notes are as 'wants' says. */
static bool sweep(runs_disk *d)
{
  run_stream s;
  sorted_open(&s, &d->disk->io, d->all, RUN_LEVEL);
  for (d->swept = 0; sorted_next(&s);) {
    uint8_t *note = note_file_at(&d->notes, d->swept, false);
    runs_state *at = &d->cohort[d->count];
    *at = (runs_state){.handle = s.key, .slot = d->swept++};
    if (!was_done(d, note) && d->wants(d, note))
      d->had[d->count++] = runs_note_mask(d, note);
    bool is_due = d->count == COHORT_MAX || d->swept % LOOK == 0;
    if (is_due && !pass_cohort(d))
      return false;
  }
  return !has_failed(d) && (!d->count || pass_cohort(d));
}

/* Some that waited.  Those that have something to pass on are looked for in the
** notes. */
static bool pass_some(runs_disk *d, store_handle *handles, size_t count)
{
  run_stream s;
  d->piece_end = handles + count;
  keys_sort(handles, count);
  sorted_open(&s, &d->disk->io, d->all, RUN_LEVEL);
  for (size_t i = 0; i < count; i++) {
    d->cohort[d->count] = (runs_state){.handle = handles[i]};
    if (runs_is_passing(d->of)) {
      if (!go_to(d, &s, handles[i]))
        return false;
      uint64_t number = d->before.data[s.block] + s.read;
      uint8_t *note = note_file_at(&d->notes, number, true);
      *note &= (uint8_t)~DISK_IS_WAITING;
      d->had[d->count] = runs_note_mask(d, note);
    }
    d->piece_left = count - i - 1;
    if (++d->count == COHORT_MAX && !pass_cohort(d))
      return false;
  }
  return !d->count || pass_cohort(d);
}

/* Those of the layer that are in the file. */
static bool pass_rest(runs_disk *d)
{
  frontier *some = &d->disk->again;
  for (d->at = 0; d->at < d->here.rest.count;) {
    frontier_clear(some);
    size_t n =
        kept_levels_read(&d->here.rest, &d->disk->io, d->at, RUNS_CHUNK, some);
    d->at += n;
    if (!n || !pass_some(d, frontier_handles(some), n)) {
      (void)has_failed(d); /* which notes why */
      return false;
    }
  }
  return true;
}

/* All that wait. */
static bool pass_waiting(runs_disk *d)
{
  d->is_last = false;
  if (!pass_rest(d))
    return false;
  d->is_last = true;
  return pass_some(d, frontier_handles(d->here.some), d->here.some->count);
}

/* ---- parts ------------------------------------------------------------------- */

static uint64_t waiting(const runs_disk *d)
{
  return d->next.some->count + d->next.rest.count;
}

/* With other ranks: what came is noted as well before this rank comes to the end of
** the part. */
static void work_with_others(search *own, bool (*work)(runs_disk *))
{
  runs_disk *d = own->runner->of->on_disk;
  d->is_done = work(d) && runs_end_part(own->runner) && settle_last(d);
}

static void sweep_with_others(search *own)
{
  work_with_others(own, sweep);
}

static void pass_with_others(search *own)
{
  work_with_others(own, pass_waiting);
}

/* What this rank has counted becomes that of all; one that was left in the middle,
** for whatever reason, ends it for all. */
static void join(runs_disk *d)
{
  runs *r = d->of;
  const runs_walker *w = d->walker;
  runs_sums own = {.counted = w->states, .owned = w->owned};
  own.waiting = waiting(d);
  if (w->own->watch.stop)
    watch_stop(&r->search.watch, w->own->result->reason);
  r->gives_up |= w->is_over || !(d->is_done || r->search.watch.stop);
  if (r->gives_up)
    watch_stop(&r->search.watch, REASON_NONE);
  fleet_join_sweep(r->search.team, &own, &r->gives_up);
  r->owned = own.owned;
  d->counted = own.counted;
}

/* A sweep, or a layer of those that wait.  False: the run ends. */
static bool do_part(runs_disk *d, bool is_layer)
{
  runs *r = d->of;
  d->is_done = false;
  if (!runs_is_spread(r)) {
    d->is_done = (is_layer ? pass_waiting(d) : sweep(d)) && settle_last(d);
    d->counted = d->walker->states;
    return d->is_done;
  }
  r->is_sweeping = true;
  fleet_sweep(r->search.team, is_layer ? pass_with_others : sweep_with_others,
              runs_drain, false);
  r->is_sweeping = false;
  join(d);
  return !r->search.watch.stop && !r->gives_up;
}

static bool do_sweep(runs_disk *d, bool (*wants)(runs_disk *, uint8_t *note),
                     runs_pass pass)
{
  d->wants = wants;
  d->pass = pass;
  return do_part(d, false);
}

/* Layer by layer, until nobody waits. */
static bool follow(runs_disk *d, runs_pass pass)
{
  runs *r = d->of;
  d->pass = pass;
  while (runs_is_spread(r) ? r->search.fleet->size : waiting(d)) {
    turn_over(d);
    if (!do_part(d, true))
      return false;
  }
  return true;
}

/* ---- elimination -------------------------------------------------------------- */

static runs_disk *disk_of(const runs_walker *w)
{
  return w->of->on_disk;
}

static bool put_steps(runs_walker *w, const runs_state *from,
                      const runs_target *t, size_t count)
{
  (void)from;
  for (size_t i = 0; i < count; i++)
    if (!put(disk_of(w), t[i].handle, 1))
      return false;
  return true;
}

static bool wants_all(runs_disk *d, uint8_t *note)
{
  (void)d, (void)note;
  return true;
}

static bool wants_left(runs_disk *d, uint8_t *note)
{
  (void)d;
  return *note & DISK_IS_LEFT;
}

/* A rank may have states of others, from before they had owners. */
static bool is_of_interest(runs_walker *w, const runs_state *s,
                           const uint8_t *state, uint32_t length)
{
  const desk *others = w->own->desk;
  if (others && !desk_owns(others, fleet_hash(state, length)))
    return false;
  w->owned++;
  if (!w->of->sccs.data[s->place].accepts)
    return false;
  *note_file_at(&disk_of(w)->notes, s->slot, true) |= DISK_IS_LEFT;
  w->states++;
  return true;
}

static bool is_counted(runs_walker *w, const runs_state *s,
                       const uint8_t *state, uint32_t length)
{
  (void)s, (void)state, (void)length;
  w->states++;
  return true;
}

static bool is_gone(runs_walker *w, const runs_state *s, const uint8_t *state,
                    uint32_t length)
{
  (void)w, (void)s, (void)state, (void)length;
  return true;
}

static bool count_steps(runs_disk *d, const found_step *s, uint64_t number)
{
  uint8_t *note = note_file_at(&d->notes, number, true);
  runs_set_note_steps(note, runs_note_steps(note) + s->value);
  d->of->is_vague |= runs_note_steps(note) == RUNS_STEPS_MOST;
  return true;
}

/* A state with so many steps that they are not known stays. */
static bool take_steps(runs_disk *d, const found_step *s, uint64_t number)
{
  uint8_t *note = note_file_at(&d->notes, number, true);
  uint64_t steps = runs_note_steps(note);
  if (!(*note & DISK_IS_LEFT) || steps == RUNS_STEPS_MOST)
    return true;
  runs_set_note_steps(note, steps > s->value ? steps - s->value : 0);
  if (steps > s->value)
    return true;
  *note &= (uint8_t)~DISK_IS_LEFT;
  d->walker->states++;
  runs_await(d, s->key);
  return true;
}

/* States to which no step leads go first. */
static bool picks(runs_disk *d, uint8_t *note)
{
  if (!(*note & DISK_IS_LEFT) || runs_note_steps(note))
    return false;
  *note &= (uint8_t)~DISK_IS_LEFT;
  d->notes.is_changed = true;
  d->walker->states++;
  runs_await(d, d->cohort[d->count].handle);
  return false;
}

/* With other ranks all states of all were looked at first. */
static bool count(runs_disk *d, bool first)
{
  runs *r = d->of;
  d->take = count_steps;
  bool done =
      first ? do_sweep(d, wants_all,
                       (runs_pass){NULL, is_of_interest, put_steps}) &&
                  (!runs_is_spread(r) || runs_has_all(r))
            : do_sweep(d, wants_left, (runs_pass){NULL, is_counted, put_steps});
  r->left = done ? d->counted : r->left;
  return done;
}

/* Those that were picked, and those that follow. */
static bool take_all(runs_disk *d)
{
  runs *r = d->of;
  d->take = take_steps;
  if (!runs_is_spread(r))
    d->counted = d->walker->states;
  if (!follow(d, (runs_pass){NULL, is_gone, put_steps}))
    return false;
  r->left -= d->counted;
  return true;
}

/* ---- gathering ------------------------------------------------------------------ */

/* States that the sweep will come to need not wait. */
static bool take_gains(runs_disk *d, const found_step *s, uint64_t number)
{
  uint8_t *note = note_file_at(&d->notes, number, true);
  uint64_t had = runs_note_mask(d, note);
  if (!(*note & DISK_IS_LEFT) || !(s->value & ~had))
    return true;
  runs_set_note_mask(d, note, had | s->value);
  bool comes = number >= d->swept && !(*note & DISK_IS_DONE);
  if (comes || *note & DISK_IS_WAITING)
    return true;
  *note |= DISK_IS_WAITING;
  runs_await(d, s->key);
  return true;
}

static bool pass_on(runs_walker *w, const runs_state *from,
                    const runs_target *t, size_t count)
{
  runs_disk *d = disk_of(w);
  uint64_t had = d->had[from - d->cohort];
  for (size_t i = 0; i < count; i++)
    if ((t[i].gains | had) && !put(d, t[i].handle, t[i].gains | had))
      return false;
  return true;
}

static bool has_some(runs_walker *w, const runs_state *s, const uint8_t *state,
                     uint32_t length)
{
  const runs_disk *d = disk_of(w);
  return w->of->live->by_scc || d->had[s - d->cohort] ||
         product_accepts(&w->product, state, length);
}

static bool judge(runs_walker *w, const runs_state *s, const uint8_t *state,
                  uint32_t length)
{
  runs_disk *d = disk_of(w);
  if (w->of->live->fairness == NUT_FAIR_STRONG)
    product_expand(&w->product, state, length);
  if (runs_needed(w, s->place) & ~d->had[s - d->cohort])
    *note_file_at(&d->notes, s->slot, true) &= (uint8_t)~DISK_IS_LEFT;
  else
    w->states++;
  return false;
}

/* ---- stages ---------------------------------------------------------------------- */

static bool begin(runs_disk *d)
{
  runs *r = d->of;
  if (runs_is_sweep(r->stage)) {
    r->figures.sweeps++;
    d->walker->states = d->walker->owned = 0;
  }
  switch (r->stage) {
  case RUNS_COUNT_ALL:
  case RUNS_COUNT_LEFT:
    return reset(d);
  case RUNS_PASS:
    r->before = r->left;
    r->figures.iterations++;
    return reset(d);
  case RUNS_PICK:
  case RUNS_TAKE:
  case RUNS_PASS_MORE:
  case RUNS_JUDGE:
  case RUNS_OVER:
    break;
  }
  return true;
}

/* Whether the run goes on. */
static bool work(runs_disk *d)
{
  runs *r = d->of;
  bool done = false;
  switch (r->stage) {
  case RUNS_COUNT_ALL:
  case RUNS_COUNT_LEFT:
    done = count(d, r->stage == RUNS_COUNT_ALL);
    break;
  case RUNS_PICK:
    done = do_sweep(d, picks, (runs_pass){0});
    break;
  case RUNS_TAKE:
    done = take_all(d);
    break;
  case RUNS_PASS:
    d->take = take_gains;
    done = do_sweep(d, wants_left, (runs_pass){NULL, has_some, pass_on});
    break;
  case RUNS_PASS_MORE:
    d->take = take_gains;
    d->swept = d->all->count;
    done = follow(d, (runs_pass){NULL, is_gone, pass_on});
    break;
  case RUNS_JUDGE:
    done = do_sweep(d, wants_left, (runs_pass){NULL, judge, NULL});
    r->left = done ? d->counted : r->left;
    break;
  case RUNS_OVER:
    break;
  }
  return done;
}

/* With other ranks what fails is told behind the part that begins. */
static bool take_away(runs_disk *d)
{
  runs *r = d->of;
  for (; r->stage != RUNS_OVER; r->stage = runs_next_stage(r)) {
    bool begun = r->is_inside || begin(d);
    if ((!begun && !runs_is_spread(r)) || !work(d))
      return false;
    r->is_inside = false;
  }
  return true;
}

/* The product is known: it is kept as a whole. */
static void keep_product(const runs_disk *d)
{
  team *t = d->of->search.team;
  for (uint32_t i = 0; i < t->count; i++) {
    frontier_clear(&t->walkers[i].here);
    frontier_clear(&t->walkers[i].next);
    t->walkers[i].rest_count = 0;
  }
  if (t->checkpoint && !t->is_resumed && disk_can_be_told(d->disk, false))
    checkpoint_save(t->checkpoint, t, false);
}

/* Bytes for messages: streams to other ranks may be longer than they were while
** the product was generated, where nothing was sent twice. */
static size_t message_bytes(const runs *r)
{
  enum { EACH = 4 * CARRIER_MOST };
  return runs_is_spread(r) ? (size_t)EACH * (r->search.fleet->count - 1) : 0;
}

/* Memory for steps, half of it, while that for messages is set aside. */
static void make_steps(runs_disk *d, size_t room)
{
  size_t bytes = message_bytes(d->of);
  void *aside = bytes ? mem_try_alloc(bytes) : NULL;
  if (!step_list_create(&d->steps, room / 2) ||
      !frontier_has_room(&d->disk->again, 2 * RUNS_CHUNK))
    mem_give_up();
  mem_free(aside, aside ? bytes : 0);
}

/* All states, in order, and memory for the rest. */
static bool prepare(runs_disk *d)
{
  runs *r = d->of;
  team *t = r->search.team;
  size_t room;
  d->walker->own->watch.store = r->search.watch.store;
  d->walker->tree = collapse_tree_of(r->search.watch.store);
  d->walker->tree->learn_at = UINT64_MAX;
  if (!disk_has_spilled(t->disk) && !disk_spill_all(t->disk)) {
    watch_full(&r->search.watch);
    return false;
  }
  d->all = disk_gather(d->disk, &room);
  if (!d->all)
    return false;
  keep_product(d);
  vec_resize(&d->before, d->all->firsts.len);
  sorted_count_before(&d->disk->io, d->all, d->before.data);
  d->most = room / 8 / sizeof(store_handle);
  if (d->most < 2 * KEPT_WINDOW)
    d->most = 2 * KEPT_WINDOW;
  if (!has_failed(d))
    make_steps(d, room);
  return !has_failed(d) &&
         note_file_create(&d->notes, &d->disk->io, d->all->count,
                          DISK_NOTE_HEAD + (r->needs ? r->mask_bytes : 0)) &&
         (runs_is_spread(r) || d->all->count == r->result.stats.states) &&
         runs_enter_stash(d);
}

static void prepare_protected(void *work)
{
  runs_disk *d = work;
  d->is_done = prepare(d);
}

/* If this rank cannot, the others learn that behind the first part. */
static bool is_prepared(runs_disk *d)
{
  runs *r = d->of;
  if (!mem_protect(prepare_protected, d))
    watch_full(&r->search.watch);
  if (d->is_done)
    return true;
  team_stop(r->search.team);
  return do_part(d, false);
}

/* What is done with the states may be kept in the middle, but not with other
** ranks. */
static bool take_away_alone(runs_disk *d)
{
  runs *r = d->of;
  team *t = r->search.team;
  runs_walker *w = d->walker;
  bool done = prepare(d);
  t->expands = r->is_sweeping = w->is_amid = done;
  done = done && take_away(d);
  team_save_last(t);
  t->expands = r->is_sweeping = w->is_amid = false;
  return done;
}

static bool take_away_with_others(runs_disk *d)
{
  return is_prepared(d) && take_away(d);
}

bool runs_take_away_on_disk(runs *r)
{
  runs_disk *d = r->on_disk = mem_alloc(sizeof *d);
  team *t = r->search.team;
  d->of = r;
  d->disk = t->disk;
  d->walker = t->walkers[0].own.runner;
  d->here.some = &d->disk->held;
  d->next.some = &d->disk->young;
  bool done = runs_is_spread(r) ? take_away_with_others(d) : take_away_alone(d);
  const runs_walker *w = d->walker;
  r->gives_up |= w->is_over;
  if (w->is_over || w->own->watch.stop)
    watch_stop(&r->search.watch, w->own->result->reason);
  return done;
}

void runs_free_disk(runs *r)
{
  runs_disk *d = r->on_disk;
  if (!d)
    return;
  kept_levels_free(&d->here.rest, &d->disk->io);
  kept_levels_free(&d->next.rest, &d->disk->io);
  if (d->notes.io)
    note_file_free(&d->notes);
  step_list_free(&d->steps);
  vec_free(&d->before);
  mem_free(d, sizeof *d);
  r->on_disk = NULL;
}
