/* What can be reduced, and the making of a reduction. */

#include "base/alloc.h"
#include "reduce/reduce_internal.h"

const char *reduce_kind_name(reduce_kind k)
{
  static const char *const texts[] = {"off", "ample", "stubborn"};
  return texts[k];
}

/* ---- what cannot be reduced -------------------------------------------- */

static const char *trouble_of_model(const model *m)
{
  if (m->flags & MODEL_SYNCHRONOUS)
    return "all processes move at once";
  if (m->flags & MODEL_HAS_PRIORITY)
    return "the model uses priorities";
  if (m->flags & MODEL_HAS_LAST)
    return "the model reads _last";
  if (m->flags & MODEL_LOSES)
    return "messages may be lost";
  if (m->flags & MODEL_HAS_C)
    return "embedded C may touch anything";
  if (m->edges.len > ACTS_MAX)
    return "the model is too large";
  for (size_t i = 0; i < m->processes.len; i++)
    if (m->processes.data[i]->edges.len > KIND_MAX)
      return "a process has too many statements";
  return NULL;
}

static bool has_hidden(const access_sets *a, const uint64_t *set)
{
  for (uint32_t k = slots_next(a, set, 0); k != NO_SLOT;
       k = slots_next(a, set, k + 1)) {
    slot_info s = access_slot(a, k);
    if (s.kind == SLOT_VARIABLE && s.var->flags & VAR_HIDDEN)
      return true;
  }
  return false;
}

/* Hidden variables are no part of a state: whatever reads them, be it a step or
** a property, depends on the way on which the state was found. */
static bool reads_hidden(const relations *r)
{
  const access_sets *a = r->access;
  for (size_t i = 0; i < r->model->edges.len; i++)
    if (has_hidden(a, a->edges[i].tests) || has_hidden(a, a->edges[i].reads))
      return true;
  return has_hidden(a, r->visible);
}

static void watch(relations *r, const process_type *p, uint32_t place)
{
  bool **list = &r->watched[p->index];
  if (!*list)
    *list = ARENA_ARRAY(r->arena, bool, p->locations.len);
  (*list)[place] = true;
}

/* Whether a process is at a certain location changes less often than where it
** is.  What else the expression reads is entered as slots. */
static bool look_at(relations *r, const expr *e)
{
  switch (e->op) {
  case OP_AT:
    watch(r, e->process, e->location);
    return !e->args[0] || look_at(r, e->args[0]);
  case OP_AND:
  case OP_OR:
  case OP_NOT:
  case OP_EQ:
  case OP_NE:
    return look_at(r, e->args[0]) && (!e->args[1] || look_at(r, e->args[1]));
  default:
    return access_expression(r->access, e, r->visible);
  }
}

static bool find_visible(relations *r, const reduce_options *o)
{
  r->looks = o->visible_count || o->visible_labels;
  r->labels = o->visible_labels;
  r->visible = ARENA_ARRAY(r->arena, uint64_t, r->access->words);
  r->watched = ARENA_ARRAY(r->arena, bool *, r->model->processes.len + 1);
  for (size_t i = 0; i < o->visible_count; i++)
    if (!look_at(r, o->visible[i]))
      return false;
  return true;
}

/* ---- making ------------------------------------------------------------ */

/* Analyses the model; the reason when that shows that nothing can be reduced,
** otherwise NULL. */
static const char *analyse(relations *r, const reduce_options *o)
{
  r->arena = arena_create();
  r->access = access_create(r->model);
  if (!find_visible(r, o))
    return "a property asks what processes can do";
  if (r->model->flags & MODEL_HAS_HIDDEN && reads_hidden(r))
    return "hidden variables are read";
  r->believes = !o->doubts_claims && reduce_can_believe(r);
  r->plain_claims = reduce_claims_are_plain(r);
  users_prepare(r);
  reduce_find_kinds(r);
  return NULL;
}

static void relations_destroy(relations *r)
{
  for (size_t i = 0; i < r->acts.len; i++)
    vec_free(&r->acts.data[i]->uses);
  vec_free(&r->acts);
  vec_free(&r->roles);
  vec_free(&r->circled);
  users_free(r);
  vec_free(&r->offspring);
  for (size_t i = 0; i < sizeof r->scratch / sizeof r->scratch[0]; i++)
    vec_free(&r->scratch[i]);
  access_destroy(r->access);
  arena_destroy(r->arena);
  pthread_mutex_destroy(&r->lock);
  mem_free(r, sizeof *r);
}

typedef struct analysis {
  relations *relations;
  const reduce_options *options;
  const char *why;
  reduction *made;
} analysis;

static void do_analyse(void *work)
{
  analysis *a = work;
  a->why = analyse(a->relations, a->options);
  if (!a->why)
    a->made = mem_alloc(sizeof *a->made);
}

static void undo_analyse(void *work)
{
  relations_destroy(((analysis *)work)->relations);
}

reduction *reduce_create(const program *p, const reduce_options *o,
                         const char **why)
{
  *why = trouble_of_model(program_model(p));
  if (*why)
    return NULL;
  relations *r = mem_alloc(sizeof *r);
  r->program = p;
  r->model = program_model(p);
  r->mode = o->kind;
  r->liveness = o->liveness;
  r->must_pay = o->must_pay;
  pthread_mutex_init(&r->lock, NULL);
  analysis work = {r, o, NULL, NULL};
  mem_protect_undo(do_analyse, undo_analyse, &work);
  *why = work.why;
  if (*why) {
    relations_destroy(r);
    return NULL;
  }
  work.made->of = r;
  work.made->is_owner = true;
  return work.made;
}

reduction *reduce_share(reduction *other)
{
  reduction *r = mem_alloc(sizeof *r);
  r->of = other->of;
  return r;
}

void reduce_destroy(reduction *r)
{
  if (!r)
    return;
  vec_free(&r->nodes);
  vec_free(&r->values);
  vec_free(&r->todo);
  vec_free(&r->picked);
  vec_free(&r->best);
  vec_free(&r->list);
  vec_free(&r->original);
  vec_free(&r->leads);
  vec_free(&r->picks);
  vec_free(&r->harmless);
  choices_free(&r->choices);
  vec_free(&r->wanted);
  if (r->is_owner)
    relations_destroy(r->of);
  mem_free(r, sizeof *r);
}
