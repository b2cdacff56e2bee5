/* Fuzz target: text of a model, as wild as the fuzzer can make it, goes through
** the front end, the layout and the interpreter.
**
** Built once per language by tools/fuzz, with FUZZ_NAME the name of a file of
** that language.  The input is a model; what follows a byte 1, if there is
** one, is a condition over it, as given to --invariant.
**
** Beside crashes, what sanitizers see, and inputs that take too long, it looks
** for broken promises: memory not given back, diagnostics missing, states whose
** parts do not add up, steps that differ when they are recorded, searches that
** count differently.  What is done with an input beside reading it is chosen by
** its hash: it is explored here, or checked and reported, or memory runs out on
** the way. */

#include "api/handle.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "demand.h"
#include "lang/command.h"
#include "lang/promela/cpp.h"
#include "program/emit/emit.h"
#include "program/program.h"

#include <sanitizer/lsan_interface.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is done with one good model at most. */
enum {
  STATES_MAX = 64,        /* expanded */
  BYTES_MAX = 1 << 18,    /* of states kept to be expanded */
  STATE_BYTES = 1 << 16,  /* larger states are not expanded */
  QUESTIONS_MAX = 8,      /* of long expansions */
  RECORDED_MAX = 1 << 22, /* with more steps, not all ways are recorded */
  FAILING_MAX = 3000      /* allocations before memory runs out */
};
#define CHECK_SECONDS 0.05

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Linked in place of pml_preprocess, which half of the models ask for: starting
** a program for each input would be slow, and the C preprocessor is not ours to
** test.  What it might have written is the input itself, so that line markers
** are fuzzed, too. */
bool __wrap_pml_preprocess(arena *, sources *, diags *, const pml_cpp *,
                           pml_folders *, text *out);

bool __wrap_pml_preprocess(arena *a, sources *s, diags *d, const pml_cpp *how,
                           pml_folders *folders, text *out)
{
  size_t length;
  const char *bytes = source_text(s, how->file, &length);
  (void)a, (void)d, (void)folders;
  text_add_bytes(out, bytes, length);
  return true;
}

/* Linked in place of command_run, likewise: m4 might have written what stands
** before the first byte 2 of the input, and have said what follows it. */
command_result __wrap_command_run(filter_command *);

command_result __wrap_command_run(filter_command *c)
{
  const char *mark = memchr(c->input, 2, c->input_length);
  size_t length = mark ? (size_t)(mark - c->input) : c->input_length;
  text_add_bytes(&c->output, c->input, length);
  text_string(&c->output);
  if (mark)
    text_add_bytes(&c->messages, mark + 1, c->input_length - length - 1);
  text_string(&c->messages);
  c->status = mark && length % 2;
  return COMMAND_DONE;
}

/* ---- running ------------------------------------------------------------ */

typedef struct explorer {
  nut_model *model;
  model *annex;
  program *program;
  worker *worker;
  batch plain, recorded;
  view view;
  expr *condition;
  VEC(uint8_t) bytes;    /* states to be expanded, one after the other */
  VEC(uint32_t) lengths; /* of these */
  unsigned questions;    /* asked by long expansions */
} explorer;

/* The parts of a state lie one behind the other and fill it. */
static void check_parts(explorer *x, const uint8_t *state, uint32_t length)
{
  uint32_t offsets[COMPONENTS_MAX + 1];
  uint32_t n = program_components(x->program, state, length, offsets);
  DEMAND(n >= 1 && n <= COMPONENTS_MAX);
  DEMAND(offsets[0] == program_hidden(x->program) && offsets[n] == length);
  for (uint32_t i = 0; i < n; i++)
    DEMAND(offsets[i] <= offsets[i + 1]);
  view_read(x->program, state, length, &x->view);
}

/* Recording must change nothing but the record. */
static void compare_batches(const batch *a, const batch *b)
{
  DEMAND(a->list.len == b->list.len && a->faults.len == b->faults.len);
  DEMAND(a->blocked == b->blocked && a->invalid_end == b->invalid_end);
  DEMAND(a->bytes.len == b->bytes.len);
  DEMAND(!a->bytes.len || !memcmp(a->bytes.data, b->bytes.data, a->bytes.len));
  for (size_t i = 0; i < a->list.len; i++) {
    const successor *s = &a->list.data[i], *t = &b->list.data[i];
    DEMAND(s->start == t->start && s->length == t->length);
    DEMAND(s->edge == t->edge && s->process == t->process);
    DEMAND(s->others == t->others);
    DEMAND(s->changed == t->changed && t->steps > 0);
    DEMAND(t->first_step + t->steps <= b->steps.len);
  }
  for (size_t i = 0; i < a->faults.len; i++)
    DEMAND(a->faults.data[i].kind == b->faults.data[i].kind);
}

static void keep(explorer *x, const uint8_t *state, uint32_t length)
{
  if (length > STATE_BYTES || x->bytes.len + length > BYTES_MAX)
    return;
  vec_grow(&x->bytes, length);
  memcpy(x->bytes.data + x->bytes.len, state, length);
  x->bytes.len += length;
  vec_push(&x->lengths, length);
}

static void keep_all(explorer *x, const batch *b)
{
  for (size_t i = 0; i < b->list.len; i++) {
    const successor *s = &b->list.data[i];
    check_parts(x, b->bytes.data + s->start, s->length);
    keep(x, b->bytes.data + s->start, s->length);
  }
}

static void expand(explorer *x, const uint8_t *state, uint32_t length)
{
  fault_kind fault;
  if (x->condition)
    program_evaluate(x->worker, x->condition, state, length, &fault);
  program_successors(x->worker, state, length, &x->plain);
  program_successors(x->worker, state, length, &x->recorded);
  if (x->plain.abandoned || x->recorded.abandoned ||
      x->recorded.steps.len > RECORDED_MAX)
    return;
  compare_batches(&x->plain, &x->recorded);
  keep_all(x, &x->plain);
}

static bool is_impatient(void *context)
{
  explorer *x = context;
  return ++x->questions >= QUESTIONS_MAX;
}

static void explore(explorer *x)
{
  program_options options = {.check_overflow = x->annex->language->is_net};
  x->program = program_create(x->annex, &options, x->model->diags);
  if (!x->program) {
    DEMAND(diags_errors(x->model->diags) > 0);
    return;
  }
  x->worker = worker_create(x->program);
  worker_set_patience(x->worker, is_impatient, x);
  x->recorded.record = true;
  program_initial(x->worker, &x->plain);
  DEMAND(x->plain.list.len == 1);
  keep_all(x, &x->plain);
  size_t at = 0;
  for (size_t i = 0; i < x->lengths.len && i < STATES_MAX; i++) {
    /* A copy of its own, because what is kept moves when it grows, and so that
    ** reading beyond the end of a state is seen. */
    uint32_t length = x->lengths.data[i];
    uint8_t *copy = mem_alloc(length);
    memcpy(copy, x->bytes.data + at, length);
    expand(x, copy, length);
    mem_free(copy, length);
    at += length;
  }
}

static void explorer_free(explorer *x)
{
  view_free(&x->view);
  batch_free(&x->plain);
  batch_free(&x->recorded);
  worker_destroy(x->worker);
  program_destroy(x->program);
  model_annex_free(x->annex);
  vec_free(&x->bytes);
  vec_free(&x->lengths);
}

/* ---- checking ----------------------------------------------------------- */

static void write_reports(const nut_result *r)
{
  if (nut_result_verdict(r) == NUT_ERROR)
    return;
  for (int format = NUT_TEXT; format <= NUT_JSON; format++)
    nut_text_free(nut_result_write(r, (nut_format)format));
  for (size_t i = 0; i < nut_result_property_count(r); i++) {
    const nut_trace *t = nut_result_property(r, i).trace;
    for (int format = NUT_TEXT; t && format <= NUT_SVG; format++)
      nut_text_free(nut_trace_write(t, (nut_format)format));
  }
}

/* A short search, of all states or of those that matter. */
static nut_result *check_model(nut_model *m, const char *store,
                               nut_search search, bool reduced,
                               const char *condition)
{
  nut_options o = nut_default_options();
  if (!reduced) {
    o.por = NUT_POR_OFF;
    o.merge = o.reset_dead = false;
  }
  o.store = store;
  o.search = search;
  o.seconds = CHECK_SECONDS;
  o.threads = 1;
  o.max_errors = 0;
  o.invariants = &condition;
  o.invariant_count = condition ? 1 : 0;
  return nut_check(m, &o);
}

/* States that differ in hidden variables alone count as one, so what is seen
** may depend on the order in which they are met. */
static bool has_hidden(const model *m)
{
  for (size_t i = 0; i < m->globals.len; i++)
    if (m->globals.data[i]->flags & VAR_HIDDEN)
      return true;
  return false;
}

/* The states may all be known, and time be up before all properties are. */
static bool is_decided(const nut_result *r)
{
  for (size_t i = 0; i < nut_result_property_count(r); i++)
    if (nut_result_property(r, i).verdict == NUT_UNKNOWN)
      return false;
  return true;
}

/* Searches that come to an end have seen the same, and a reduced one has found
** the same. */
static void check_thrice(nut_model *m, const char *condition)
{
  nut_result *a = check_model(m, NULL, NUT_DFS, false, condition);
  nut_result *b = check_model(m, "raw+table", NUT_BFS, false, condition);
  nut_result *c = check_model(m, NULL, NUT_DFS, true, condition);
  DEMAND(a && b && c);
  nut_figures f = nut_result_figures(a), g = nut_result_figures(b);
  DEMAND((nut_result_verdict(a) == NUT_ERROR) ==
         (nut_result_verdict(b) == NUT_ERROR));
  bool comparable = !has_hidden(m->model) && nut_result_complete(a);
  if (comparable && nut_result_complete(b)) {
    DEMAND(f.states == g.states && f.transitions == g.transitions);
    DEMAND(f.errors == g.errors && f.deadlocks == g.deadlocks);
    DEMAND(!is_decided(a) || !is_decided(b) ||
           nut_result_verdict(a) == nut_result_verdict(b));
  }
  if (comparable && nut_result_complete(c) && is_decided(a) && is_decided(c))
    DEMAND(nut_result_verdict(a) == nut_result_verdict(c));
  write_reports(a);
  write_reports(c);
  nut_result_free(a);
  nut_result_free(b);
  nut_result_free(c);
}

/* ---- one input ---------------------------------------------------------- */

typedef enum { DO_EXPLORE, DO_CHECK, DO_FAIL_READING, DO_FAIL_CHECKING } deed;

static deed deed_of(uint64_t chance)
{
  switch (chance % 32) {
  case 0:
  case 1:
    return DO_CHECK;
  case 2:
    return DO_FAIL_CHECKING;
  case 3:
  case 4:
    return DO_FAIL_READING;
  }
  return DO_EXPLORE;
}

static void explore_model(nut_model *m, const char *condition)
{
  explorer x = {.model = m, .annex = model_annex(m->model)};
  if (condition) {
    uint32_t file =
        source_add(m->sources, "condition", condition, strlen(condition));
    x.condition = x.annex->language->condition(x.annex, m->diags, file);
    DEMAND(x.condition || diags_errors(m->diags) > 0);
  }
  text out = {0};
  model_print(m->model, &out);
  model_dump(m->model, &out);
  explore(&x);
  if (x.program)
    emit_model(x.program, &out);
  text_free(&out);
  explorer_free(&x);
}

static void use_model(nut_model *m, const char *condition, uint64_t chance)
{
  switch (deed_of(chance)) {
  case DO_FAIL_READING:
  case DO_EXPLORE:
    explore_model(m, condition);
    break;
  case DO_CHECK:
    check_thrice(m, condition);
    break;
  case DO_FAIL_CHECKING:
    mem_fail_at(1 + (chance >> 5) % FAILING_MAX);
    nut_result *r = check_model(m, NULL, NUT_DFS, true, condition);
    mem_fail_at(0);
    nut_result_free(r);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *mark = size ? memchr(data, 1, size) : NULL;
  size_t length = mark ? (size_t)(mark - (const char *)data) : size;
  uint64_t chance = hash_bytes(data, size);
  bool failing = deed_of(chance) == DO_FAIL_READING;
  size_t before = mem_live();
  /* A copy with a 0 behind it, for conditions are strings. */
  char *copy = malloc(size + 1);
  memcpy(copy, data, size);
  copy[size] = 0;
  if (failing)
    mem_fail_at(1 + (chance >> 5) % FAILING_MAX);
  nut_load load = nut_load_defaults();
  load.system_cpp = chance >> 32 & 1;
  nut_model *m = nut_load_text(FUZZ_NAME, copy, length, &load);
  mem_fail_at(0);
  DEMAND(m || failing);
  if (m && nut_model_good(m))
    use_model(m, mark ? copy + length + 1 : NULL, chance);
  else if (m)
    DEMAND(nut_model_messages(m)[0]);
  nut_model_free(m);
  free(copy);
  if (mem_live() != before)
    __lsan_do_leak_check(); /* tells who had it, and ends */
  DEMAND(mem_live() == before);
  return 0;
}
