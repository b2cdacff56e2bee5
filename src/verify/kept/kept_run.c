/* Which runs can be kept in files, and how they are. */

#include "base/alloc.h"
#include "base/ranks/ranks.h"
#include "program/native/native.h"
#include "verify/kept/kept.h"
#include "verify/nets/examination.h"
#include "verify/nets/net_front.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { POINT_FORGET = 101 }; /* where ranks meet; see verify/ranked */

/* ---- refusing ------------------------------------------------------------ */

/* Why such a search cannot go on from a file; NULL: it can. */
static const char *why_not_asked(const nut_options *o)
{
  if (o->symbolic)
    return "sets of states (--symbolic) are not kept";
  if (o->search == NUT_DFS && !o->shortest)
    return "a depth-first search (--search dfs) is not kept";
  if (o->store && strcmp(o->store, "collapse+tree"))
    return "only the store collapse+tree is kept";
  if (o->algorithm == NUT_NESTED)
    return "a nested search (--algorithm nested) is not kept";
  if (o->examination || o->formulas)
    return "examinations of nets are not kept";
  return NULL;
}

/* Infinite runs are kept where they are searched by levels. */
static const char *why_not_runs(const verification *v, const nut_options *o)
{
  if (o->algorithm != NUT_ALGORITHM_AUTO)
    return "a search for infinite runs that was chosen by --algorithm is not "
           "kept";
  if (o->depth)
    return "infinite runs are not kept with a limit of depth (leave them out "
           "by --no-liveness)";
  if (o->shortest)
    return "short infinite runs (--shortest) are searched for depth first, "
           "which is not kept (leave them out by --no-liveness)";
  if (o->fair == NUT_FAIR_STRONG && !program_map(v->program)->fixed)
    return "strong fairness where processes come and go is not kept";
  return NULL;
}

static const char *why_not_model(const verification *v, const nut_options *o,
                                 bool count)
{
  const model *m = program_model(v->program);
  if (v->model->load.plugin)
    return "the model is a program (--plugin), which the file cannot hold";
  if (m->flags & MODEL_HAS_C)
    return "the model has embedded C, whose memory the file cannot hold";
  if (program_hidden(v->program))
    return "the model has hidden variables, which hold what the first path "
           "brought";
  if (front_is_asked(v))
    return "the steps of nets that were chosen are not kept";
  if (count)
    return NULL;
  if (questions_ask(&v->questions, ABOUT_TREES))
    return "formulas of branching time are not kept";
  if (questions_ask(&v->questions, ABOUT_PAIRS))
    return "properties of pairs of states are not kept (choose others by "
           "--property)";
  return o->liveness && questions_ask(&v->questions, ABOUT_RUNS)
             ? why_not_runs(v, o)
             : NULL;
}

static bool complain(verification *v, const char *why)
{
  text_printf(&v->messages, "--checkpoint: %s\n", why);
  return false;
}

/* A file of another run is not written over. */
static bool are_free(verification *v, const char *file)
{
  for (int i = 0; i < 2; i++) {
    char *path = arena_printf(v->outcome.arena, "%s.%d", file, i);
    if (access(path, F_OK))
      continue;
    text_printf(&v->messages,
                "--checkpoint: '%s' is there already\ngo on from it with "
                "'nutshell resume', or remove it\n",
                path);
    return false;
  }
  return true;
}

/* ---- the head ------------------------------------------------------------ */

static void put_text(block_writer *w, const char *bytes, size_t length)
{
  block_put_number(w, length);
  block_put(w, bytes, length);
}

static void write_head(void *context, block_writer *w)
{
  const kept_run *k = context;
  const nut_options *o = k->options;
  const sources *s = k->verification->model->sources;
  kept_text t;
  block_put_number(w, o->checkpoint_word_count);
  for (size_t i = 0; i < o->checkpoint_word_count; i++)
    put_text(w, o->checkpoint_words[i], strlen(o->checkpoint_words[i]));
  size_t count = 0;
  while (source_kept_at(s, count).name)
    count++;
  block_put_number(w, count);
  for (size_t i = 0; (t = source_kept_at(s, i)).name; i++) {
    block_put_number(w, t.kind);
    put_text(w, t.name, strlen(t.name));
    put_text(w, t.text, t.length);
  }
  const uint32_t *grown;
  uint32_t growths = examination_growths(k->verification, &grown);
  block_put_number(w, growths);
  for (uint32_t i = 0; i < growths; i++)
    block_put_number(w, grown[i]);
}

static void tell_last(void *context, bool begins)
{
  const kept_run *k = context;
  const nut_options *o = k->options;
  if (o->on_checkpoint)
    o->on_checkpoint(o->checkpoint_context, begins);
}

/* ---- a run --------------------------------------------------------------- */

static uint32_t own_rank(const nut_options *o)
{
  return o->ranks ? ranks_own((const ranks *)o->ranks) : 0;
}

/* For tests. */
static uint32_t batches_asked(const nut_options *o)
{
  return o->ranks ? ranks_kept_batches((const ranks *)o->ranks) : 0;
}

static void create(verification *v, const nut_options *o)
{
  kept_run *k = v->kept = mem_alloc(sizeof *k);
  *k = (kept_run){.options = o, .verification = v};
  k->checkpoint = checkpoint_create(
      &(checkpoint_asked){.file = o->checkpoint,
                          .rank = own_rank(o),
                          .every = o->checkpoint_every,
                          .grace = o->checkpoint_grace,
                          .batches = batches_asked(o),
                          .signal = v->limits->asked.interrupt,
                          .head = write_head,
                          .on_last = tell_last,
                          .context = k});
}

static bool open_reader(verification *v, const struct nut_checkpoint *from)
{
  const char *why;
  kept_run *k = v->kept;
  checkpoint_set_generation(k->checkpoint, from->generation);
  k->reader = block_reader_create();
  if (!k->reader)
    mem_give_up();
  bool is_open = block_reader_move(k->reader, from->path, &why);
  if (is_open && block_expect(k->reader, CHECKPOINT_HEAD)) {
    if (examination_grow_again(v, from->grown.data, from->grown.len))
      return true;
    block_damaged(k->reader, "it has places that the net does not have");
  }
  text_printf(&v->messages, "%s: %s\n", from->path,
              is_open ? block_problem(k->reader) : why);
  return false;
}

/* Until there is more to say: also where memory does not do to read the file. */
static void tell_file(verification *v, const char *file)
{
  outcome_checkpoint *told = ARENA_NEW(v->outcome.arena, outcome_checkpoint);
  told->file = arena_copy(v->outcome.arena, file, strlen(file));
  told->goes_on = true;
  v->outcome.checkpoint = told;
}

bool kept_start(verification *v, const nut_options *o, bool count)
{
  if (!o->checkpoint)
    return true;
  const char *why = why_not_asked(o);
  if (!why)
    why = why_not_model(v, o, count);
  if (why)
    return complain(v, why);
  /* Of several ranks the first one looks after the files. */
  if (!o->resume && !own_rank(o) && !are_free(v, o->checkpoint))
    return false;
  if (o->resume)
    tell_file(v, o->checkpoint);
  create(v, o);
  if (o->resume)
    return open_reader(v, o->resume);
  if (own_rank(o))
    return true;
  int error = checkpoint_write_start(v->kept->checkpoint);
  if (!error)
    return true;
  text_printf(&v->messages, "--checkpoint: cannot write '%s': %s\n",
              checkpoint_next_path(v->kept->checkpoint), strerror(error));
  return false;
}

/* Whether a place lies in the text of some source. */
static bool is_span(void *context, span where)
{
  const sources *s = context;
  size_t length;
  if (where.file > source_count(s))
    return false;
  source_text(s, where.file, &length);
  return source_is_label(s, where.file) ||
         (where.start <= length && where.length <= length - where.start);
}

void kept_attach(verification *v, search_options *s)
{
  kept_run *k = v->kept;
  if (!k)
    return;
  if (s->on_state) { /* sums of tokens may become too large to be counted */
    k->off = "states are looked at one after the other";
    return;
  }
  s->checkpoint = k->checkpoint;
  s->resume = k->is_begun ? NULL : k->reader;
  if (s->resume) {
    s->resume_parts = k->options->resume->parts.data;
    s->resume_part_count = (uint32_t)k->options->resume->parts.len;
  }
  k->is_begun = true;
  s->is_span = is_span;
  s->span_context = v->model->sources;
}

/* Whether going on would tell more: a limit was reached, or a run is not told. */
static bool has_more(const verification *v)
{
  const search_result *r = &v->outcome.result;
  bool untold = false;
  for (size_t i = 0; i < v->outcome.answers.len; i++)
    untold |= v->outcome.answers.data[i].untold != REASON_NONE;
  return untold || r->reason == REASON_TIME_LIMIT ||
         r->reason == REASON_INTERRUPTED || r->reason == REASON_MEMORY_LIMIT ||
         r->reason == REASON_OUT_OF_MEMORY;
}

bool kept_conclude(verification *v)
{
  kept_run *k = v->kept;
  const search_result *r = &v->outcome.result;
  if (!k)
    return true;
  if (r->not_resumed || (k->reader && block_problem(k->reader))) {
    text_printf(&v->messages, "%s: the file is damaged: %s\n",
                k->options->resume->path,
                r->not_resumed ? r->not_resumed : block_problem(k->reader));
    return false;
  }
  arena *a = v->outcome.arena;
  const checkpoint_figures *f = checkpoint_figures_of(k->checkpoint);
  outcome_checkpoint *told = ARENA_NEW(a, outcome_checkpoint);
  const char *file = k->options->checkpoint;
  *told = (outcome_checkpoint){.file = arena_copy(a, file, strlen(file)),
                               .written = f->written,
                               .states = f->states,
                               .bytes = f->bytes,
                               .seconds = f->seconds,
                               .anew = k->off ? k->off : r->not_kept,
                               .left_out = f->is_left_out};
  const char *why =
      f->error == EINTR ? "a second signal gave it up" : strerror(f->error);
  if (f->error)
    told->problem = arena_copy(a, why, strlen(why));
  told->goes_on = has_more(v) && (f->written || k->reader);
  v->outcome.checkpoint = told;
  return true;
}

static bool forget_file(const char *path)
{
  return !access(path, F_OK) && !unlink(path);
}

/* Parts of a file.  Ranks that were killed may have begun with some, and others
** not. */
static void forget_parts(verification *v, const char *file, int which)
{
  enum { GAP = 16 };
  arena *a = v->outcome.arena;
  for (unsigned part = 1, last = 0; part <= last + GAP; part++) {
    bool was_there =
        forget_file(arena_printf(a, "%s.%d.r%u", file, which, part));
    if (forget_file(arena_printf(a, "%s.%d.r%u.tmp", file, which, part)) ||
        was_there)
      last = part;
  }
}

void kept_forget(verification *v)
{
  const outcome_checkpoint *c = v->outcome.checkpoint;
  ranks *others = v->kept ? (ranks *)v->kept->options->ranks : NULL;
  if (others) /* some may be about to read them */
    ranks_meet(others, POINT_FORGET, NULL, 0);
  if (!c || c->goes_on)
    return;
  if (own_rank(v->kept->options))
    return;
  for (int i = 0; i < 2; i++) {
    unlink(arena_printf(v->outcome.arena, "%s.%d", c->file, i));
    forget_file(arena_printf(v->outcome.arena, "%s.%d.tmp", c->file, i));
    forget_parts(v, c->file, i);
  }
}

void kept_free(verification *v)
{
  kept_run *k = v->kept;
  if (!k)
    return;
  block_reader_close(k->reader);
  checkpoint_destroy(k->checkpoint);
  mem_free(k, sizeof *k);
  v->kept = NULL;
}
