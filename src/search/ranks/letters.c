/* Findings in words: a state and what is wrong with it; the order is made again
** from the state. */

#include "search/ranks/letters.h"

#include <string.h>

void letter_put(rank_bytes *to, const void *bytes, size_t length)
{
  vec_grow(to, length);
  if (length)
    memcpy(to->data + to->len, bytes, length);
  to->len += length;
}

void letter_put_number(rank_bytes *to, uint64_t number)
{
  letter_put(to, &number, sizeof number);
}

void letter_put_bytes(rank_bytes *to, const uint8_t *bytes, size_t length)
{
  letter_put_number(to, length);
  letter_put(to, bytes, length);
}

void letter_put_finding(rank_bytes *to, const finding *f)
{
  letter_put_number(to, f->errors);
  letter_put_number(to, f->is_known);
  if (!f->is_known)
    return;
  letter_put_number(to, f->level);
  letter_put_number(to, f->claim.end);
  letter_put_number(to, f->claim.fault);
  letter_put_bytes(to, f->state.data, f->state.len);
  letter_put(to, &f->where, sizeof f->where);
  letter_put_number(to, f->edge);
  letter_put_number(to, f->process);
}

static void put_places(rank_bytes *to, const place_list *places)
{
  letter_put_number(to, places->len);
  for (size_t i = 0; i < places->len; i++) {
    const fault_place *p = &places->data[i];
    letter_put_number(to, p->answer);
    letter_put(to, &p->fault, sizeof p->fault);
    letter_put_finding(to, &p->found);
  }
}

void letter_put_findings(rank_bytes *to, const team *t)
{
  letter_put_number(to, t->count);
  for (uint32_t i = 0; i < t->count; i++) {
    for (size_t kind = 0; kind < t->kinds; kind++)
      letter_put_finding(to, &t->walkers[i].found[kind]);
    put_places(to, &t->walkers[i].places);
  }
}

/* ---- reading ------------------------------------------------------------- */

void letter_get(letter_reader *r, void *bytes, size_t length)
{
  if (length > (size_t)(r->end - r->at)) {
    r->is_short = true;
    memset(bytes, 0, length);
    return;
  }
  memcpy(bytes, r->at, length);
  r->at += length;
}

uint64_t letter_get_number(letter_reader *r)
{
  uint64_t number;
  letter_get(r, &number, sizeof number);
  return number;
}

void letter_get_bytes(letter_reader *r, canonical_bytes *to)
{
  uint64_t length = letter_get_number(r);
  if (length > (size_t)(r->end - r->at)) {
    r->is_short = true;
    length = 0;
  }
  vec_resize(to, length);
  if (length)
    letter_get(r, to->data, length);
}

/* An expression has another address in each process. */
static void complete_claim(const team *t, size_t kind, trace_claim *claim)
{
  const search *s = t->asker;
  if (claim->end != TRACE_INVARIANT && claim->end != TRACE_WITNESS)
    return;
  for (size_t i = 0; i < s->checks.len; i++)
    if (s->checks.data[i].property == kind)
      *claim = search_claim_of(s, &s->checks.data[i]);
}

void letter_get_finding(letter_reader *r, const team *t, size_t kind,
                        finding *f)
{
  f->errors = letter_get_number(r);
  f->is_known = letter_get_number(r);
  if (!f->is_known)
    return;
  f->level = letter_get_number(r);
  f->claim.end = (trace_end)letter_get_number(r);
  f->claim.fault = letter_get_number(r);
  letter_get_bytes(r, &f->state);
  letter_get(r, &f->where, sizeof f->where);
  f->edge = (uint32_t)letter_get_number(r);
  f->process = (uint32_t)letter_get_number(r);
  complete_claim(t, kind, &f->claim);
  program_canonical(t->asker->program, f->state.data, (uint32_t)f->state.len,
                    &f->key);
}

static void get_places(letter_reader *r, team *t)
{
  for (uint64_t n = letter_get_number(r); n && !r->is_short; n--) {
    finding f = {0};
    fault where;
    uint32_t index = (uint32_t)letter_get_number(r);
    letter_get(r, &where, sizeof where);
    letter_get_finding(r, t, index, &f);
    if (f.errors || f.is_known)
      finding_add(&place_of(&t->walkers[0].places, index, &where)->found, &f);
    finding_free(&f);
  }
}

void letter_get_findings(letter_reader *r, team *t)
{
  for (uint64_t n = letter_get_number(r); n && !r->is_short; n--) {
    for (size_t kind = 0; kind < t->kinds && !r->is_short; kind++) {
      finding f = {0};
      letter_get_finding(r, t, kind, &f);
      finding_add(&t->walkers[0].found[kind], &f);
      finding_free(&f);
    }
    get_places(r, t);
  }
}
