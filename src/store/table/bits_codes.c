/* States at hand and their codes, with a plan that is widened when it must be.
** */

#include "store/table/bits_codes.h"

#include "base/alloc.h"

/* How many codes are rewritten, as a multiple of the states and beyond those
** that cost nothing, before numbers that are too narrow get more bits than they
** need; and before all get what they can have, after which hardly a state can
** need more. */
enum { PATIENCE = 2, MOST_PATIENCE = 16, FOR_FREE = 1 << 20 };

/* ---- set-up ------------------------------------------------------------ */

static size_t word_bytes(const bits_codes *p)
{
  return (STORE_HANDS + 1) * (size_t)p->word_room * sizeof *p->words;
}

static size_t state_bytes(const bits_codes *p)
{
  return (STORE_HANDS + 1) * (size_t)p->room;
}

static bool take_sample(bits_codes *p, const store_settings *settings)
{
  for (size_t i = 0; i < settings->sample_count; i++)
    if (!bits_widen(&p->coder, settings->sample[i].state,
                    settings->sample[i].length, BITS_NEEDED))
      return false;
  return true;
}

bool bits_codes_set_up(bits_codes *p, const store_settings *settings)
{
  *p = (bits_codes){.room = 0};
  codec_settings for_coder = {.map = settings->map, .fields = settings->fields};
  if (bits_set_up(&p->coder, &for_coder) && take_sample(p, settings))
    return true;
  bits_codes_give_up(p);
  return false;
}

void bits_codes_give_up(bits_codes *p)
{
  bits_give_up(&p->coder);
  mem_free(p->states, state_bytes(p));
  mem_free(p->words, word_bytes(p));
  *p = (bits_codes){.room = 0};
}

size_t bits_codes_bytes(const bits_codes *p)
{
  return bits_bytes(&p->coder) + state_bytes(p) + word_bytes(p);
}

/* Makes room for longer states than there were.  Nothing is at hand then. */
static bool make_room(bits_codes *p, uint32_t length)
{
  bits_codes new = {.room = length + length / 4 + CODEC_SLACK};
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
    p->hands[i] = (bits_hand){.state = p->states + (size_t)i * p->room,
                              .words = p->words + (size_t)i * p->word_room};
  return true;
}

bool bits_codes_expect(bits_codes *p, const store_offer *offers, uint32_t count)
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

bits_result bits_codes_encode(bits_codes *p, const uint8_t *state,
                              uint32_t length, const bits_plan **plan,
                              uint64_t *words)
{
  if (!bits_find_plan(&p->coder, state, length, plan))
    return BITS_FULL;
  if (!*plan)
    return BITS_VERBATIM;
  return bits_encode(&p->coder, *plan, state, words) ? BITS_DONE : BITS_UNFIT;
}

static bits_extent extent_for(const bits_codes *p, uint64_t count)
{
  if (p->recoded > FOR_FREE + MOST_PATIENCE * count)
    return BITS_ALL;
  return p->recoded > FOR_FREE + PATIENCE * count ? BITS_MORE : BITS_NEEDED;
}

bool bits_codes_widen(bits_codes *p, const store_offer *offer, uint64_t count,
                      bits_past *past)
{
  if (!bits_widen(&p->coder, offer->state, offer->length, extent_for(p, count)))
    return false;
  *past = bits_renew(&p->coder);
  return true;
}

/* Without memory a state is at hand no longer. */
void bits_codes_renewed(bits_codes *p, uint64_t count)
{
  p->recoded += count;
  for (uint32_t i = 0; i < STORE_HANDS; i++) {
    bits_hand *h = &p->hands[i];
    uint32_t length = h->plan ? h->plan->length : 0;
    if (h->plan &&
        bits_codes_encode(p, h->state, length, &h->plan, h->words) != BITS_DONE)
      h->plan = NULL;
  }
}
