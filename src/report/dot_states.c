#include "report/dot.h"
#include "report/story.h"
#include "store/store.h"
#include <inttypes.h>
#include <string.h>

enum { DETAILED = 300 }; /* larger graphs show numbers only */

typedef struct known {
  size_t start;
  uint32_t length;
  bool bad, blocked;
} known;

typedef struct explorer {
  program *program;
  worker *worker;
  batch batch;
  const store_class *kind;
  store *store;
  VEC(known) states; /* by number */
  VEC(uint8_t) bytes;
  text edges;
  size_t limit;
} explorer;

/* Notes a state.  Its number goes into '*number'. */
static dot_result note_state(explorer *x, const successor *s,
                             store_number *number)
{
  uint32_t hidden = program_hidden(x->program);
  const uint8_t *state = x->batch.bytes.data + s->start;
  store_result r = x->kind->insert(x->store, state + hidden, s->length - hidden,
                                   STORE_NO_NUMBER, UINT64_MAX, number);
  if (r == STORE_FULL)
    return DOT_NO_MEMORY;
  if (r == STORE_SEEN)
    return DOT_DONE;
  if (x->states.len >= x->limit)
    return DOT_TOO_LARGE;
  known k = {.start = x->bytes.len, .length = s->length};
  vec_grow(&x->bytes, s->length);
  memcpy(x->bytes.data + x->bytes.len, state, s->length);
  x->bytes.len += s->length;
  vec_push(&x->states, k);
  return DOT_DONE;
}

static void add_edge(explorer *x, size_t from, uint64_t to, const successor *s)
{
  const edge *e = program_model(x->program)->edges.data[s->edge];
  text_printf(&x->edges, "  s%zu -> s%" PRIu64 " [label=\" %s(%u): ", from, to,
              e->process->name, s->process);
  dot_label(e->text ? e->text : "", &x->edges);
  text_add(&x->edges, " \"];\n");
}

static dot_result expand(explorer *x, size_t index)
{
  VEC(uint8_t) state = {0};
  known *k = &x->states.data[index];
  vec_resize(&state, k->length);
  memcpy(state.data, x->bytes.data + k->start, k->length);
  program_successors(x->worker, state.data, k->length, &x->batch);
  k->bad = x->batch.faults.len > 0 || x->batch.invalid_end;
  k->blocked = x->batch.blocked;
  vec_free(&state);
  for (size_t i = 0; i < x->batch.list.len; i++) {
    store_number to;
    dot_result r = note_state(x, &x->batch.list.data[i], &to);
    if (r != DOT_DONE)
      return r;
    add_edge(x, index, to, &x->batch.list.data[i]);
  }
  return DOT_DONE;
}

/* A small graph shows the values of its states. */
static void add_values(explorer *x, const known *k, text *out)
{
  view v = {0};
  text line = {0};
  const model *m = program_model(x->program);
  view_read(x->program, x->bytes.data + k->start, k->length, &v);
  for (size_t i = 0; i < v.items.len; i++) {
    const item *it = &v.items.data[i];
    text_clear(&line);
    if (it->kind == ITEM_LOCATION) {
      text_printf(&line, "%s(%d) @ %d", it->type->name, it->process,
                  it->type->locations.data[it->value].number);
    } else if (it->kind == ITEM_CHANNEL) {
      story_add_channel_name(&v, it, &line);
      text_add(&line, ": ");
      story_add_channel(m, &v, it, &line);
    } else if (story_shows(it) && it->var->type.kind != TYPE_CHAN) {
      story_add_name(it, -1, &line);
      text_add(&line, " = ");
      story_add_value(m, it, it->value, &line);
    } else {
      continue;
    }
    dot_label(text_string(&line), out);
    text_add(out, "\\l");
  }
  text_free(&line);
  view_free(&v);
}

static void add_state(explorer *x, size_t index, text *out)
{
  const known *k = &x->states.data[index];
  text_printf(out, "  s%zu [label=\"%zu", index, index);
  if (x->states.len <= DETAILED) {
    text_add(out, "\\n");
    add_values(x, k, out);
  }
  text_add_char(out, '"');
  if (k->bad)
    text_add(out, ", style=filled, fillcolor=\"#f4b6b0\"");
  else if (k->blocked)
    text_add(out, ", peripheries=2");
  if (index == 0)
    text_add(out, ", penwidth=2.5");
  text_add(out, "];\n");
}

static void write_graph(explorer *x, text *out)
{
  text_add(out, "digraph states {\n"
                "  node [shape=box, fontname=\"Helvetica\", fontsize=10, "
                "color=\"#2f4a6d\"];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9, "
                "color=\"#55606e\"];\n");
  for (size_t i = 0; i < x->states.len; i++)
    add_state(x, i, out);
  text_add_bytes(out, text_string(&x->edges), x->edges.len);
  text_add(out, "}\n");
}

static dot_result explore(explorer *x, const volatile sig_atomic_t *interrupt)
{
  store_number number;
  dot_result r = DOT_DONE;
  program_initial(x->worker, &x->batch);
  if (x->batch.list.len > 0)
    r = note_state(x, &x->batch.list.data[0], &number);
  for (size_t i = 0; r == DOT_DONE && i < x->states.len; i++)
    r = interrupt && *interrupt ? DOT_INTERRUPTED : expand(x, i);
  return r;
}

dot_result dot_states(program *p, size_t limit,
                      const volatile sig_atomic_t *interrupt, text *out)
{
  explorer x = {.program = p, .limit = limit};
  dot_result r = DOT_NO_MEMORY;
  x.kind = store_find("raw+table"); /* dense: numbers are indices */
  x.store = store_create(x.kind, program_map(p), SIZE_MAX);
  if (x.store) {
    x.worker = worker_create(p);
    r = explore(&x, interrupt);
    if (r == DOT_DONE)
      write_graph(&x, out);
    worker_destroy(x.worker);
    x.kind->destroy(x.store);
  }
  batch_free(&x.batch);
  vec_free(&x.states);
  vec_free(&x.bytes);
  text_free(&x.edges);
  return r;
}
