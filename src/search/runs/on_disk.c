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

#include "search/runs/runs_internal.h"

#include "base/alloc.h"
#include "search/checkpoint/checkpoint.h"
#include "search/disk/kept_disk.h"
#include "search/disk/note_file.h"
#include "search/runs/step_list.h"

#include <string.h>

enum {
  IS_LEFT = 1,
  IS_WAITING = 2,
  HEAD = 3, /* bytes of a note before what was given: flags, steps */
  CHUNK = 1024
};

/* States that wait. */
typedef struct waiting_list {
  frontier *some;
  kept_levels rest;
} waiting_list;

typedef struct runs_disk {
  runs *of;
  runs_walker *walker;
  disk *disk;
  const sorted_run *all;
  VEC(uint64_t) before; /* each block of it: states */
  note_file notes;
  step_list steps;
  bool (*take)(struct runs_disk *, const found_step *, uint64_t number);
  /* The part at hand: what is done with states, and whether it was brought to an
  ** end. */
  runs_pass pass;
  bool (*wants)(struct runs_disk *, uint8_t *note);
  bool passes_on, is_done;
  waiting_list here, next;
  size_t most; /* states of a list in memory */
  /* States of a sweep up to this number were looked at. */
  uint64_t swept;
  runs_state cohort[COHORT_MAX];
  uint64_t had[COHORT_MAX]; /* given on the way to each */
  uint32_t count;
  bool keeps_tables; /* of the limits, when it began */
} runs_disk;

/* ---- notes ----------------------------------------------------------------- */

static uint64_t mask_of(const runs_disk *d, const uint8_t *note)
{
  uint64_t mask = 0;
  memcpy(&mask, note + HEAD, d->of->needs ? d->of->mask_bytes : 0);
  return mask;
}

static void set_mask(const runs_disk *d, uint8_t *note, uint64_t mask)
{
  memcpy(note + HEAD, &mask, d->of->mask_bytes);
}

static uint16_t steps_of(const uint8_t *note)
{
  uint16_t steps;
  memcpy(&steps, note + 1, sizeof steps);
  return steps;
}

static void set_steps(uint8_t *note, uint64_t steps)
{
  uint16_t most = steps < RUNS_STEPS_MOST ? (uint16_t)steps : RUNS_STEPS_MOST;
  memcpy(note + 1, &most, sizeof most);
}

/* What only one stage needs is zero again. */
static void reset(runs_disk *d)
{
  for (uint64_t i = 0; i < d->all->count && !d->disk->io.error; i++) {
    uint8_t *note = note_file_at(&d->notes, i, true);
    memset(note + 1, 0, d->notes.width - 1);
    *note &= IS_LEFT;
  }
}

/* ---- lists ----------------------------------------------------------------- */

static void add_waiting(runs_disk *d, store_handle handle)
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

static bool has_failed(runs_disk *d)
{
  return disk_has_failed(d->disk);
}

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

/* Gains are united, numbers of steps are added. */
static void sort_steps(runs_disk *d)
{
  step_list_sort(&d->steps, !runs_is_passing(d->of));
}

static bool settle_last(runs_disk *d)
{
  sort_steps(d);
  return settle(d);
}

/* Those that lead to the same state may leave room enough. */
static bool put(runs_disk *d, store_handle to, uint64_t value)
{
  step_list *l = &d->steps;
  l->steps[l->count++] = (found_step){to, value};
  if (l->count < l->most)
    return true;
  sort_steps(d);
  return l->count < l->most / 2 || settle(d);
}

bool runs_put_step(runs_walker *w, const runs_target *t)
{
  return put(w->of->on_disk, t->handle, runs_is_passing(w->of) ? t->gains : 1);
}

uint64_t runs_had(const runs_walker *w, const runs_state *from)
{
  const runs_disk *d = w->of->on_disk;
  return d->had[from - d->cohort];
}

/* ---- passes ------------------------------------------------------------------ */

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
  return done && !has_failed(d) && walker_goes_on(own->walker, count);
}

/* All states whose notes are as 'wants' says. */
static bool sweep(runs_disk *d)
{
  run_stream s;
  sorted_open(&s, &d->disk->io, d->all, RUN_LEVEL);
  d->walker->states = 0;
  for (d->swept = 0; sorted_next(&s);) {
    uint8_t *note = note_file_at(&d->notes, d->swept, false);
    runs_state *at = &d->cohort[d->count];
    *at = (runs_state){.handle = s.key, .slot = d->swept++};
    if (!d->wants(d, note))
      continue;
    d->had[d->count++] = mask_of(d, note);
    if (d->count == COHORT_MAX && !pass_cohort(d))
      return false;
  }
  return !has_failed(d) && (!d->count || pass_cohort(d));
}

/* Some that waited.  Those that have something to pass on are looked for in the
** notes. */
static bool pass_some(runs_disk *d, store_handle *handles, size_t count)
{
  run_stream s;
  keys_sort(handles, count);
  sorted_open(&s, &d->disk->io, d->all, RUN_LEVEL);
  for (size_t i = 0; i < count; i++) {
    d->cohort[d->count] = (runs_state){.handle = handles[i]};
    if (d->passes_on) {
      if (!go_to(d, &s, handles[i]))
        return false;
      uint64_t number = d->before.data[s.block] + s.read;
      uint8_t *note = note_file_at(&d->notes, number, true);
      *note &= (uint8_t)~IS_WAITING;
      d->had[d->count] = mask_of(d, note);
    }
    if (++d->count == COHORT_MAX && !pass_cohort(d))
      return false;
  }
  return !d->count || pass_cohort(d);
}

/* All that wait. */
static bool pass_waiting(runs_disk *d)
{
  disk *io = d->disk;
  const kept_levels *rest = &d->here.rest;
  for (uint64_t at = 0; at < rest->count;) {
    frontier_clear(&io->again);
    size_t n = kept_levels_read(rest, &io->io, at, CHUNK, &io->again);
    if (!n || !pass_some(d, frontier_handles(&io->again), n))
      return has_failed(d) && false;
    at += n;
  }
  return pass_some(d, frontier_handles(d->here.some), d->here.some->count);
}

/* ---- parts ------------------------------------------------------------------- */

static uint64_t waiting(const runs_disk *d)
{
  return d->next.some->count + d->next.rest.count;
}

static void work_alone(runs_disk *d, bool (*work)(runs_disk *))
{
  d->is_done = work(d) && settle_last(d);
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
static void join(runs_disk *d, uint64_t *sum)
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
  *sum = own.counted;
}

/* A sweep, or a layer of those that wait.  False: the run ends. */
static bool do_part(runs_disk *d, bool is_layer, uint64_t *sum)
{
  runs *r = d->of;
  d->is_done = false;
  if (!runs_is_spread(r)) {
    work_alone(d, is_layer ? pass_waiting : sweep);
    r->owned = d->walker->owned;
    *sum = d->walker->states;
    return d->is_done;
  }
  r->is_sweeping = true;
  fleet_sweep(r->search.team, is_layer ? pass_with_others : sweep_with_others,
              runs_drain, false);
  r->is_sweeping = false;
  join(d, sum);
  return !r->search.watch.stop && !r->gives_up;
}

static bool do_sweep(runs_disk *d, runs_stage stage,
                     bool (*wants)(runs_disk *, uint8_t *note), runs_pass pass,
                     uint64_t *sum)
{
  d->of->stage = stage;
  d->wants = wants;
  d->pass = pass;
  d->walker->states = 0;
  return do_part(d, false, sum);
}

/* Layer by layer, until nobody waits; 'states' go on being counted. */
static bool follow(runs_disk *d, runs_stage stage, runs_pass pass,
                   uint64_t *sum)
{
  runs *r = d->of;
  r->stage = stage;
  d->pass = pass;
  d->passes_on = runs_is_passing(r);
  while (runs_is_spread(r) ? r->search.fleet->size : waiting(d)) {
    turn_over(d);
    if (!do_part(d, true, sum))
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
  return *note & IS_LEFT;
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
  *note_file_at(&disk_of(w)->notes, s->slot, true) |= IS_LEFT;
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
  set_steps(note, steps_of(note) + s->value);
  d->of->is_vague |= steps_of(note) == RUNS_STEPS_MOST;
  return true;
}

/* A state with so many steps that they are not known stays. */
static bool take_steps(runs_disk *d, const found_step *s, uint64_t number)
{
  uint8_t *note = note_file_at(&d->notes, number, true);
  uint64_t steps = steps_of(note);
  if (!(*note & IS_LEFT) || steps == RUNS_STEPS_MOST)
    return true;
  set_steps(note, steps > s->value ? steps - s->value : 0);
  if (steps > s->value)
    return true;
  *note &= (uint8_t)~IS_LEFT;
  d->walker->states++;
  add_waiting(d, s->key);
  return true;
}

/* States to which no step leads go first. */
static bool picks(runs_disk *d, uint8_t *note)
{
  if (!(*note & IS_LEFT) || steps_of(note))
    return false;
  *note &= (uint8_t)~IS_LEFT;
  d->notes.is_changed = true;
  d->walker->states++;
  add_waiting(d, d->cohort[d->count].handle);
  return false;
}

/* All states of all ranks were looked at first. */
static bool count(runs_disk *d, bool first)
{
  runs *r = d->of;
  reset(d);
  d->take = count_steps;
  d->walker->owned = 0;
  if (!first)
    return do_sweep(d, RUNS_COUNT_LEFT, wants_left,
                    (runs_pass){NULL, is_counted, put_steps}, &r->left);
  return do_sweep(d, RUNS_COUNT_ALL, wants_all,
                  (runs_pass){NULL, is_of_interest, put_steps}, &r->left) &&
         runs_has_all(r);
}

static bool eliminate(runs_disk *d)
{
  runs *r = d->of;
  uint64_t gone = 0;
  d->take = take_steps;
  bool done =
      do_sweep(d, RUNS_PICK, picks, (runs_pass){0}, &gone) &&
      follow(d, RUNS_TAKE, (runs_pass){NULL, is_gone, put_steps}, &gone);
  r->left -= done ? gone : 0;
  return done;
}

/* ---- gathering ------------------------------------------------------------------ */

/* States that the sweep will come to need not wait. */
static bool take_gains(runs_disk *d, const found_step *s, uint64_t number)
{
  uint8_t *note = note_file_at(&d->notes, number, true);
  uint64_t had = mask_of(d, note);
  if (!(*note & IS_LEFT) || !(s->value & ~had))
    return true;
  set_mask(d, note, had | s->value);
  if (number >= d->swept || *note & IS_WAITING)
    return true;
  *note |= IS_WAITING;
  add_waiting(d, s->key);
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
    *note_file_at(&d->notes, s->slot, true) &= (uint8_t)~IS_LEFT;
  else
    w->states++;
  return false;
}

static bool gather(runs_disk *d)
{
  runs *r = d->of;
  uint64_t none;
  reset(d);
  d->take = take_gains;
  return do_sweep(d, RUNS_PASS, wants_left,
                  (runs_pass){NULL, has_some, pass_on}, &none) &&
         follow(d, RUNS_PASS_MORE, (runs_pass){NULL, is_gone, pass_on},
                &none) &&
         do_sweep(d, RUNS_JUDGE, wants_left, (runs_pass){NULL, judge, NULL},
                  &r->left);
}

/* ---- stages ---------------------------------------------------------------------- */

static bool take_away(runs_disk *d)
{
  runs *r = d->of;
  for (bool first = true;; first = false) {
    r->figures.sweeps += 2;
    if (!count(d, first) || !eliminate(d))
      return false;
    if (!r->left || !r->needs)
      return true;
    uint64_t before = r->left;
    r->figures.iterations++;
    r->figures.sweeps += 2;
    if (!gather(d))
      return false;
    if (!r->left || r->left == before)
      return true;
  }
}

/* The product is known: it is kept, and what follows is not. */
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
  if (!step_list_create(&d->steps, room / 2))
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
                          HEAD + (r->needs ? r->mask_bytes : 0));
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
  uint64_t none;
  if (!runs_is_spread(r))
    return prepare(d);
  if (!mem_protect(prepare_protected, d))
    watch_full(&r->search.watch);
  if (d->is_done)
    return true;
  team_stop(r->search.team);
  return do_part(d, false, &none);
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
  d->keeps_tables = r->search.watch.limits->keeps_tables;
  bool done = is_prepared(d);
  /* Where something is kept it is the product: nothing else is waited for. */
  r->search.watch.limits->keeps_tables = false;
  done = done && take_away(d);
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
  r->search.watch.limits->keeps_tables = d->keeps_tables;
  kept_levels_free(&d->here.rest, &d->disk->io);
  kept_levels_free(&d->next.rest, &d->disk->io);
  if (d->notes.io)
    note_file_free(&d->notes);
  step_list_free(&d->steps);
  vec_free(&d->before);
  mem_free(d, sizeof *d);
  r->on_disk = NULL;
}
