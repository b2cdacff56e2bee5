/* Limits and progress of a search; see watch.h. */

#include "search/watch.h"

#include "base/system/usage.h"
#include <time.h>

#define PROGRESS_SECONDS 0.5

void watch_start(watch *w, limits *l, const search_options *o,
                 search_result *result)
{
  double now = usage_seconds(), every = o->progress_seconds;
  *w = (watch){.limits = l,
               .options = o,
               .result = result,
               .room = limits_room(l),
               .countdown = WATCH_LOOK_EVERY,
               .last_progress = now,
               .began = now,
               .next_progress = now + (every > 0 ? every : PROGRESS_SECONDS)};
}

void watch_stop(watch *w, reason why)
{
  if (!w->stop)
    w->result->reason = why;
  w->stop = true;
}

void watch_left(watch *w)
{
  watch_stop(w, limits_why(w->limits));
}

/* A table that grows is full when time is up, too. */
void watch_full(watch *w)
{
  watch_left(w);
}

/* ---- progress ----------------------------------------------------------- */

static nut_expected scaled(nut_expected e, double base, double each)
{
  return (nut_expected){base + each * e.low, base + each * e.likely,
                        base + each * e.high};
}

/* What the states to come take: of time as much as those before, of memory as
** much as those before take in the store. */
static void add_forecast(const watch *w, double now, nut_progress *p)
{
  nut_expected *e = &p->expected_states;
  if (!w->forecast || !forecast_states(w->forecast, p->states, e))
    return;
  double states = (double)p->states, spent = now - w->began;
  double memory = (double)p->memory_bytes, stored = (double)p->store_bytes;
  p->expected_seconds = scaled(*e, p->seconds - spent, spent / states);
  p->expected_bytes = scaled(*e, memory - stored, stored / states);
}

static nut_progress progress_now(const watch *w, double now)
{
  const statistics *stats = &w->result->stats;
  double since = now - w->last_progress;
  nut_progress p = {
      .states = stats->states,
      .transitions = stats->transitions,
      .seconds = now - w->limits->started,
      .states_per_second =
          since > 0 ? (double)(stats->states - w->last_states) / since : 0,
      .memory_bytes = usage_resident(),
      .store_bytes = w->store ? w->result->store->bytes(w->store) : 0,
      .depth = w->depth,
      .waiting = w->frontier,
  };
  add_forecast(w, now, &p);
  return p;
}

static void report_progress(watch *w, double now)
{
  nut_progress p = progress_now(w, now);
  const nut_options *asked = &w->options->asked;
  asked->on_progress(asked->context, &p);
  double every = w->options->progress_seconds;
  w->next_progress = now + (every > 0 ? every : PROGRESS_SECONDS);
  w->last_progress = now;
  w->last_states = p.states;
}

/* Nodes of a diagram are counted by a walk over it, hence the rest behind. What
** the walk costs is CPU time: on a busy machine it may take much longer. */
static void report_growth(watch *w, double now)
{
  enum { LEAST = 1000, PART = 50, REST = 20 };
  const store_class *class = w->result->store;
  nut_progress p = progress_now(w, now);
  clock_t before = clock();
  if (class->figures)
    p.nodes = class->figures(w->store).nodes;
  w->options->asked.on_growth(w->options->asked.growth_context, &p);
  uint64_t more = p.states / PART;
  w->next_growth = p.states + (more > LEAST ? more : LEAST);
  double cost = (double)(clock() - before) / CLOCKS_PER_SEC;
  w->growth_rest = usage_seconds() + REST * cost;
}

/* A chain has as many levels as states: after so many, not each has a row. */
void watch_level(watch *w, uint64_t next)
{
  enum { LEVELS_SHOWN = 10000 };
  w->frontier = next;
  if (!w->store || !w->options->asked.on_growth ||
      (w->depth >= LEVELS_SHOWN && w->result->stats.states < w->next_growth))
    return;
  w->depth++;
  report_growth(w, usage_seconds());
  w->depth--;
}

void watch_end_growth(watch *w)
{
  if (w->store && w->options->asked.on_growth)
    report_growth(w, usage_seconds());
}

/* ---- looking ------------------------------------------------------------ */

void watch_look(watch *w)
{
  const nut_options *o = &w->options->asked;
  w->countdown = WATCH_LOOK_EVERY;
  if (limits_reached(w->limits))
    watch_stop(w, w->limits->reason);
  if (w->result->stats.states >= WATCH_SETTLE_AFTER)
    limits_settle(w->limits);
  if (!o->on_progress && !o->on_growth)
    return;
  double now = usage_seconds();
  if (o->on_progress && now >= w->next_progress &&
      limits_wants_report(w->limits))
    report_progress(w, now);
  if (o->on_growth && w->store && now >= w->growth_rest &&
      w->result->stats.states >= w->next_growth)
    report_growth(w, now);
}

bool watch_is_over(void *context)
{
  watch *w = context;
  watch_look(w);
  return w->stop;
}
