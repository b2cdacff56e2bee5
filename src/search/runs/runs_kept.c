/* A product in a checkpoint, besides its states: who can move in it, and while
** its states are swept, what is noted of each. */

#include "search/runs/runs_internal.h"

#include "base/alloc.h"

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

/* What a state is noted for.  Of a state that is not left only the steps matter,
** while all are counted. */
enum {
  NOTE_HERE = 1, /* there is a note; 0 ends them */
  NOTE_LEFT = 2,
  NOTE_SWEPT = 4,
  NOTE_WAITING = 8,
  NOTE_DONE = 16, /* by the sweep at hand */
  NOTE_END = 32
};

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

/* Whether the stage goes over all states, and not only over those that wait. */
static bool is_sweep(runs_stage stage)
{
  return stage != RUNS_TAKE && stage != RUNS_PASS_MORE;
}

/* Finds who is at a part; otherwise it is done, or nobody was there. */
static void find_holder(noting *n, uint64_t index)
{
  const team *t = n->runs->search.team;
  n->holder = NULL;
  n->held = 0;
  n->is_done =
      is_sweep(n->runs->stage) &&
      index < atomic_load_explicit(&n->runs->next_part, memory_order_relaxed);
  for (uint32_t i = 0; n->is_done && i < t->count; i++) {
    const runs_walker *w = t->walkers[i].own.runner;
    if (w->part == index)
      n->holder = w;
  }
}

void runs_write_notes(const runs *r, block_writer *w)
{
  const team *t = r->search.team;
  noting n = {.runs = r, .writer = w};
  uint64_t counted = 0;
  const collapse_tree *states = collapse_tree_of(r->search.watch.store);
  for (uint32_t i = 0; i < t->count; i++)
    counted += t->walkers[i].own.runner->states;
  block_put_number(w, r->stage);
  block_put_number(w, r->left);
  block_put_number(w, r->before);
  block_put_number(w, r->figures.iterations);
  block_put_number(w, r->figures.sweeps);
  block_put_number(w, counted);
  for (uint64_t i = 0; i < r->parts; i++) {
    find_holder(&n, i);
    roots_each_of(&states->now.tree.roots, i, write_note, &n);
  }
  block_put(w, &(uint8_t){0}, 1);
}

/* ---- and read again ---------------------------------------------------------- */

/* The note of a state, which has this slot now. */
static void enter_note(runs *r, uint64_t slot, uint8_t flags, uint64_t steps,
                       uint64_t mask)
{
  r->steps[slot] = (uint16_t)steps;
  if (flags & NOTE_LEFT)
    runs_set_bit(r->alive, slot);
  if (flags & NOTE_DONE)
    runs_set_bit(r->done, slot);
  if (!r->needs)
    return;
  runs_add_to_mask(r, slot, mask);
  if (flags & NOTE_SWEPT)
    runs_set_bit(r->swept, slot);
  if (flags & NOTE_WAITING)
    runs_set_bit(r->waiting, slot);
}

static bool read_note(runs *r, block_reader *b, uint8_t flags,
                      runs_find_handle *find, void *context)
{
  const collapse_tree *states = collapse_tree_of(r->search.watch.store);
  uint64_t left = block_get_number(b), right = block_get_number(b);
  uint64_t steps = block_get_number(b);
  uint64_t mask = r->needs ? block_get_number(b) : 0;
  store_handle handle;
  if (flags >= NOTE_END || !(flags & NOTE_HERE) || left > UINT32_MAX ||
      right > UINT32_MAX || steps > RUNS_STEPS_MOST ||
      mask >> (r->needs < 63 ? r->needs : 63))
    return block_damaged(b, "it has a note that cannot be");
  if (block_problem(b) || !find(context, left << 32 | right, &handle))
    return false;
  uint64_t slot = roots_slot(&states->now.tree.roots, (uint32_t)(handle >> 32),
                             (uint32_t)handle);
  if (slot == ROOTS_NO_SLOT)
    return block_damaged(b, "it has a note on no state");
  enter_note(r, slot, flags, steps, mask);
  return true;
}

bool runs_read_notes(runs *r, block_reader *b, runs_find_handle *find,
                     void *context)
{
  uint64_t stage = block_get_number(b);
  r->left = block_get_number(b);
  r->before = block_get_number(b);
  r->figures.iterations = block_get_number(b);
  r->figures.sweeps = block_get_number(b);
  r->search.team->walkers[0].own.runner->states = block_get_number(b);
  if (stage >= RUNS_OVER || (stage >= RUNS_PASS && !r->needs))
    return block_damaged(b, "it is at a stage that there is not");
  r->stage = (runs_stage)stage;
  r->is_inside = true;
  r->done = mem_alloc(runs_bits_size(r));
  for (uint8_t flags; block_get(b, &flags, 1) && flags;)
    if (!read_note(r, b, flags, find, context))
      return false;
  return !block_problem(b);
}
