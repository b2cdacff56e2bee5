/* Functions in place of variables, many at once; renaming is the simplest
** case. */

#include "dd/robdd/robdd_internal.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

/* 'functions' has an entry for each variable that the manager had when the
** substitution was made; variables not replaced stand for themselves. */
struct robdd_substitution {
  robdd_manager *manager;
  uint32_t id; /* never used again, so that old results stay true */
  uint32_t count;
  robdd functions[];
};

/* test ? high : low.  When the test is a variable before all those of the
** branches, which is so when a renaming keeps the order, it is just a node. */
static robdd branch_on(robdd_manager *m, robdd test, robdd high, robdd low)
{
  const robdd_node *n = robdd_node_of(m, test);
  bool is_variable =
      !(test & 1) && n->low == ROBDD_FALSE && n->high == ROBDD_TRUE;
  if (is_variable && n->level < robdd_level(m, low) &&
      n->level < robdd_level(m, high))
    return robdd_make(m, n->level, low, high);
  return robdd_ite_inner(m, test, high, low);
}

/* 'last' is the deepest level of a replaced variable. */
static robdd substitute_inner(robdd_manager *m, robdd f,
                              const robdd_substitution *s, uint32_t last)
{
  uint32_t level = robdd_level(m, f);
  if (level > last)
    return f;
  robdd flip = f & 1;
  f ^= flip;
  uint32_t kind = ROBDD_OP_SUBSTITUTE | s->id << ROBDD_OP_BITS;
  robdd result = dd_cache_get(&m->cache, f, ROBDD_FALSE, kind);
  if (result != DD_CACHE_NONE)
    return result ^ flip;
  robdd low = substitute_inner(m, robdd_node_of(m, f)->low, s, last);
  if (low == ROBDD_FULL)
    return ROBDD_FULL;
  robdd high = substitute_inner(m, robdd_node_of(m, f)->high, s, last);
  if (high == ROBDD_FULL)
    return ROBDD_FULL;
  /* Variables that are younger than the substitution stand for themselves. */
  uint32_t variable = m->variable_at[level];
  robdd test = variable < s->count
                   ? s->functions[variable]
                   : robdd_make(m, level, ROBDD_FALSE, ROBDD_TRUE);
  if (test == ROBDD_FULL)
    return ROBDD_FULL;
  result = branch_on(m, test, high, low);
  if (result == ROBDD_FULL)
    return ROBDD_FULL;
  dd_cache_put(&m->cache, f, ROBDD_FALSE, kind, result);
  return result ^ flip;
}

/* ---- from outside ------------------------------------------------------ */

static bool is_itself(const robdd_manager *m, robdd f, uint32_t variable)
{
  const robdd_node *n = robdd_node_of(m, f);
  return f > ROBDD_TRUE && !(f & 1) && n->low == ROBDD_FALSE &&
         n->high == ROBDD_TRUE && m->variable_at[n->level] == variable;
}

static robdd do_substitute(robdd_manager *m, robdd f, robdd g, robdd h,
                           const void *context)
{
  (void)g, (void)h;
  const robdd_substitution *s = context;
  uint32_t last = 0;
  bool any = false;
  for (uint32_t v = 0; v < s->count; v++)
    if (!is_itself(m, s->functions[v], v)) {
      any = true;
      last = m->level_of[v] > last ? m->level_of[v] : last;
    }
  return any ? substitute_inner(m, f, s, last) : f;
}

robdd robdd_substitute(robdd_manager *m, robdd f, const robdd_substitution *s)
{
  if (f == ROBDD_FULL)
    return ROBDD_FULL;
  assert(s->manager == m);
  return robdd_run(m, do_substitute, f, ROBDD_FALSE, ROBDD_FALSE, s);
}

static size_t substitution_bytes(uint32_t count)
{
  return sizeof(robdd_substitution) + count * sizeof(robdd);
}

/* The one that changes nothing. */
static robdd_substitution *create_identity(robdd_manager *m)
{
  if (m->next_substitution >> (32 - ROBDD_OP_BITS))
    return NULL; /* no numbers left */
  robdd_substitution *s = mem_try_alloc(substitution_bytes(m->variables));
  if (!s)
    return NULL;
  s->manager = m;
  s->count = m->variables;
  if (!robdd_protect(m, s->functions, s->count)) {
    mem_free(s, substitution_bytes(s->count));
    return NULL;
  }
  for (uint32_t v = 0; v < s->count; v++) {
    robdd f = robdd_variable(m, v);
    if (f == ROBDD_FULL) {
      robdd_substitution_destroy(s);
      return NULL;
    }
    s->functions[v] = f;
  }
  s->id = m->next_substitution++;
  return s;
}

robdd_substitution *robdd_substitution_create(robdd_manager *m,
                                              const uint32_t *variables,
                                              const robdd *functions,
                                              size_t count)
{
  robdd_substitution *s = create_identity(m);
  for (size_t i = 0; s && i < count; i++) {
    assert(variables[i] < s->count && functions[i] != ROBDD_FULL);
    s->functions[variables[i]] = functions[i];
  }
  return s;
}

robdd_substitution *robdd_renaming_create(robdd_manager *m,
                                          const uint32_t *from,
                                          const uint32_t *to, size_t count)
{
  robdd_substitution *s = create_identity(m);
  /* Variables are found again, not made: the identity has just made them. */
  for (size_t i = 0; s && i < count; i++) {
    assert(from[i] < s->count && to[i] < s->count);
    s->functions[from[i]] = robdd_variable(m, to[i]);
  }
  return s;
}

void robdd_substitution_destroy(robdd_substitution *s)
{
  if (!s)
    return;
  robdd_unprotect(s->manager, s->functions);
  mem_free(s, substitution_bytes(s->count));
}
