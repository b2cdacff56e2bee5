/* Depth-first searches beside levels; see deep.h. */

#include "search/shallow/deep.h"

#include "search/levels/levels_internal.h"
#include "search/ranks/fleet.h"

enum {
  GROWTH = 4,
  SHARE = 20,      /* all dives are at most this part of the search */
  BYTES_EACH = 256 /* of a limit of memory, for each state of a dive */
};

/* An error of single states or steps ends the run, a witness may not: that would
** have to be kept. */
static bool is_asked(const answer *a)
{
  property_scope about = property_about(a->question->kind);
  return !a->errors && a->verdict == VERDICT_UNKNOWN &&
         a->reason == REASON_NONE && a->question->kind != PROPERTY_REACH &&
         (about == ABOUT_STEPS || about == ABOUT_STATES);
}

static void list_asked(search *r)
{
  vec_clear(&r->asked.list);
  for (size_t i = 0; i < r->result->answers.len; i++) {
    const answer *a = r->result->answers.data + i;
    if (is_asked(a))
      vec_push(&r->asked.list, (question *)a->question);
  }
}

/* Whether the order is ours, and one error all that is wanted. */
static bool is_wanted(const search *r)
{
  const search_options *o = r->options;
  return o->shallow && o->asked.search == NUT_SEARCH_AUTO &&
         !o->asked.shortest && !o->count && !o->once && !o->asked.depth &&
         !o->prefix && !o->asked.disk && o->asked.max_errors == 1;
}

/* Dives have sizes that grow, so those before are known by the next. */
static void plan(search *r)
{
  const size_t bytes = r->watch.limits->asked.memory_bytes;
  const uint64_t first = r->options->deep ? r->options->deep : DEEP_FIRST;
  deep *d = &r->deep;
  d->due = 0;
  if (d->size > DEEP_LAST || (bytes && bytes / BYTES_EACH < d->size))
    return;
  for (uint64_t size = first; size <= d->size; size *= GROWTH)
    d->due += SHARE * size;
}

void deep_start(search *r)
{
  r->deep = (deep){0};
  if (!is_wanted(r))
    return;
  r->deep.size = r->options->deep ? r->options->deep : DEEP_FIRST;
  plan(r);
}

/* False: a limit of time, or a signal, has ended it. */
static bool dive(search *r, search_result *found)
{
  search_options o = *r->options;
  o.asked.search = NUT_DFS;
  o.asked.coverage = false;
  o.asked.on_progress = NULL;
  o.asked.on_growth = NULL;
  o.prefix = r->deep.size;
  o.questions = &r->asked;
  o.drawing = NULL;
  o.checkpoint = NULL;
  o.resume = NULL;
  o.ranks = NULL;
  o.on_stored = NULL;
  o.condenses = false;
  search_run(r->program, &o, found);
  const limits *l = r->watch.limits;
  return !limits_are_due(l) && l->reason == REASON_NONE;
}

static bool has_error(const search_result *found)
{
  for (size_t i = 0; i < found->answers.len; i++)
    if (found->answers.data[i].errors)
      return true;
  return false;
}

void deep_step(search *r)
{
  while (r->deep.due && r->result->stats.states >= r->deep.due &&
         !r->watch.stop) {
    list_asked(r);
    if (!r->asked.list.len) {
      r->deep.due = 0;
      return;
    }
    search_result found;
    bool is_over = dive(r, &found), is_found = has_error(&found);
    if (!is_over)
      watch_left(&r->watch);
    if (r->fleet)
      fleet_join_dive(r->team, &is_found);
    for (size_t i = 0; i < found.answers.len && is_found; i++)
      if (found.answers.data[i].errors)
        search_adopt(r, &found.answers.data[i]);
    if (is_over) {
      r->result->stats.deep_states += found.stats.states;
      r->deep.size *= GROWTH;
      plan(r);
    }
    search_result_free(&found);
  }
}
