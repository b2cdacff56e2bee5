/* A walker's part in what goes between ranks.  The first walker exchanges messages
** with other ranks.  Where there are several, packets go from the others through
** its hands, and what comes is stored by whoever has time. */

#include "search/ranks/fleet_internal.h"

#include "base/alloc.h"
#include "base/system/usage.h"
#include <stddef.h>
#include <string.h>
#include <time.h>

/* The first byte of data. */
enum { DATA_STATES, DATA_QUESTIONS, DATA_ANSWERS, DATA_STEPS };

/* Behind it, with questions: whose they are, and which is the first. */
typedef struct question_head {
  uint32_t asker, first;
} question_head;

/* Before answers: to which of the questions they belong. */
typedef struct answer_head {
  uint32_t asker, first, count;
} answer_head;

enum {
  PARCELS_WAIT =
      4, /* for each walker; with more it is better to take than to make */
  SHORTEST_REST = 20, /* microseconds, of a walker that is not the first */
  LONGEST_REST = 200
};

#define LOOK_SECONDS 0.1

/* ---- desks --------------------------------------------------------------- */

static void add_desk(fleet *f)
{
  desk *d = f->desks[f->desk_count] = mem_alloc(sizeof *d);
  d->fleet = f;
  d->index = f->desk_count++;
  d->lines = mem_alloc(f->count * sizeof *d->lines);
  /* All of them together have what one would. */
  d->sent.most = SENT_BYTES / f->most;
  if (d->sent.most < SENT_BYTES_LEAST)
    d->sent.most = SENT_BYTES_LEAST;
}

void desks_fill(fleet *f, team *t)
{
  if (!f->desks) {
    f->desks = mem_alloc(t->most * sizeof *f->desks);
    f->most = t->most;
  }
  while (f->desk_count < t->count)
    add_desk(f);
  for (uint32_t i = 0; i < t->count; i++)
    t->walkers[i].own.desk = f->desks[i];
}

static void free_parcel(parcel *p)
{
  if (!p)
    return;
  vec_free(&p->bytes);
  mem_free(p, sizeof *p);
}

static void free_desk(const fleet *f, desk *d)
{
  for (uint32_t i = 0; d->lines && i < f->count; i++) {
    packer_free(&d->lines[i].packer);
    vec_free(&d->lines[i].questions);
    vec_free(&d->lines[i].answers);
  }
  mem_free(d->lines, f->count * sizeof *d->lines);
  vec_free(&d->doubts);
  vec_free(&d->hashes);
  vec_free(&d->foreign);
  vec_free(&d->gains);
  vec_free(&d->late);
  sent_free(&d->sent);
  free_parcel(d->parcel);
  mem_free(d, sizeof *d);
}

void desks_free(fleet *f)
{
  for (uint32_t i = 0; i < f->desk_count; i++)
    free_desk(f, f->desks[i]);
  mem_free(f->desks, f->most * sizeof *f->desks);
}

void desks_clear(fleet *f)
{
  for (uint32_t i = 0; i < f->desk_count; i++) {
    desk *d = f->desks[i];
    vec_clear(&d->doubts);
    vec_clear(&d->late);
    for (uint32_t to = 0; to < f->count; to++) {
      vec_clear(&d->lines[to].questions);
      vec_clear(&d->lines[to].answers);
      d->lines[to].asked = 0;
    }
  }
}

uint64_t desks_doubts(const fleet *f)
{
  uint64_t doubts = 0;
  for (uint32_t i = 0; i < f->desk_count; i++)
    doubts += f->desks[i]->doubts.len;
  return doubts;
}

void desks_forget_sent(fleet *f)
{
  for (uint32_t i = 0; i < f->desk_count; i++)
    sent_forget(&f->desks[i]->sent);
}

/* ---- out ----------------------------------------------------------------- */

/* A parcel that was taken is not needed any more; it may have been left in the
** middle. */
static void give_parcel(desk *d)
{
  if (d->parcel)
    mail_give_back(&d->fleet->in, d->parcel);
  d->parcel = NULL;
}

/* Room for data in the stream to a rank; of another walker than the first in a
** parcel, which is to be put into the mail then. */
static uint8_t *make_room(desk *d, uint32_t to, size_t length, parcel **made)
{
  *made = NULL;
  if (!d->index)
    return ranks_put(d->fleet->ranks, to, length);
  give_parcel(d);
  parcel *p = d->parcel = mail_blank(&d->fleet->out);
  p->rank = to;
  vec_resize(&p->bytes, length);
  *made = p;
  return p->bytes.data;
}

/* Sends the packet for a rank, by itself when it is the first walker's. */
static void send_packet(desk *d, uint32_t to)
{
  desk_line *line = &d->lines[to];
  const rank_bytes *packet = &line->packer.packet;
  bool asks = line->questions.len > line->asked;
  question_head head = {d->index, (uint32_t)line->asked};
  size_t before = 1 + (asks ? sizeof head : 0);
  parcel *made;
  uint8_t *room = make_room(d, to, before + packet->len, &made);
  room[0] = line->has_steps ? DATA_STEPS : asks ? DATA_QUESTIONS : DATA_STATES;
  if (asks)
    memcpy(room + 1, &head, sizeof head);
  memcpy(room + before, packet->data, packet->len);
  line->asked = line->questions.len;
  line->has_steps = false;
  packer_clear(&line->packer);
  d->parcel = NULL;
  if (made)
    mail_put(&d->fleet->out, made);
}

static void send_rest(desk *d)
{
  for (uint32_t to = 0; to < d->fleet->count; to++)
    if (d->lines[to].packer.packet.len)
      send_packet(d, to);
}

/* What other walkers have made goes into the streams; not more than these should
** hold, unless all of it must go. */
static void carry(fleet *f, bool all)
{
  parcel *p;
  while ((all || !ranks_are_crowded(f->ranks)) && (p = mail_take(&f->out))) {
    memcpy(ranks_put(f->ranks, p->rank, p->bytes.len), p->bytes.data,
           p->bytes.len);
    mail_settle(&f->out);
    mail_give_back(&f->out, p);
  }
}

void desks_send_all(fleet *f)
{
  for (uint32_t i = 0; i < f->desk_count; i++)
    send_rest(f->desks[i]);
  carry(f, true);
}

void desk_send(desk *d, uint64_t hash, const uint8_t *state, uint32_t length,
               bool asks, uint16_t asleep)
{
  uint32_t to = fleet_owner(d->fleet, hash);
  desk_line *line = &d->lines[to];
  d->packed++;
  packer_add(&line->packer, state, length, asks, asleep);
  if (asks)
    vec_push(&line->questions, (uint32_t)d->doubts.len - 1);
  if (packer_is_full(&line->packer))
    send_packet(d, to);
}

void desk_send_step(desk *d, uint64_t hash, const uint8_t *state,
                    uint32_t length, uint64_t gains)
{
  uint32_t to = fleet_owner(d->fleet, hash);
  desk_line *line = &d->lines[to];
  line->has_steps = true;
  d->packed++;
  packer_add_step(&line->packer, state, length, gains);
  if (packer_is_full(&line->packer))
    send_packet(d, to);
}

/* ---- in ------------------------------------------------------------------ */

/* What another rank says of the states that it was asked about; nobody works at a
** desk meanwhile. */
static void hear_answers(fleet *f, uint32_t from, const uint8_t *at,
                         const uint8_t *end)
{
  for (answer_head head; (size_t)(end - at) >= sizeof head; at += head.count) {
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    if (head.asker >= f->desk_count || head.count > (size_t)(end - at))
      return;
    desk *d = f->desks[head.asker];
    const desk_line *line = &d->lines[from];
    for (uint32_t i = 0; i < head.count; i++)
      if (head.first + i < line->questions.len)
        d->doubts.data[line->questions.data[head.first + i]].is_kept |= at[i];
  }
}

/* Where questions are, answers will be. */
static void begin_answers(desk *d)
{
  answer_head head = {d->asker, d->first_question, 0};
  rank_bytes *to = &d->lines[d->from].answers;
  vec_grow(to, sizeof head);
  d->answers_at = to->len;
  memcpy(to->data + to->len, &head, sizeof head);
  to->len += sizeof head;
}

static void unpack(desk *d, uint32_t from, const uint8_t *data, size_t length,
                   batch *b)
{
  question_head head;
  size_t before = 1;
  d->from = from;
  vec_clear(&b->list);
  if (data[0] == DATA_ANSWERS) {
    hear_answers(d->fleet, from, data + 1, data + length);
    return;
  }
  if (atomic_load(&d->fleet->discards))
    return;
  if (data[0] == DATA_QUESTIONS) {
    memcpy(&head, data + 1, sizeof head);
    before += sizeof head;
    d->asker = head.asker;
    d->first_question = head.first;
    begin_answers(d);
  }
  packet_unpack(data + before, length - before, b,
                data[0] == DATA_STEPS ? &d->gains : NULL);
}

/* Puts what came where all walkers find it, as long as that is not too much. */
static void fetch(fleet *f, uint32_t walkers)
{
  const uint8_t *data;
  uint32_t from;
  size_t length;
  while (!f->is_heard &&
         mail_waiting(&f->in) < (size_t)PARCELS_WAIT * walkers &&
         (data = ranks_take(f->ranks, &from, &length))) {
    parcel *p = mail_blank(&f->in);
    p->rank = from;
    f->desks[0]->parcel = p;
    vec_resize(&p->bytes, length);
    memcpy(p->bytes.data, data, length);
    f->desks[0]->parcel = NULL;
    mail_put(&f->in, p);
  }
}

/* From the mail. */
static bool take_parcel(desk *d, batch *b)
{
  fleet *f = d->fleet;
  give_parcel(d);
  parcel *p = d->parcel = mail_take(&f->in);
  d->is_taken = p;
  if (p)
    unpack(d, p->rank, p->bytes.data, p->bytes.len, b);
  return p;
}

bool desk_take(desk *d, team *t, batch *b)
{
  fleet *f = d->fleet;
  uint32_t from;
  size_t length;
  if (!d->index)
    carry(f, false);
  bool by_mail = t->is_shared || t->disk;
  if (!d->index && by_mail)
    fetch(f, t->count);
  if (take_parcel(d, b)) {
    d->idle = 0;
    return true;
  }
  if (d->index || by_mail || f->is_heard)
    return false;
  const uint8_t *data = ranks_take(f->ranks, &from, &length);
  if (data)
    unpack(d, from, data, length, b);
  return data;
}

void desk_settle(desk *d)
{
  if (d->is_taken)
    mail_settle(&d->fleet->in);
  give_parcel(d);
  d->is_taken = false;
}

void desk_put_back(desk *d)
{
  mail_put(&d->fleet->in, d->parcel);
  d->parcel = NULL;
  desk_settle(d);
}

void desk_answer(desk *d, bool keeps)
{
  rank_bytes *to = &d->lines[d->from].answers;
  vec_push(to, keeps);
  /* The head before the answers has their number. */
  uint32_t count;
  size_t at = d->answers_at + offsetof(answer_head, count);
  memcpy(&count, to->data + at, sizeof count);
  count++;
  memcpy(to->data + at, &count, sizeof count);
}

void desk_answer_late(desk *d, store_handle handle)
{
  size_t at = d->lines[d->from].answers.len;
  desk_answer(d, false);
  vec_push(&d->late, ((late_answer){handle, d->from, at}));
}

void desks_send_answers(fleet *f)
{
  for (uint32_t i = 0; i < f->desk_count; i++)
    for (uint32_t to = 0; to < f->count; to++) {
      const rank_bytes *answers = &f->desks[i]->lines[to].answers;
      if (!answers->len)
        continue;
      uint8_t *room = ranks_put(f->ranks, to, 1 + answers->len);
      room[0] = DATA_ANSWERS;
      memcpy(room + 1, answers->data, answers->len);
    }
}

void desk_doubt(desk *d, store_handle *piece, bool stays, size_t left_out)
{
  vec_push(&d->doubts, ((doubt){.piece = stays ? piece : NULL,
                                .state = *piece,
                                .left_out = (uint32_t)left_out}));
}

void desk_discard(desk *d, team *t)
{
  atomic_store(&d->fleet->discards, true);
  watch_full(&t->walkers[d->index].own.watch);
  team_stop(t);
}

/* ---- waiting -------------------------------------------------------------- */

void desk_wait(desk *d, team *t)
{
  fleet *f = d->fleet;
  if (d->index) {
    long micros = (long)SHORTEST_REST * ++d->idle;
    struct timespec rest = {
        0, 1000 * (micros < LONGEST_REST ? micros : LONGEST_REST)};
    nanosleep(&rest, NULL);
    return;
  }
  double now = usage_seconds();
  fleet_obey(t);
  if (now >= f->next_look) {
    f->next_look = now + LOOK_SECONDS;
    if (!atomic_load(&t->stop))
      team_look(t);
  }
  if (!mail_waiting(&f->out) || ranks_are_crowded(f->ranks))
    ranks_rest(f->ranks);
}

bool desk_goes_on(desk *d, team *t)
{
  fleet *f = d->fleet;
  if (!d->index)
    fleet_obey(t);
  if (atomic_load(&t->stop) ||
      (d->index ? mail_waiting(&f->out) < (size_t)PARCELS_WAIT * t->count
                : !ranks_are_crowded(f->ranks))) {
    d->idle = 0;
    return true;
  }
  desk_wait(d, t);
  return false;
}

/* ---- the end of a part ---------------------------------------------------- */

void desk_end_part(desk *d)
{
  if (!d->fleet->has_more)
    send_rest(d);
  atomic_fetch_add(&d->fleet->done, 1);
}

/* The first walker says the word when all have sent what they had, and hears
** those of the others. */
bool desk_is_over(desk *d, team *t)
{
  fleet *f = d->fleet;
  uint32_t walkers = t->is_shared ? t->count : 1;
  if (f->has_more) /* the first carries what the others send */
    return d->index || atomic_load(&f->done) == walkers;
  if (d->index)
    return atomic_load(&f->is_over);
  if (!f->is_said && atomic_load(&f->done) == walkers &&
      !mail_waiting(&f->out)) {
    if (!t->is_shared) /* an earlier job of the part may have been for all */
      desks_send_all(f);
    fleet_say_part(f, t);
  }
  f->is_heard = f->is_heard || (f->is_said && ranks_have_heard(f->ranks));
  if (f->is_heard) /* who has not heard this rank's word waits for it */
    ranks_flush(f->ranks);
  if (f->is_heard && mail_is_settled(&f->in))
    atomic_store(&f->is_over, true);
  return atomic_load(&f->is_over);
}
