/* Messages of rendezvous channels: no state has them, but steps show them. */

#include "verify/diff/versions.h"
#include <string.h>

/* The name of the observed channel that has this number in the state. */
static const char *meeting_at(const side *s, const uint8_t *state,
                              int32_t channel)
{
  for (size_t i = 0; i < s->seen.len; i++) {
    const seen_item *it = &s->seen.data[i];
    if (it->is_meeting && keep_read(it->keep, state + it->offset) == channel)
      return it->name;
  }
  return NULL;
}

/* Adds what a step says that the next one answers; 'before' is the state in which
** it is made. */
static void add_message(side *s, const step *send, const uint8_t *before,
                        uint32_t length)
{
  const edge *e = program_model(s->program)->edges.data[send->edge];
  int32_t channel = 0;
  if (!e->comm)
    return;
  view_read(s->program, before, length, &s->view);
  text_clear(&s->one);
  bool told =
      s->message(s->program, &s->view, e, send->process, &channel, &s->one);
  const char *name = meeting_at(s, before, channel);
  if (!name)
    return;
  s->untold |= !told;
  text_printf(&s->said, "%s%s: %s", s->said.len ? ", " : "", name,
              text_string(&s->one));
}

/* In the bytes of the look what was said stands last, with its length. */
uint32_t side_edge_look(side *s, numbering *looks, const successor *to,
                        uint32_t own)
{
  const batch *b = &s->batch;
  const uint8_t *before = s->state.data;
  uint32_t length = (uint32_t)s->state.len;
  text_clear(&s->said);
  for (uint32_t i = 0; i + 1 < to->steps; i++) {
    const step *one = &b->steps.data[to->first_step + i];
    if (one[1].flags & STEP_PARTNER)
      add_message(s, one, before, length);
    before = b->record_bytes.data + one->start;
    length = one->length;
  }
  if (!s->said.len)
    return own;
  uint32_t said = (uint32_t)s->said.len, known;
  const uint8_t *look = numbering_get(looks, own, &known);
  text_clear(&s->look);
  text_add_bytes(&s->look, (const char *)look, known);
  text_add_bytes(&s->look, text_string(&s->said), said);
  text_add_bytes(&s->look, (const char *)&said, sizeof said);
  return numbering_add(looks, (const uint8_t *)text_string(&s->look),
                       s->look.len);
}

void seen_add_said(const numbering *looks, uint32_t look, text *out)
{
  uint32_t length, said;
  const uint8_t *bytes = numbering_get(looks, look, &length);
  memcpy(&said, bytes + length - sizeof said, sizeof said);
  text_add_bytes(out, (const char *)bytes + length - sizeof said - said, said);
}
