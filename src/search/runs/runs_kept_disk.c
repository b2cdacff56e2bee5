/* A sweep over a product on a disk, in a checkpoint; see runs_kept.h.
**
** It is told as if the product had been in memory, where a state that waits to be
** taken away is still left.  What has no number yet when the file is read is put
** into lists on the disk, which are entered once all states have one. */

#include "search/runs/runs_kept.h"

#include "base/alloc.h"
#include "search/checkpoint/state_text.h"
#include "search/runs/on_disk.h"

/* ---- what waits ------------------------------------------------------------ */

typedef void visit_waiting(void *context, store_handle);

static void each_in_file(const runs_disk *d, const kept_levels *k, uint64_t at,
                         visit_waiting *visit, void *context)
{
  frontier *some = &d->disk->again; /* there is room behind those at hand */
  size_t had = some->count;
  for (size_t n = 1; n && at < k->count; at += n) {
    n = kept_levels_read(k, &d->disk->io, at, RUNS_CHUNK, some);
    for (size_t i = 0; i < n; i++)
      visit(context, frontier_handles(some)[had + i]);
    some->count = had;
  }
}

static void each_in_list(const frontier *f, visit_waiting *visit, void *context)
{
  for (size_t i = 0; i < f->count; i++)
    visit(context, frontier_handles(f)[i]);
}

/* Of the layer at hand, and of the next. */
static void each_waiting(const runs_disk *d, visit_waiting *visit,
                         void *context)
{
  if (!runs_is_sweep(d->of->stage)) {
    for (size_t i = d->piece_left; i; i--)
      visit(context, *(d->piece_end - i));
    each_in_file(d, &d->here.rest, d->at, visit, context);
    if (!d->is_last)
      each_in_list(d->here.some, visit, context);
  }
  each_in_file(d, &d->next.rest, 0, visit, context);
  each_in_list(d->next.some, visit, context);
}

static void count_one(void *context, store_handle handle)
{
  uint64_t *count = context;
  (void)handle;
  ++*count;
}

/* ---- writing --------------------------------------------------------------- */

typedef struct telling {
  runs_disk *disk;
  state_writer states;
} telling;

static void put_state(telling *t, uint8_t flags, store_handle handle)
{
  uint32_t length;
  disk *d = t->disk->disk;
  const uint8_t *state =
      collapse_tree_view(t->disk->walker->tree, handle, 0, NULL, &length);
  if (d->last.len < length)
    vec_resize(&d->last, length);
  t->states.last = d->last.data;
  block_put(t->states.to, &flags, 1);
  state_write(&t->states, state, length, false);
}

static void put_note(telling *t, store_handle handle, uint64_t number)
{
  runs_disk *d = t->disk;
  const runs *r = d->of;
  const uint8_t *note = note_file_at(&d->notes, number, false);
  uint64_t steps = d->is_fresh ? 0 : runs_note_steps(note);
  bool is_left = *note & DISK_IS_LEFT;
  bool is_done = !d->is_fresh && runs_is_sweep(r->stage) &&
                 (number < d->swept || *note & DISK_IS_DONE);
  if (!is_left && (r->stage != RUNS_COUNT_ALL || !steps))
    return;
  bool was_swept = is_done || r->stage == RUNS_PASS_MORE;
  put_state(t,
            (uint8_t)(NOTE_HERE | (is_left ? NOTE_LEFT : 0) |
                      (is_done ? NOTE_DONE : 0) | (was_swept ? NOTE_SWEPT : 0)),
            handle);
  if (r->stage < RUNS_PASS)
    block_put_number(t->states.to, steps);
  else
    block_put_number(t->states.to, d->is_fresh ? 0 : runs_note_mask(d, note));
}

static void put_waiting(void *context, store_handle handle)
{
  put_state(context, NOTE_HERE | NOTE_WAITING, handle);
}

void runs_write_disk_sweep(const runs *r, block_writer *w)
{
  runs_disk *d = r->on_disk;
  telling t = {.disk = d, .states = {.to = w, .length = UINT32_MAX}};
  bool takes = r->stage == RUNS_PICK || r->stage == RUNS_TAKE;
  uint64_t states = d->walker->states, waiting = 0;
  if (takes)
    each_waiting(d, count_one, &waiting);
  runs_write_sweep(r, takes ? r->left - states + waiting : r->left,
                   takes ? 0 : states, w);
  block_put_number(w, r->is_vague);
  run_stream s;
  sorted_open(&s, &d->disk->io, d->all, RUN_PENDING);
  for (uint64_t number = 0; sorted_next(&s); number++)
    put_note(&t, s.key, number);
  each_waiting(d, put_waiting, &t);
  block_put(w, &(uint8_t){0}, 1);
  block_file_fail(w, d->disk->io.error);
}

/* ---- lists of what was read ------------------------------------------------- */

typedef struct runs_stash {
  run_io *io;
  uint32_t longest;
  packed_run notes, waiting;
  packed_writer writer; /* of one after the other */
  packed_stream stream;
} runs_stash;

bool runs_stash_begin(runs *r, uint32_t longest)
{
  runs_stash *s = r->stash = mem_alloc(sizeof *s);
  s->io = &r->search.team->disk->io;
  s->longest = longest;
  return !disk_has_failed(r->search.team->disk);
}

void runs_free_stash(runs *r)
{
  runs_stash *s = r->stash;
  if (!s)
    return;
  packed_free(s->io, &s->notes);
  packed_free(s->io, &s->waiting);
  packed_writer_free(&s->writer);
  packed_stream_free(&s->stream);
  mem_free(s, sizeof *s);
  r->stash = NULL;
}

bool runs_stash_end(runs *r)
{
  if (r->stash->writer.run)
    packed_end(&r->stash->writer);
  r->stash->writer.run = NULL;
  if (r->stage == RUNS_TAKE) { /* who is taken away is not left at once */
    r->left -= r->search.team->walkers[0].own.runner->states;
    r->search.team->walkers[0].own.runner->states = 0;
  }
  return !disk_has_failed(r->search.team->disk);
}

/* A list, which is as long as the file says, may take long to write. */
static bool put(runs *r, packed_run *to, const packed_state *state)
{
  runs_stash *s = r->stash;
  if (s->writer.run != to) {
    if (s->writer.run)
      packed_end(&s->writer);
    packed_begin(&s->writer, s->io, to, RUN_UNMARKED, true, s->longest);
  }
  if (!disk_has_failed(r->search.team->disk))
    packed_put(&s->writer, state);
  if (to->count % WATCH_LOOK_EVERY == 0)
    watch_look(&r->search.watch);
  return !s->io->error && !r->search.watch.stop;
}

/* Only who is left has gains. */
bool runs_stash_note(runs *r, const uint8_t *state, uint32_t length,
                     const kept_note *note)
{
  bool is_left = note->flags & NOTE_LEFT, is_done = note->flags & NOTE_DONE;
  packed_state s = {.bytes = state, .length = length};
  if (r->stage >= RUNS_PASS && !is_left)
    return true;
  s.name = r->stage < RUNS_PASS ? note->steps << 1 | is_left : note->mask;
  s.name = s.name << 1 | is_done;
  return put(r, &r->stash->notes, &s);
}

bool runs_stash_waiting(runs *r, const uint8_t *state, uint32_t length)
{
  packed_state s = {.bytes = state, .length = length};
  return put(r, &r->stash->waiting, &s);
}

/* ---- and entered -------------------------------------------------------------- */

static bool enter_steps(runs_disk *d, const found_step *s, uint64_t number)
{
  uint8_t *note = note_file_at(&d->notes, number, true);
  *note = (uint8_t)((s->value & 1 ? DISK_IS_DONE : 0) |
                    (s->value & 2 ? DISK_IS_LEFT : 0));
  runs_set_note_steps(note, s->value >> 2);
  return true;
}

static bool enter_gains(runs_disk *d, const found_step *s, uint64_t number)
{
  uint8_t *note = note_file_at(&d->notes, number, true);
  *note = s->value & 1 ? DISK_IS_DONE | DISK_IS_LEFT : DISK_IS_LEFT;
  runs_set_note_mask(d, note, s->value >> 1);
  return true;
}

static bool enter_waiting(runs_disk *d, const found_step *s, uint64_t number)
{
  uint8_t *note = note_file_at(&d->notes, number, true);
  if (runs_is_passing(d->of)) {
    *note |= DISK_IS_WAITING;
  } else {
    *note &= (uint8_t)~DISK_IS_LEFT;
    d->walker->states++;
  }
  runs_await(d, s->key);
  return true;
}

static bool enter_list(runs_disk *d, const packed_run *list)
{
  runs *r = d->of;
  packed_stream *s = &r->stash->stream;
  const store_spilling *spilling = r->result.store->spilling;
  if (!list->count)
    return true;
  packed_open(s, r->stash->io, list, RUN_PENDING);
  while (packed_next(s)) {
    store_handle h =
        spilling->call(r->search.watch.store, s->state.bytes, s->state.length);
    if (h == STORE_NO_HANDLE) {
      watch_full(&r->search.watch);
      return false;
    }
    if (!runs_put_step(d, h, s->state.name, false) ||
        !walker_goes_on(d->walker->own->walker, 1))
      return false;
  }
  return !disk_has_failed(d->disk) && runs_settle_steps(d, false);
}

bool runs_enter_stash(runs_disk *d)
{
  runs *r = d->of;
  if (!r->stash)
    return true;
  d->take = r->stage < RUNS_PASS ? enter_steps : enter_gains;
  bool done = enter_list(d, &r->stash->notes);
  d->take = enter_waiting;
  done = done && enter_list(d, &r->stash->waiting);
  runs_free_stash(r);
  if (d->walker->is_over) { /* no state has such a name */
    r->result.not_resumed = "it has notes on a state that it has not found";
    watch_stop(&r->search.watch, REASON_NONE);
  }
  return done;
}
