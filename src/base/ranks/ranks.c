/* Streams of records between ranks, cut into messages; see ranks.h. */

#include "base/ranks/ranks.h"

#include "base/alloc.h"
#include "base/system/usage.h"
#include <assert.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

typedef enum {
  RECORD_DATA,
  RECORD_WORD, /* its point, four bytes, and what was said */
  RECORD_STOP,
  RECORD_HALT,
  RECORD_FIGURES,
  RECORD_FAREWELL
} record_kind;

/* Before each record. */
typedef struct record_head {
  uint32_t kind, length;
} record_head;

enum {
  POINT = 4,
  SHORTEST_REST = 20, /* microseconds */
  LONGEST_REST = 1000,
  LONGEST_NAP = 200, /* where nobody wants the core of who waits */
  EAGER_LOOKS = 50,  /* before the first rest, */
  EAGER_WITH_CORE = 500,
  LEAST_MESSAGE = 16,
  CROWDED_AT = 2 /* messages that wait */
};

/* A rank that is not this one. */
typedef struct peer {
  /* What goes there: written, and of that on its way or gone. */
  rank_bytes out;
  size_t taken;
  bool flushes; /* what is written goes out though it fills no message */
  uint8_t *slots[CARRIER_SLOTS];
  bool under_way[CARRIER_SLOTS];
  uint32_t next_slot;
  /* What came: all before 'read' was looked at. */
  rank_bytes in;
  size_t read;
  rank_bytes word;
  bool has_said; /* the word that is waited for */
  bool has_left;
  uint32_t farewell;
  uint64_t figures[RANKS_FIGURES];
} peer;

struct ranks {
  const carrier_class *class;
  carrier *carrier;
  uint32_t own, count;
  ranks_settings settings;
  size_t message;
  peer *peers;
  uint32_t point; /* of the word that was said last */
  bool waits;     /* for words */
  bool broken;
  bool told_halt;
  uint32_t why_broken, told_stop, farewell;
  uint32_t next;     /* whom to look at next */
  uint32_t idle;     /* times in a row that nothing came */
  uint32_t eager;    /* as often nobody sleeps; */
  long longest_rest; /* then at most so many microseconds at a time */
  rank_cost cost;
};

ranks *ranks_create(const carrier_class *class, carrier *c,
                    const ranks_settings *settings)
{
  ranks *r = mem_alloc(sizeof *r);
  size_t message = settings->message_bytes;
  r->class = class;
  r->carrier = c;
  r->own = class->own(c);
  r->count = class->count(c);
  r->settings = *settings;
  r->eager = settings->has_core ? EAGER_WITH_CORE : EAGER_LOOKS;
  r->longest_rest = settings->has_core ? LONGEST_NAP : LONGEST_REST;
  /* Or the system makes the shortest rest four times as long. */
  (void)prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
  r->message = message && message < CARRIER_MOST ? message : CARRIER_MOST;
  if (r->message < LEAST_MESSAGE)
    r->message = LEAST_MESSAGE;
  r->peers = mem_alloc(r->count * sizeof *r->peers);
  for (uint32_t i = 0; i < r->count; i++)
    for (uint32_t k = 0; i != r->own && k < CARRIER_SLOTS; k++)
      r->peers[i].slots[k] = mem_alloc(r->message);
  return r;
}

uint32_t ranks_own(const ranks *r)
{
  return r->own;
}

uint32_t ranks_count(const ranks *r)
{
  return r->count;
}

const char *ranks_name(const ranks *r)
{
  return r->class->name(r->carrier);
}

uint32_t ranks_spread_after(const ranks *r)
{
  return r->settings.spread_after;
}

uint32_t ranks_disk_bytes(const ranks *r)
{
  return r->settings.disk_bytes;
}

uint32_t ranks_kept_batches(const ranks *r)
{
  return r->settings.kept_batches;
}

uint32_t ranks_kept_files(const ranks *r)
{
  return r->settings.kept_files;
}

/* ---- out ----------------------------------------------------------------- */

/* Room for a record behind those that wait. */
static uint8_t *put(ranks *r, uint32_t to, record_kind kind, size_t length)
{
  peer *p = &r->peers[to];
  record_head head = {kind, (uint32_t)length};
  assert(to != r->own && length == head.length);
  vec_grow(&p->out, sizeof head + length);
  memcpy(p->out.data + p->out.len, &head, sizeof head);
  p->out.len += sizeof head + length;
  return p->out.data + p->out.len - length;
}

/* Sends one message, if there is enough for it and room; whether it did. */
static bool send_one(ranks *r, uint32_t to)
{
  peer *p = &r->peers[to];
  size_t left = p->out.len - p->taken;
  uint32_t slot = p->next_slot;
  if (!left || (left < r->message && !p->flushes))
    return false;
  if (p->under_way[slot] && !r->class->is_sent(r->carrier, to, slot))
    return false;
  size_t length = left < r->message ? left : r->message;
  memcpy(p->slots[slot], p->out.data + p->taken, length);
  r->class->send(r->carrier, to, slot, p->slots[slot], length);
  p->under_way[slot] = true;
  p->next_slot = (slot + 1) % CARRIER_SLOTS;
  p->taken += length;
  r->cost.messages++;
  r->cost.bytes += length;
  if (p->taken == p->out.len) {
    vec_clear(&p->out);
    p->taken = 0;
    p->flushes = false;
  }
  return true;
}

/* What is gone makes room once it is more than half. */
static void tidy(peer *p)
{
  if (!p->taken || p->taken < p->out.len / 2)
    return;
  memmove(p->out.data, p->out.data + p->taken, p->out.len - p->taken);
  p->out.len -= p->taken;
  p->taken = 0;
}

static void send_all(ranks *r)
{
  for (uint32_t to = 0; to < r->count; to++) {
    if (to == r->own)
      continue;
    while (send_one(r, to))
      ;
    tidy(&r->peers[to]);
  }
}

void ranks_flush(ranks *r)
{
  send_all(r);
}

static void put_for_all(ranks *r, record_kind kind, const void *bytes,
                        size_t length)
{
  for (uint32_t to = 0; to < r->count; to++)
    if (to != r->own) {
      memcpy(put(r, to, kind, length), bytes, length);
      r->peers[to].flushes = true;
    }
}

uint8_t *ranks_put(ranks *r, uint32_t to, size_t length)
{
  return put(r, to, RECORD_DATA, length);
}

bool ranks_are_crowded(const ranks *r)
{
  for (uint32_t to = 0; to < r->count; to++)
    if (to != r->own &&
        r->peers[to].out.len - r->peers[to].taken >= CROWDED_AT * r->message)
      return true;
  return false;
}

/* ---- in ------------------------------------------------------------------ */

static void break_off(ranks *r, uint32_t why)
{
  if (!r->broken)
    r->why_broken = why;
  r->broken = true;
}

static void hear_word(ranks *r, peer *p, const uint8_t *bytes, size_t length)
{
  uint32_t point;
  memcpy(&point, bytes, POINT);
  if (r->waits && point != r->point)
    break_off(r, 0);
  vec_resize(&p->word, length);
  memcpy(p->word.data, bytes, length);
  p->has_said = true;
}

/* Enters a record that is no data. */
static void hear(ranks *r, peer *p, record_kind kind, const uint8_t *bytes,
                 size_t length)
{
  uint32_t number = 0;
  if (kind == RECORD_WORD) {
    hear_word(r, p, bytes, length);
    return;
  }
  if (kind == RECORD_FIGURES) {
    memcpy(p->figures, bytes, sizeof p->figures);
    return;
  }
  if (kind == RECORD_HALT) {
    r->told_halt = true;
    return;
  }
  memcpy(&number, bytes, sizeof number);
  if (kind == RECORD_STOP) {
    r->told_stop = number;
    return;
  }
  p->has_left = true;
  p->farewell = number;
  if (r->waits)
    break_off(r, number);
}

/* The next record of a rank that is all there; NULL: none.  Behind a word
** nothing is looked at before it was heard by all. */
static const uint8_t *next_record(const peer *p, record_head *head)
{
  size_t left = p->in.len - p->read;
  if (p->has_said || left < sizeof *head)
    return NULL;
  memcpy(head, p->in.data + p->read, sizeof *head);
  if (left < sizeof *head + head->length)
    return NULL;
  return p->in.data + p->read + sizeof *head;
}

/* Appends a message that came; whether there was one. */
static bool receive(ranks *r, uint32_t from)
{
  peer *p = &r->peers[from];
  size_t length;
  const void *bytes = r->class->receive(r->carrier, from, &length);
  if (!bytes)
    return false;
  if (length == CARRIER_GONE) {
    p->has_left = true;
    break_off(r, 0);
    return false;
  }
  if (p->read) {
    memmove(p->in.data, p->in.data + p->read, p->in.len - p->read);
    p->in.len -= p->read;
    p->read = 0;
  }
  vec_grow(&p->in, length);
  memcpy(p->in.data + p->in.len, bytes, length);
  p->in.len += length;
  r->class->done(r->carrier, from);
  return true;
}

/* Looks at what a rank sent, up to a record of data. */
static const uint8_t *look_at(ranks *r, uint32_t from, size_t *length)
{
  peer *p = &r->peers[from];
  record_head head;
  for (;;) {
    const uint8_t *bytes = next_record(p, &head);
    if (!bytes && (p->has_said || p->has_left || !receive(r, from)))
      return NULL;
    if (!bytes)
      continue;
    p->read += sizeof head + head.length;
    r->idle = 0;
    *length = head.length;
    if (head.kind == RECORD_DATA)
      return bytes;
    hear(r, p, (record_kind)head.kind, bytes, head.length);
  }
}

const uint8_t *ranks_take(ranks *r, uint32_t *from, size_t *length)
{
  send_all(r);
  for (uint32_t i = 0; i < r->count; i++) {
    uint32_t rank = (r->next + i) % r->count;
    const uint8_t *data = rank == r->own ? NULL : look_at(r, rank, length);
    if (data) {
      *from = r->next = rank;
      return data;
    }
  }
  return NULL;
}

void ranks_rest(ranks *r)
{
  if (r->idle++ < r->eager)
    return;
  long micros = (long)SHORTEST_REST * (r->idle - r->eager);
  if (micros > r->longest_rest)
    micros = r->longest_rest;
  struct timespec rest = {0, micros * 1000};
  double before = usage_seconds();
  nanosleep(&rest, NULL);
  r->cost.rested += usage_seconds() - before;
}

/* ---- words --------------------------------------------------------------- */

/* Who was faster may have said its word already, and may have left. */
static void look_who_is_there(ranks *r)
{
  for (uint32_t i = 0; i < r->count; i++) {
    const peer *p = &r->peers[i];
    uint32_t point;
    if (i != r->own && p->has_left && !p->has_said)
      break_off(r, p->farewell);
    if (i == r->own || !p->has_said)
      continue;
    memcpy(&point, p->word.data, POINT);
    if (point != r->point)
      break_off(r, 0);
  }
}

void ranks_say(ranks *r, uint32_t point, const void *bytes, size_t length)
{
  rank_bytes *own = &r->peers[r->own].word;
  vec_resize(own, POINT + length);
  memcpy(own->data, &point, POINT);
  if (length)
    memcpy(own->data + POINT, bytes, length);
  r->point = point;
  r->waits = true;
  r->cost.words++;
  put_for_all(r, RECORD_WORD, own->data, own->len);
  look_who_is_there(r);
}

/* What was said last is heard by all: the next records may be looked at. */
static void end_waiting(ranks *r)
{
  for (uint32_t i = 0; i < r->count; i++)
    r->peers[i].has_said = false;
  r->waits = false;
}

bool ranks_have_heard(ranks *r)
{
  bool all = true;
  if (r->broken || !r->waits)
    return true;
  for (uint32_t i = 0; i < r->count; i++)
    all = all && (i == r->own || r->peers[i].has_said);
  if (all)
    end_waiting(r);
  return all;
}

const uint8_t *ranks_word(const ranks *r, uint32_t from, size_t *length)
{
  const rank_bytes *word = &r->peers[from].word;
  *length = word->len - POINT;
  return word->data + POINT;
}

bool ranks_meet(ranks *r, uint32_t point, const void *bytes, size_t length)
{
  uint32_t from;
  size_t data_length;
  ranks_say(r, point, bytes, length);
  while (!ranks_have_heard(r))
    if (ranks_take(r, &from, &data_length))
      break_off(r, 0); /* data where none can be */
    else
      ranks_rest(r);
  return !r->broken;
}

bool ranks_are_broken(const ranks *r)
{
  return r->broken;
}

uint32_t ranks_why_broken(const ranks *r)
{
  return r->why_broken;
}

/* ---- notices ------------------------------------------------------------- */

void ranks_tell_halt(ranks *r)
{
  put_for_all(r, RECORD_HALT, "", 0);
}

bool ranks_told_halt(const ranks *r)
{
  return r->told_halt;
}

void ranks_forget_halt(ranks *r)
{
  r->told_halt = false;
}

void ranks_tell_stop(ranks *r, uint32_t why)
{
  put_for_all(r, RECORD_STOP, &why, sizeof why);
}

uint32_t ranks_told_stop(const ranks *r)
{
  return r->told_stop;
}

void ranks_forget_stop(ranks *r)
{
  r->told_stop = 0;
}

void ranks_tell_figures(ranks *r, const uint64_t figures[RANKS_FIGURES])
{
  size_t bytes = RANKS_FIGURES * sizeof *figures;
  if (r->own == 0)
    return;
  memcpy(put(r, 0, RECORD_FIGURES, bytes), figures, bytes);
  r->peers[0].flushes = true;
}

void ranks_add_figures(const ranks *r, uint64_t sums[RANKS_FIGURES])
{
  for (uint32_t i = 0; i < r->count; i++)
    for (int k = 0; i != r->own && k < RANKS_FIGURES; k++)
      sums[k] += r->peers[i].figures[k];
}

void ranks_clear_figures(ranks *r)
{
  for (uint32_t i = 0; i < r->count; i++)
    memset(r->peers[i].figures, 0, sizeof r->peers[i].figures);
}

rank_cost ranks_cost(const ranks *r)
{
  return r->cost;
}

/* ---- the end ------------------------------------------------------------- */

/* Nobody wants data or words any more. */
static void drop(ranks *r, uint32_t from)
{
  size_t length;
  peer *p = &r->peers[from];
  do
    p->has_said = false;
  while (look_at(r, from, &length));
  p->has_said = false;
}

static bool is_all_sent(ranks *r, uint32_t to)
{
  peer *p = &r->peers[to];
  bool sent = p->taken == p->out.len;
  for (uint32_t slot = 0; sent && slot < CARRIER_SLOTS; slot++)
    sent = !p->under_way[slot] || r->class->is_sent(r->carrier, to, slot);
  return sent;
}

/* Whether nothing is under way any more. */
static bool is_over(ranks *r)
{
  bool over = true;
  send_all(r);
  for (uint32_t i = 0; i < r->count; i++) {
    if (i == r->own)
      continue;
    if (!r->peers[i].has_left)
      drop(r, i);
    over = over && r->peers[i].has_left && is_all_sent(r, i);
  }
  return over;
}

void ranks_set_farewell(ranks *r, uint32_t why)
{
  r->farewell = why;
}

void ranks_close(ranks *r)
{
  if (!r)
    return;
  r->waits = false;
  put_for_all(r, RECORD_FAREWELL, &r->farewell, sizeof r->farewell);
  while (!is_over(r))
    ranks_rest(r);
  r->class->end(r->carrier);
  for (uint32_t i = 0; i < r->count; i++) {
    peer *p = &r->peers[i];
    for (uint32_t k = 0; i != r->own && k < CARRIER_SLOTS; k++)
      mem_free(p->slots[k], r->message);
    vec_free(&p->out);
    vec_free(&p->in);
    vec_free(&p->word);
  }
  mem_free(r->peers, r->count * sizeof *r->peers);
  mem_free(r, sizeof *r);
}
