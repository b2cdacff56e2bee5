/* Makes a certificate: a plain search that shows every state, then the file. */

#include "certificate/certificate.h"

#include "base/alloc.h"
#include "base/text/text.h"
#include "certificate/model_text.h"
#include "certificate/run_ranks.h"
#include "certificate/state_run.h"
#include "program/canonical.h"
#include "program/layout.h"
#include <string.h>

static const char magic[8] = {'N', 'U', 'T', 'C', 'E', 'R', 'T', '1'};

typedef struct making_text {
  const model *model;
  text out;
  const char *why;
  bool reads_hidden;
} making_text;

/* What is certified: steps, ends, expressions that are true in all states, and
** infinite runs.  Of what is asked besides, it says nothing. */
static bool is_covered(const question *q)
{
  return property_about(q->kind) == ABOUT_STEPS ||
         q->kind == PROPERTY_INVARIANT || property_about(q->kind) == ABOUT_RUNS;
}

static bool is_lossy(const nut_options *o)
{
  const store_class *c = o->store ? store_find(o->store) : NULL;
  return c && !c->exact;
}

static void write_text(void *work)
{
  making_text *t = work;
  t->why = model_text(t->model, &(model_text_options){0}, &t->out);
  t->reads_hidden = !t->why && model_text_reads_hidden(t->model, &t->out);
}

static bool reads_hidden(const model *m)
{
  making_text t = {.model = m};
  bool good = mem_protect(write_text, &t);
  text_free(&t.out);
  return !good || t.reads_hidden;
}

const char *certificate_refused(const model *m, const nut_options *o)
{
  if (m->flags & MODEL_HAS_C)
    return "the model has embedded C";
  if (m->flags & MODEL_HAS_PLUGIN)
    return "the model is a plug-in";
  if (m->flags & (MODEL_LOSES | MODEL_ENDS_EMPTY))
    return "channels are lossy, or must be empty at the end";
  if (o->fair == NUT_FAIR_STRONG)
    return "strong fairness has no ranks";
  if (is_lossy(o))
    return "the store is lossy";
  if (m->flags & MODEL_HAS_HIDDEN && reads_hidden(m))
    return "the model reads hidden variables";
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
  VEC(uint64_t) counts; /* of states, then of each product */
  canonical_bytes canonical;
  byte_list packed;
  text out;
  search_result result;
  bool searched;
  size_t buffer;   /* to sort in */
  uint32_t hidden; /* numbers at the end of canonical bytes */
} making;

/* A state in the bytes that stand in the file: the numbers of its canonical
** bytes, each as short as it can be. */
static reason show(void *context, const uint8_t *state, uint32_t length)
{
  making *k = context;
  program_canonical(k->order->program, state, length, &k->canonical);
  vec_clear(&k->packed);
  put_canonical(&k->packed, k->canonical.data,
                k->canonical.len - 4 * (size_t)k->hidden);
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

/* The number of the property among those in the text of the model. */
static uint32_t number_in_text(const model *m, const property *p)
{
  uint32_t number = 0;
  for (size_t i = 0; i < m->properties.len; i++) {
    const property *q = &m->properties.data[i];
    if (q->kind == p->kind && !strcmp(q->name, p->name))
      return number;
    number += q->kind == PROPERTY_INVARIANT || model_text_has_formula(q);
  }
  return UINT32_MAX;
}

/* A property with an expression or a formula: of the model, or asked. */
static void write_said(making *k, const question *q)
{
  text *out = &k->out;
  if (!q->foreign) {
    text_printf(out, "(property %u)\n",
                number_in_text(program_model(k->order->program), q->property));
    return;
  }
  text_add(out, "(asked ");
  model_text_name(q->name, out);
  text_add(out, q->kind == PROPERTY_LTL ? " (ltl " : " (invariant ");
  if (q->kind == PROPERTY_LTL)
    model_text_formula(q->property->ltl, out);
  else
    model_text_expr(q->property->expr, out);
  text_add(out, "))\n");
}

static void write_fact(making *k, const question *q)
{
  text *out = &k->out;
  if (q->kind == PROPERTY_END_STATES)
    text_add(out, "(end-states)\n");
  if (q->kind == PROPERTY_INVARIANT || q->kind == PROPERTY_LTL)
    write_said(k, q);
  if (q->kind == PROPERTY_ACCEPTANCE || q->kind == PROPERTY_NON_PROGRESS)
    text_printf(out, "(%s)\n", property_kind_name(q->kind));
  if (q->kind == PROPERTY_NEVER)
    text_printf(out, "(never %u)\n", q->property->observer->index);
  if (!is_covered(q)) {
    text_add(out, "(left-out ");
    model_text_name(q->name, out);
    text_add(out, ")\n");
  }
  k->figures->left_out += !is_covered(q);
}

static void write_facts(making *k)
{
  const certificate_order *o = k->order;
  text *out = &k->out;
  text_clear(out);
  text_printf(out, "(certificate 1)\n(program \"nutshell %s\")\n(file ",
              o->version);
  model_text_name(o->file, out);
  text_printf(out, ")\n(source \"%s\")\n(steps)\n", o->source);
  if (o->options->fair == NUT_FAIR_WEAK)
    text_add(out, "(weak-fairness)\n");
  for (size_t i = 0; i < o->answers->len; i++)
    if (o->answers->data[i].verdict == VERDICT_HOLDS)
      write_fact(k, o->answers->data[i].question);
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
  vec_clear(&k->packed);
  for (size_t i = 0; i < k->counts.len; i++)
    for (int shift = 0; shift < 64; shift += 8)
      vec_push(&k->packed, (uint8_t)(k->counts.data[i] >> shift));
  write_block(BLOCK_END, 0, k->packed.data, k->packed.len, count_bytes, k);
}

/* The product of each property of infinite runs, in the order of the facts. */
static void write_products(making *k)
{
  const answer_list *all = k->order->answers;
  for (size_t i = 0; i < all->len && !k->why; i++) {
    const question *q = all->data[i].question;
    if (all->data[i].verdict != VERDICT_HOLDS ||
        property_about(q->kind) != ABOUT_RUNS)
      continue;
    property said = {.kind = q->kind};
    ranks_order o = {.program = k->order->program,
                     .property = q->property ? q->property : &said,
                     .weak_fairness = k->order->options->fair == NUT_FAIR_WEAK,
                     .limits = k->order->limits,
                     .buffer_bytes = k->buffer};
    ranks_figures figures;
    k->why = ranks_write(&o, count_bytes, k, &figures);
    k->figures->product_states += figures.states;
    k->figures->rank_bytes += figures.rank_bytes;
    vec_push(&k->counts, figures.states);
  }
}

/* Whether all formulas can be written. */
static bool has_large_formula(const answer_list *all)
{
  for (size_t i = 0; i < all->len; i++)
    if (all->data[i].question->kind == PROPERTY_LTL &&
        !model_text_has_formula(all->data[i].question->property))
      return true;
  return false;
}

static void make(void *context)
{
  making *k = context;
  if (has_large_formula(k->order->answers)) {
    k->why = "a formula is too large";
    return;
  }
  size_t room = limits_room(k->order->limits) / 4, most = (size_t)256 << 20;
  k->buffer = room < most ? room : most;
  k->hidden = model_text_hidden(program_model(k->order->program));
  k->sorter = state_sorter_create(k->buffer, false);
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
  state_sorter_destroy(k->sorter);
  k->sorter = NULL;
  vec_push(&k->counts, k->figures->states);
  write_products(k);
  write_end(k);
}

static void tidy(making *k)
{
  if (k->searched)
    search_result_free(&k->result);
  state_sorter_destroy(k->sorter);
  vec_free(&k->canonical);
  vec_free(&k->packed);
  vec_free(&k->counts);
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
