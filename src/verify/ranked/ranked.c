/* Which runs several ranks can do, and that they agree on what to do. */

#include "verify/ranked/ranked.h"

#include "base/hash.h"
#include "base/ranks/ranks.h"
#include "nutshell-config.h"
#include "verify/kept/kept.h"
#include "verify/nets/net_front.h"
#include <string.h>

enum { POINT_ASKED = 100 }; /* where ranks meet; see search/ranks/fleet.c */

static ranks *ranks_of(const nut_options *o)
{
  return (ranks *)o->ranks;
}

/* ---- refusing ------------------------------------------------------------ */

static const char *why_not_asked(const nut_options *o)
{
  if (o->symbolic)
    return "sets of states (--symbolic) are computed by one process";
  if (o->search == NUT_DFS && !o->shortest)
    return "a depth-first search (--search dfs) is one of one process";
  if (o->store && strcmp(o->store, "collapse+tree") != 0)
    return "states are kept in the store collapse+tree";
  if (o->coverage)
    return "how often statements are executed (--coverage) is not counted";
  if (o->explain)
    return "counterexamples are not explained (--explain)";
  if (o->on_growth)
    return "the growth of the store (--growth) is not told";
  if (o->examination || o->formulas)
    return "examinations of nets are answered by one process";
  return NULL;
}

static const char *why_not_model(const verification *v, bool count)
{
  const model *m = program_model(v->program);
  if (v->model->load.plugin)
    return "a model that is a program (--plugin) is searched by one process";
  if (m->flags & MODEL_HAS_C)
    return "a model with embedded C is searched by one process";
  if (program_hidden(v->program))
    return "the model has hidden variables, which hold what the first path "
           "brought";
  if (front_is_asked(v))
    return "the steps of nets that were chosen are done by one process";
  if (count)
    return NULL;
  if (questions_ask(&v->questions, ABOUT_TREES))
    return "formulas of branching time are checked by one process";
  if (questions_ask(&v->questions, ABOUT_PAIRS))
    return "properties of pairs of states are checked by one process (choose "
           "others by --property)";
  return NULL;
}

/* ---- agreeing ------------------------------------------------------------ */

/* What must be the same, part by part, so that it can be told what is not. */
typedef struct asked_of {
  char version[64];
  uint64_t model, questions, options;
} asked_of;

static uint64_t add_word(uint64_t hash, const char *word)
{
  return hash_fold(hash + 1,
                   hash_bytes(word ? word : "", word ? strlen(word) : 0));
}

/* What was read, and what it has become: macros may have been defined otherwise. */
static uint64_t hash_model(const verification *v)
{
  uint64_t hash = 1;
  kept_text t;
  text made = {0};
  for (size_t i = 0; (t = source_kept_at(v->model->sources, i)).name; i++)
    hash = hash_fold(hash + 1, hash_bytes(t.text, t.length));
  model_print(program_model(v->program), &made);
  hash = hash_fold(hash + 1, hash_bytes(made.data, made.len));
  text_free(&made);
  return hash;
}

static uint64_t hash_questions(const verification *v)
{
  uint64_t hash = 1;
  for (size_t i = 0; i < v->questions.list.len; i++) {
    const question *q = v->questions.list.data[i];
    hash = add_word(hash, q->name);
    hash = add_word(hash, q->formula);
    hash = hash_fold(hash + 1, q->selected + 1u);
  }
  return hash;
}

static uint64_t hash_options(const nut_options *o, bool count)
{
  const uint64_t numbers[] = {count,
                              o->search,
                              o->por,
                              o->merge,
                              o->reset_dead,
                              o->shortest,
                              o->depth,
                              o->max_errors,
                              o->deadlocks,
                              o->liveness,
                              o->fair,
                              o->check_overflow,
                              o->reverse,
                              o->shuffle,
                              o->algorithm,
                              o->resume ? o->resume->generation : 0,
                              o->checkpoint != NULL};
  return hash_bytes(numbers, sizeof numbers);
}

static const char *what_differs(const asked_of *own, const asked_of *other)
{
  if (strncmp(own->version, other->version, sizeof own->version) != 0)
    return "is another version";
  if (own->model != other->model)
    return "has another model";
  if (own->questions != other->questions || own->options != other->options)
    return "was given other options";
  return NULL;
}

static bool refuse(verification *v, const char *why)
{
  text_printf(&v->messages, "several ranks: %s\n", why);
  return false;
}

/* All see all, so that all see what is wrong. */
static bool agree(verification *v, const nut_options *o, bool count)
{
  ranks *all = ranks_of(o);
  asked_of own = {.model = hash_model(v),
                  .questions = hash_questions(v),
                  .options = hash_options(o, count)};
  strncpy(own.version, NUT_VERSION " " NUT_BUILT_WITH, sizeof own.version - 1);
  if (!ranks_meet(all, POINT_ASKED, &own, sizeof own)) {
    v->outcome.verdict = VERDICT_UNKNOWN;
    v->outcome.reason = reason_text(REASON_RANK);
    return refuse(v, v->outcome.reason);
  }
  asked_of first;
  size_t length;
  memcpy(&first, ranks_word(all, 0, &length), sizeof first);
  for (uint32_t i = 1; i < ranks_count(all); i++) {
    asked_of other = {0};
    const uint8_t *word = ranks_word(all, i, &length);
    if (length == sizeof other)
      memcpy(&other, word, sizeof other);
    const char *what = what_differs(&first, &other);
    if (!what)
      continue;
    text_printf(&v->messages, "several ranks: rank %u %s than rank 0\n",
                (unsigned)i, what);
    return false;
  }
  return true;
}

bool ranked_start(verification *v, const nut_options *o, bool count)
{
  if (!o->ranks)
    return true;
  const char *why = why_not_asked(o);
  if (!why)
    why = why_not_model(v, count);
  if (why)
    return refuse(v, why);
  return agree(v, o, count);
}

void ranked_attach(const nut_options *o, search_options *s)
{
  s->ranks = ranks_of(o);
  if (!s->ranks)
    return;
  if (!s->asked.threads)
    s->asked.threads = 1;
  if (ranks_spread_after(s->ranks))
    s->share_after = ranks_spread_after(s->ranks);
  s->disk_bytes = ranks_disk_bytes(s->ranks);
}
