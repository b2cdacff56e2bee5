/* Makes a certificate: a plain search that shows every state, then the file. */

#include "certificate/certificate.h"

#include "base/alloc.h"
#include "base/text/text.h"
#include "certificate/model_text.h"
#include "certificate/state_run.h"
#include "program/canonical.h"
#include "program/layout.h"
#include <string.h>

static const char magic[8] = {'N', 'U', 'T', 'C', 'E', 'R', 'T', '1'};

/* What is certified: steps, ends and expressions that are true in all states.
** Of what is asked besides, it says nothing. */
static bool is_covered(const question *q)
{
  return q->kind == PROPERTY_ASSERTIONS || q->kind == PROPERTY_BOUNDS ||
         q->kind == PROPERTY_END_STATES || q->kind == PROPERTY_INVARIANT;
}

static bool is_asked(const nut_options *o, property_kind kind)
{
  for (size_t i = 0; i < o->property_count; i++)
    if (!strcmp(o->properties[i], property_kind_name(kind)))
      return true;
  return !o->property_count;
}

const char *certificate_refused(const model *m, const nut_options *o)
{
  if (m->flags & MODEL_HAS_C)
    return "the model has embedded C";
  if (m->flags & MODEL_HAS_PLUGIN)
    return "the model is a plug-in";
  if (m->flags & (MODEL_LOSES | MODEL_ENDS_EMPTY))
    return "channels are lossy, or must be empty at the end";
  if (m->flags & MODEL_HAS_HIDDEN)
    return "the model has hidden variables";
  if (!is_asked(o, PROPERTY_ASSERTIONS) || !is_asked(o, PROPERTY_BOUNDS))
    return "assertions and bounds must be checked, too";
  return NULL;
}

/* ---- the states ----------------------------------------------------------- */

typedef struct making {
  const certificate_order *order;
  nut_sink *sink;
  void *context;
  certificate_figures *figures;
  const char *why; /* it was not possible */
  state_sorter *sorter;
  canonical_bytes canonical;
  byte_list packed;
  text out;
  search_result result;
  bool searched;
} making;

/* A state in the bytes that stand in the file: the numbers of its canonical
** bytes, each as short as it can be. */
static reason show(void *context, const uint8_t *state, uint32_t length)
{
  making *k = context;
  program_canonical(k->order->program, state, length, &k->canonical);
  vec_clear(&k->packed);
  for (size_t i = 0; i + 4 <= k->canonical.len; i += 4) {
    const uint8_t *p = k->canonical.data + i;
    uint32_t shifted = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
                       (uint32_t)p[2] << 8 | p[3];
    put_packed_number(&k->packed, shifted - (UINT32_C(1) << 31));
  }
  state_sorter_add(k->sorter, k->packed.data, k->packed.len);
  return REASON_NONE;
}

static bool holds(const answer_list *all, property_kind kind)
{
  for (size_t i = 0; i < all->len; i++)
    if (all->data[i].question->kind == kind)
      return all->data[i].verdict == VERDICT_HOLDS;
  return false;
}

/* Whether the search says what the check said before. */
static bool is_confirmed(const making *k)
{
  const answer_list *now = &k->result.answers;
  bool ends = holds(k->order->answers, PROPERTY_END_STATES);
  return holds(now, PROPERTY_ASSERTIONS) && holds(now, PROPERTY_BOUNDS) &&
         (!ends || holds(now, PROPERTY_END_STATES));
}

/* The whole space, by one thread, with nothing left out. */
static void search_all(making *k)
{
  search_options o = search_defaults();
  o.limits = k->order->limits;
  o.count = true;
  o.on_state = show;
  o.state_context = k;
  o.asked.engine = k->order->options->engine;
  o.asked.on_progress = k->order->options->on_progress;
  o.asked.context = k->order->options->context;
  search_run(k->order->program, &o, &k->result);
  k->searched = true;
  if (!k->result.complete)
    k->why = reason_text(k->result.reason);
  else if (!is_confirmed(k))
    k->why = "the search for it found an error";
}

/* ---- the file -------------------------------------------------------------- */

static void write_facts(making *k)
{
  const certificate_order *o = k->order;
  text *out = &k->out;
  text_clear(out);
  text_printf(out, "(certificate 1)\n(program \"nutshell %s\")\n(file ",
              o->version);
  model_text_name(o->file, out);
  text_printf(out, ")\n(source \"%s\")\n(steps)\n", o->source);
  for (size_t i = 0; i < o->answers->len; i++) {
    const answer *a = &o->answers->data[i];
    const question *q = a->question;
    if (a->verdict != VERDICT_HOLDS)
      continue;
    if (q->kind == PROPERTY_END_STATES)
      text_add(out, "(end-states)\n");
    if (q->kind == PROPERTY_INVARIANT || !is_covered(q)) {
      text_add(out, is_covered(q) ? "(invariant " : "(left-out ");
      model_text_name(q->name, out);
      if (is_covered(q)) {
        text_add_char(out, ' ');
        model_text_expr(q->property->expr, out);
      }
      text_add(out, ")\n");
    }
    k->figures->left_out += !is_covered(q);
  }
}

static void count_bytes(void *context, const char *bytes, size_t length)
{
  making *k = context;
  k->figures->bytes += length;
  k->sink(k->context, bytes, length);
}

static void write_model_block(making *k)
{
  const layout *l = program_layout(k->order->program);
  model_text_options o = {.types = l->types,
                          .check_overflow = k->order->options->check_overflow,
                          .is_changing = !l->fixed};
  text_clear(&k->out);
  k->why = model_text(program_model(k->order->program), &o, &k->out);
  if (!k->why)
    write_block(BLOCK_MODEL, 0, k->out.data, k->out.len, count_bytes, k);
}

static void write_end(making *k)
{
  uint8_t states[8];
  for (int i = 0; i < 8; i++)
    states[i] = (uint8_t)(k->figures->states >> 8 * i);
  write_block(BLOCK_END, 0, states, sizeof states, count_bytes, k);
}

static void make(void *context)
{
  making *k = context;
  size_t room = limits_room(k->order->limits) / 4, most = (size_t)256 << 20;
  k->sorter = state_sorter_create(room < most ? room : most);
  search_all(k);
  if (k->why)
    return;
  count_bytes(k, magic, sizeof magic);
  write_facts(k);
  write_block(BLOCK_FACTS, 0, k->out.data, k->out.len, count_bytes, k);
  write_model_block(k);
  if (k->why)
    return;
  k->figures->states = state_sorter_finish(k->sorter, count_bytes, k);
  write_end(k);
}

static void tidy(making *k)
{
  if (k->searched)
    search_result_free(&k->result);
  state_sorter_destroy(k->sorter);
  vec_free(&k->canonical);
  vec_free(&k->packed);
  text_free(&k->out);
}

const char *certificate_write(const certificate_order *o, nut_sink *sink,
                              void *context, certificate_figures *figures)
{
  making k = {.order = o, .sink = sink, .context = context, .figures = figures};
  *figures = (certificate_figures){0};
  if (!mem_protect(make, &k))
    k.why = reason_text(limits_why(o->limits));
  tidy(&k);
  return k.why;
}
