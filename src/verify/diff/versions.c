/* Pairs of sets, level by level. */

#include "verify/diff/versions.h"
#include "base/alloc.h"

/* How a pair was found: from which, by which look. */
typedef struct pair_info {
  uint32_t parent, look; /* the parent is a pair, plus 1 */
  uint32_t depth;
} pair_info;

typedef struct comparing {
  diff *to;
  numbering pairs; /* two kernels each */
  VEC(pair_info) list;
  /* The best difference so far. */
  difference_kind kind;
  int only;
  uint32_t pair, look, depth;
} comparing;

static void add_pair(comparing *c, uint32_t old, uint32_t new, uint32_t parent,
                     uint32_t look)
{
  uint32_t key[2] = {old, new};
  uint32_t number = numbering_add(&c->pairs, (const uint8_t *)key, sizeof key);
  uint32_t depth = parent ? c->list.data[parent - 1].depth + 1 : 0;
  if (number > c->list.len)
    vec_push(&c->list, ((pair_info){parent, look, depth}));
}

/* ---- differences -------------------------------------------------------- */

/* The shorter run counts; a change is one look more. */
static void note(comparing *c, difference_kind kind, int only, size_t pair,
                 uint32_t look)
{
  uint32_t depth = c->list.data[pair].depth + (kind == DIFFERENCE_CHANGE);
  if (c->to->one_way && only == 0)
    return;
  if (c->kind != DIFFERENCE_NONE && depth >= c->depth)
    return;
  c->kind = kind;
  c->only = only;
  c->pair = (uint32_t)pair;
  c->look = look;
  c->depth = depth;
}

static void compare_flags(comparing *c, size_t pair)
{
  const side *a = &c->to->sides[0], *b = &c->to->sides[1];
  if (a->ends != b->ends)
    note(c, DIFFERENCE_ENDS, a->ends ? 0 : 1, pair, 0);
  if (a->diverges != b->diverges)
    note(c, DIFFERENCE_DIVERGES, a->diverges ? 0 : 1, pair, 0);
}

/* Where the moves with the look of move 'i' end. */
static size_t same_look(const side *s, size_t i)
{
  size_t end = i;
  while (end < s->moves.len && s->moves.data[end].look == s->moves.data[i].look)
    end++;
  return end;
}

/* Moves are sorted by look: both lists are gone through together. */
static void compare_moves(comparing *c, size_t pair)
{
  side *a = &c->to->sides[0], *b = &c->to->sides[1];
  size_t i = 0, k = 0;
  while (i < a->moves.len || k < b->moves.len) {
    uint32_t x = i < a->moves.len ? a->moves.data[i].look : UINT32_MAX;
    uint32_t y = k < b->moves.len ? b->moves.data[k].look : UINT32_MAX;
    if (x < y)
      note(c, DIFFERENCE_CHANGE, 0, pair, x);
    else if (y < x)
      note(c, DIFFERENCE_CHANGE, 1, pair, y);
    size_t end_a = x <= y ? same_look(a, i) : i;
    size_t end_b = y <= x ? same_look(b, k) : k;
    if (x == y)
      add_pair(c, side_kernel(a, a->moves.data + i, end_a - i),
               side_kernel(b, b->moves.data + k, end_b - k), (uint32_t)pair + 1,
               x);
    i = end_a;
    k = end_b;
  }
}

/* ---- sets of a pair ----------------------------------------------------- */

static bool close_side(comparing *c, int which, uint32_t kernel)
{
  side *s = &c->to->sides[which];
  size_t count;
  const uint32_t *states = side_kernel_states(s, kernel, &count);
  /* Kernels move when others are added, but none is while it is closed. */
  if (side_close(s, &c->to->looks, states, count, c->to->limits))
    return true;
  c->to->reason = limits_why(c->to->limits);
  if (s->stuck) {
    c->to->reason = REASON_TIME_LIMIT;
    c->to->problem = "a process does not come out of an atomic sequence";
  } else if (s->untold) {
    c->to->reason = REASON_NOT_CHECKED;
    c->to->problem = "what a message holds cannot be told";
  }
  return false;
}

static bool expand_pair(comparing *c, size_t index)
{
  uint32_t length;
  const uint8_t *bytes = numbering_get(&c->pairs, (uint32_t)index + 1, &length);
  const uint32_t *key = (const uint32_t *)(const void *)bytes;
  uint32_t old = key[0], new = key[1];
  if (!close_side(c, 0, old) || !close_side(c, 1, new))
    return false;
  compare_flags(c, index);
  compare_moves(c, index);
  return true;
}

/* ---- what comes of it --------------------------------------------------- */

static void add_sequence(comparing *c)
{
  look_list *to = &c->to->sequence;
  if (c->kind == DIFFERENCE_CHANGE)
    vec_push(to, c->look);
  for (uint32_t p = c->pair + 1; p; p = c->list.data[p - 1].parent)
    vec_push(to, c->list.data[p - 1].look);
  for (size_t i = 0; i < to->len / 2; i++) {
    uint32_t kept = to->data[i];
    to->data[i] = to->data[to->len - 1 - i];
    to->data[to->len - 1 - i] = kept;
  }
}

/* What the other can do where the run does what it cannot; its set is found once
** more, from its beginning, look by look. */
static void tell_instead(comparing *c)
{
  enum { FEW = 3 };
  diff *d = c->to;
  int other = 1 - c->only;
  side *s = &d->sides[other];
  size_t looks = d->sequence.len - (c->kind == DIFFERENCE_CHANGE);
  VEC(uint32_t) kernel = {0};
  size_t shown = 0;
  vec_push(&kernel, 1);
  for (size_t i = 1; i <= looks; i++) {
    if (!side_close(s, &d->looks, kernel.data, kernel.len, d->limits))
      break;
    if (i == looks)
      break;
    vec_clear(&kernel);
    for (size_t k = 0; k < s->moves.len; k++)
      if (s->moves.data[k].look == d->sequence.data[i])
        vec_push(&kernel, s->moves.data[k].target);
  }
  for (size_t k = 0; k < s->moves.len; k = same_look(s, k)) {
    const seen_state *to = &s->nodes.data[s->moves.data[k].target - 1];
    uint32_t length, before_length;
    if (shown++ >= FEW)
      continue;
    text_add(&d->instead, shown > 1 ? "; or " : "");
    if (to->failed) {
      const uint8_t *look = numbering_get(&d->looks, to->look, &length);
      text_add_bytes(&d->instead, (const char *)look, length);
      continue;
    }
    const uint8_t *state = side_state(s, s->moves.data[k].target, &length);
    const uint8_t *before = side_state(s, s->members.data[0], &before_length);
    uint32_t look = s->moves.data[k].look;
    size_t start = d->instead.len;
    if (look != to->look)
      seen_add_said(&d->looks, look, &d->instead);
    text more = {0};
    seen_tell(s->program, &s->seen, state, before, length, before_length,
              &more);
    if (more.len)
      text_printf(&d->instead, "%s%s", d->instead.len > start ? ", " : "",
                  text_string(&more));
    text_free(&more);
  }
  if (shown > FEW)
    text_printf(&d->instead, "; or %zu more", shown - FEW);
  if (s->ends)
    text_add(&d->instead, d->instead.len ? "; or end" : "end");
  if (s->diverges)
    text_add(&d->instead,
             d->instead.len ? "; or be silent for ever" : "be silent for ever");
  vec_free(&kernel);
}

static void conclude(comparing *c)
{
  diff *d = c->to;
  d->kind = c->kind;
  d->only = c->only;
  if (c->kind == DIFFERENCE_NONE)
    return;
  add_sequence(c);
  d->run = side_trace(&d->sides[c->only], &d->looks, &d->sequence, c->kind);
  tell_instead(c);
}

static bool start(comparing *c)
{
  diff *d = c->to;
  uint32_t first[2];
  for (int i = 0; i < 2; i++) {
    d->sides[i].worker = worker_create(d->sides[i].program);
    first[i] = side_start(&d->sides[i], &d->looks);
  }
  if (!first[0] || !first[1]) {
    d->reason = REASON_NOT_CHECKED;
    d->problem = "an initial state fails";
    return false;
  }
  uint32_t old = d->sides[0].nodes.data[0].look;
  if (old != d->sides[1].nodes.data[0].look) {
    d->kind = DIFFERENCE_START;
    return false;
  }
  seen_edge one = {1, old};
  add_pair(c, side_kernel(&d->sides[0], &one, 1),
           side_kernel(&d->sides[1], &one, 1), 0, old);
  return true;
}

static void compare(void *work)
{
  comparing *c = work;
  if (!start(c))
    return;
  for (size_t i = 0; i < c->list.len; i++) {
    /* A level is finished: a shorter run may be in it. */
    if (c->kind != DIFFERENCE_NONE && c->list.data[i].depth >= c->depth)
      break;
    if (!expand_pair(c, i))
      break;
  }
  if (c->kind != DIFFERENCE_NONE || c->to->reason == REASON_NONE)
    conclude(c);
}

void diff_run(diff *d)
{
  comparing c = {.to = d};
  if (!mem_protect(compare, &c) && d->kind == DIFFERENCE_NONE)
    d->reason = limits_why(d->limits);
  if (d->kind != DIFFERENCE_NONE)
    d->reason = REASON_NONE;
  d->pairs = c.list.len;
  numbering_free(&c.pairs);
  vec_free(&c.list);
}

void diff_free(diff *d)
{
  side_free(&d->sides[0]);
  side_free(&d->sides[1]);
  numbering_free(&d->looks);
  vec_free(&d->sequence);
  trace_destroy(d->run);
  text_free(&d->instead);
}
