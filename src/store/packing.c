#include "store/packing.h"

#include "base/alloc.h"

/* How many codes are made anew, as a multiple of the states and beyond those
** that cost nothing, before numbers that are too narrow get more bits than they
** need; and before all get what they can have, after which hardly a state can
** need more. */
enum { PATIENCE = 2, MOST_PATIENCE = 16, FOR_FREE = 1 << 20 };

/* ---- set-up ------------------------------------------------------------ */

static size_t word_bytes(const packing *p)
{
  return (STORE_HANDS + 1) * (size_t)p->word_room * sizeof *p->words;
}

static size_t state_bytes(const packing *p)
{
  return (STORE_HANDS + 1) * (size_t)p->room;
}

static bool take_sample(packing *p, const store_settings *settings)
{
  for (size_t i = 0; i < settings->sample_count; i++)
    if (!bitpack_widen(&p->coder, settings->sample[i].state,
                       settings->sample[i].length, BITPACK_NEEDED))
      return false;
  return true;
}

bool packing_set_up(packing *p, const store_settings *settings)
{
  *p = (packing){.room = 0};
  codec_settings for_coder = {.map = settings->map, .fields = settings->fields};
  if (bitpack_set_up(&p->coder, &for_coder) && take_sample(p, settings))
    return true;
  packing_give_up(p);
  return false;
}

void packing_give_up(packing *p)
{
  bitpack_give_up(&p->coder);
  mem_free(p->states, state_bytes(p));
  mem_free(p->words, word_bytes(p));
  *p = (packing){.room = 0};
}

size_t packing_bytes(const packing *p)
{
  return bitpack_bytes(&p->coder) + state_bytes(p) + word_bytes(p);
}

/* Makes room for longer states than there were.  Nothing is at hand then. */
static bool make_room(packing *p, uint32_t length)
{
  packing new = {.room = length + length / 4 + CODEC_SLACK};
  new.word_room = new.room / 8 + 3;
  new.states = mem_try_alloc(state_bytes(&new));
  new.words = mem_try_alloc(word_bytes(&new));
  if (!new.states || !new.words) {
    mem_free(new.states, state_bytes(&new));
    mem_free(new.words, word_bytes(&new));
    return false;
  }
  mem_free(p->states, state_bytes(p));
  mem_free(p->words, word_bytes(p));
  p->states = new.states;
  p->words = new.words;
  p->room = new.room;
  p->word_room = new.word_room;
  for (uint32_t i = 0; i < STORE_HANDS; i++)
    p->hands[i] = (bitpack_hand){.state = p->states + (size_t)i * p->room,
                                 .words = p->words + (size_t)i * p->word_room};
  return true;
}

bool packing_expect(packing *p, const store_offer *offers, uint32_t count)
{
  uint32_t longest = p->longest;
  for (uint32_t i = 0; i < count; i++)
    longest = offers[i].length > longest ? offers[i].length : longest;
  if (longest + CODEC_SLACK > p->room && !make_room(p, longest))
    return false;
  p->longest = longest;
  return true;
}

/* ---- codes --------------------------------------------------------------- */

packing_result packing_encode(packing *p, const uint8_t *state, uint32_t length,
                              const bitpack_plan **plan, uint64_t *words)
{
  if (!bitpack_find_plan(&p->coder, state, length, plan))
    return PACKING_FULL;
  if (!*plan)
    return PACKING_VERBATIM;
  return bitpack_encode(&p->coder, *plan, state, words) ? PACKING_DONE
                                                        : PACKING_UNFIT;
}

static bitpack_extent extent_for(const packing *p, uint64_t count)
{
  if (p->recoded > FOR_FREE + MOST_PATIENCE * count)
    return BITPACK_ALL;
  return p->recoded > FOR_FREE + PATIENCE * count ? BITPACK_MORE
                                                  : BITPACK_NEEDED;
}

bool packing_widen(packing *p, const store_offer *offer, uint64_t count,
                   bitpack_past *past)
{
  if (!bitpack_widen(&p->coder, offer->state, offer->length,
                     extent_for(p, count)))
    return false;
  *past = bitpack_renew(&p->coder);
  return true;
}

/* Without memory a state is at hand no longer. */
void packing_renewed(packing *p, uint64_t count)
{
  p->recoded += count;
  for (uint32_t i = 0; i < STORE_HANDS; i++) {
    bitpack_hand *h = &p->hands[i];
    uint32_t length = h->plan ? h->plan->length : 0;
    if (h->plan &&
        packing_encode(p, h->state, length, &h->plan, h->words) != PACKING_DONE)
      h->plan = NULL;
  }
}
