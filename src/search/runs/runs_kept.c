/* A product in a checkpoint, besides its states: who can move in it, and while
** its states are swept, what is noted of each. */

#include "search/runs/runs_kept.h"

#include "base/alloc.h"
#include "search/checkpoint/state_text.h"

/* ---- what the engine of levels asks ---------------------------------------- */

bool runs_is_sweeping(const runs *r)
{
  return r->is_sweeping;
}

const component_map *runs_map(const runs *r)
{
  return &r->live->product.map;
}

search *runs_asker(const runs *r)
{
  return r->live->asker;
}

bool runs_is_sound(const runs *r, const uint8_t *state, uint32_t length)
{
  const product *p = &r->live->product;
  uint8_t tail[8];
  if (length < p->tail || p->tail > sizeof tail)
    return false;
  uint32_t plain = length - p->tail, place = product_place(p, state, length);
  if (place >= r->live->observer.places)
    return false;
  product_put_tail(p, tail, place, 0, 0);
  for (uint32_t i = 0; i < p->tail; i++)
    if (tail[i] != state[plain + i])
      return false;
  return program_is_sound(p->program, state, plain);
}

/* A walker that gave up has left its cohort in the middle, but that it has not
** begun to store what a sequence without patience made. */
bool runs_can_be_told(const runs *r)
{
  const team *t = r->search.team;
  for (uint32_t i = 0; i < t->count; i++) {
    const runs_walker *w = t->walkers[i].own.runner;
    bool is_whole = !w->is_over || (!r->is_sweeping && w->was_abandoned);
    if (!is_whole || w->is_amid)
      return false;
  }
  return true;
}

/* ---- who can move ----------------------------------------------------------- */

process_set runs_find_able(const runs *r)
{
  const team *t = r->search.team;
  process_set all = {{0}};
  for (uint32_t i = 0; i < t->count; i++)
    for (size_t w = 0; w < PROCESS_WORDS; w++)
      all.words[w] |= t->walkers[i].own.runner->enabled.words[w];
  return all;
}

void runs_write_able(const runs *r, block_writer *w)
{
  process_set able = runs_find_able(r);
  for (size_t i = 0; i < PROCESS_WORDS; i++)
    block_put_number(w, able.words[i]);
}

bool runs_read_able(runs *r, block_reader *b)
{
  runs_walker *first = r->search.team->walkers[0].own.runner;
  for (size_t i = 0; i < PROCESS_WORDS; i++)
    first->enabled.words[i] |= block_get_number(b);
  return !block_problem(b);
}

/* ---- notes ------------------------------------------------------------------ */

typedef struct noting {
  const runs *runs;
  block_writer *writer;
  const runs_walker *holder; /* who is at this part; or NULL */
  size_t held;               /* states of its list that came by */
  bool is_done;              /* the part, by others */
} noting;

/* Whether the sweep has done the state, which comes in the order of the part. */
static bool is_done(noting *n, uint64_t slot)
{
  const runs *r = n->runs;
  const runs_walker *w = n->holder;
  if (r->done && runs_bit(r->done, slot))
    return true;
  if (!w)
    return n->is_done;
  if (n->held < w->list.len && w->list.data[n->held].slot == slot)
    return n->held++ < w->at;
  return true; /* it was not wanted */
}

static void write_note(void *context, uint64_t slot, uint32_t left,
                       uint32_t right)
{
  noting *n = context;
  const runs *r = n->runs;
  bool done = is_done(n, slot), is_left = runs_bit(r->alive, slot);
  if (!is_left && (r->stage != RUNS_COUNT_ALL || !r->steps[slot]))
    return;
  uint8_t flags = NOTE_HERE;
  flags |= (uint8_t)((is_left ? NOTE_LEFT : 0) | (done ? NOTE_DONE : 0));
  if (r->needs && runs_bit(r->swept, slot))
    flags |= NOTE_SWEPT;
  if (r->needs && runs_bit(r->waiting, slot))
    flags |= NOTE_WAITING;
  block_put(n->writer, &flags, 1);
  block_put_number(n->writer, left);
  block_put_number(n->writer, right);
  block_put_number(n->writer, r->steps[slot]);
  if (r->needs)
    block_put_number(n->writer, runs_mask_of(r, slot));
}

/* Finds who is at a part; otherwise it is done, or nobody was there. */
static void find_holder(noting *n, uint64_t index)
{
  const team *t = n->runs->search.team;
  n->holder = NULL;
  n->held = 0;
  n->is_done =
      runs_is_sweep(n->runs->stage) &&
      index < atomic_load_explicit(&n->runs->next_part, memory_order_relaxed);
  for (uint32_t i = 0; n->is_done && i < t->count; i++) {
    const runs_walker *w = t->walkers[i].own.runner;
    if (w->part == index)
      n->holder = w;
  }
}

void runs_write_sweep(const runs *r, uint64_t left, uint64_t counted,
                      block_writer *w)
{
  block_put_number(w, r->stage);
  block_put_number(w, left);
  block_put_number(w, r->before);
  block_put_number(w, r->figures.iterations);
  block_put_number(w, r->figures.sweeps);
  block_put_number(w, counted);
}

void runs_write_notes(const runs *r, block_writer *w)
{
  const team *t = r->search.team;
  noting n = {.runs = r, .writer = w};
  uint64_t counted = 0;
  if (r->on_disk) {
    runs_write_disk_sweep(r, w);
    return;
  }
  const collapse_tree *states = collapse_tree_of(r->search.watch.store);
  for (uint32_t i = 0; i < t->count; i++)
    counted += t->walkers[i].own.runner->states;
  runs_write_sweep(r, r->left, counted, w);
  for (uint64_t i = 0; i < r->parts; i++) {
    find_holder(&n, i);
    roots_each_of(&states->now.tree.roots, i, write_note, &n);
  }
  block_put(w, &(uint8_t){0}, 1);
}

/* ---- and read again ---------------------------------------------------------- */

typedef struct note_reader {
  runs *runs;
  const runs_notes *told;
  block_reader *from;
  state_reader states; /* as they are */
  bool done;
} note_reader;

static bool fails(const note_reader *x, const char *why)
{
  return block_damaged(x->from, why);
}

/* What a state is called now, and where it is. */
static bool find_state(const note_reader *x, const uint8_t *state,
                       uint32_t length, runs_state *found)
{
  runs *r = x->runs;
  store *s = r->search.watch.store;
  switch (r->result.store->insert(s, state, length, STORE_NO_HANDLE, UINT64_MAX,
                                  &found->handle)) {
  case STORE_FULL:
    watch_full(&r->search.watch);
    return false;
  case STORE_NEW:
    return fails(x, "it has notes on a state that it has not found");
  case STORE_SEEN:
    break;
  }
  found->slot =
      roots_slot(&collapse_tree_of(s)->now.tree.roots,
                 (uint32_t)(found->handle >> 32), (uint32_t)found->handle);
  return found->slot != ROOTS_NO_SLOT || fails(x, "it has a note on no state");
}

static void enter_note(runs *r, uint64_t slot, const kept_note *note)
{
  r->steps[slot] = (uint16_t)note->steps;
  if (note->flags & NOTE_LEFT)
    runs_set_bit(r->alive, slot);
  if (note->flags & NOTE_DONE)
    runs_set_bit(r->done, slot);
  if (!r->needs)
    return;
  runs_add_to_mask(r, slot, note->mask);
  if (note->flags & NOTE_SWEPT)
    runs_set_bit(r->swept, slot);
  if (note->flags & NOTE_WAITING)
    runs_set_bit(r->waiting, slot);
}

/* Those of a product in memory are in the lists of the walkers already.  A sweep
** has been there. */
static bool enter_waiting(runs *r, const runs_state *at)
{
  runs_set_bit(r->alive, at->slot);
  runs_set_bit(r->done, at->slot);
  if (r->needs)
    runs_set_bit(r->waiting, at->slot);
  if (frontier_add(&r->search.team->walkers[0].next, at->handle))
    return true;
  watch_full(&r->search.watch);
  return false;
}

static bool enter(const note_reader *x, const uint8_t *state, uint32_t length,
                  const kept_note *note)
{
  bool waits = x->told->is_whole && note->flags & NOTE_WAITING;
  runs *r = x->runs;
  runs_state at = {0};
  if (r->stash)
    return waits ? runs_stash_waiting(r, state, length)
                 : runs_stash_note(r, state, length, note);
  if (!find_state(x, state, length, &at))
    return false;
  if (waits)
    return enter_waiting(r, &at);
  enter_note(r, at.slot, note);
  return true;
}

/* What is told by the name that the file has for it. */
static const uint8_t *read_named(const note_reader *x, uint32_t *length)
{
  uint64_t left = block_get_number(x->from), right = block_get_number(x->from);
  if (left <= UINT32_MAX && right <= UINT32_MAX && !block_problem(x->from))
    return x->told->find(x->told->context, left << 32 | right, length);
  (void)fails(x, "it has a note that cannot be");
  return NULL;
}

static const uint8_t *read_whole(note_reader *x, uint32_t *length)
{
  bool marked;
  if (!state_read(&x->states, &marked)) {
    (void)fails(x, "it has a note that cannot be");
    return NULL;
  }
  *length = x->states.length;
  if (runs_is_sound(x->runs, x->states.state.data, *length))
    return x->states.state.data;
  (void)fails(x, "it has a state that is none of the model");
  return NULL;
}

static void read_numbers(const note_reader *x, kept_note *note)
{
  const runs *r = x->runs;
  bool is_whole = x->told->is_whole;
  if (is_whole && note->flags & NOTE_WAITING)
    return;
  if (!is_whole || r->stage < RUNS_PASS)
    note->steps = block_get_number(x->from);
  if (r->needs && (!is_whole || r->stage >= RUNS_PASS))
    note->mask = block_get_number(x->from);
}

static bool read_note(note_reader *x, uint8_t flags)
{
  const runs *r = x->runs;
  kept_note note = {.flags = flags};
  uint32_t length = 0;
  const uint8_t *state =
      x->told->is_whole ? read_whole(x, &length) : read_named(x, &length);
  if (!state)
    return false;
  read_numbers(x, &note);
  if (flags >= NOTE_END || !(flags & NOTE_HERE) ||
      note.steps > RUNS_STEPS_MOST || note.mask >> r->needs)
    return fails(x, "it has a note that cannot be");
  return !block_problem(x->from) && enter(x, state, length, &note);
}

/* Who waits, of a product that was in memory, for one that is on a disk. */
static bool stash_names(const note_reader *x)
{
  runs *r = x->runs;
  (void)block_get_number(x->from); /* expanded: there are none */
  uint64_t count = block_get_count(x->from, 1);
  count += block_get_count(x->from, 1);
  for (; count; count--) {
    uint32_t length;
    store_handle old = block_get_number(x->from);
    const uint8_t *state = block_problem(x->from)
                               ? NULL
                               : x->told->find(x->told->context, old, &length);
    if (!state || !runs_stash_waiting(r, state, length))
      return false;
  }
  return !block_problem(x->from);
}

static bool read_stage(const note_reader *x)
{
  runs *r = x->runs;
  uint64_t stage = block_get_number(x->from);
  r->left = block_get_number(x->from);
  r->before = block_get_number(x->from);
  r->figures.iterations = block_get_number(x->from);
  r->figures.sweeps = block_get_number(x->from);
  r->search.team->walkers[0].own.runner->states = block_get_number(x->from);
  if (stage >= RUNS_OVER || (stage >= RUNS_PASS && !r->needs))
    return fails(x, "it is at a stage that there is not");
  r->stage = (runs_stage)stage;
  r->is_inside = true;
  /* In memory nobody asks for it. */
  r->is_vague = !x->told->is_whole || block_get_number(x->from);
  return !block_problem(x->from);
}

static void read_notes(void *work)
{
  note_reader *x = work;
  runs *r = x->runs;
  state_read_begin(&x->states, x->from, x->told->longest);
  if (x->told->to_disk && !runs_stash_begin(r, x->told->longest))
    return;
  if (x->told->to_disk && !x->told->is_whole && !stash_names(x))
    return;
  if (!read_stage(x))
    return;
  if (!r->stash)
    r->done = mem_alloc(runs_bits_size(r));
  for (uint8_t flags; block_get(x->from, &flags, 1) && flags;)
    if (!read_note(x, flags))
      return;
  x->done = !block_problem(x->from) && (!r->stash || runs_stash_end(r));
}

static void free_reader(void *work)
{
  note_reader *x = work;
  vec_free(&x->states.state);
}

bool runs_read_notes(runs *r, const runs_notes *told)
{
  note_reader x = {.runs = r, .told = told, .from = told->from};
  mem_protect_tidy(read_notes, free_reader, &x);
  return x.done;
}
