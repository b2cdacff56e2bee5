/* One clock and one budget for a command; see limits.h. */

#include "base/limits.h"

#include "base/system/settle.h"
#include "base/system/usage.h"

/* Without a limit of memory the system is asked again whenever the run has
** grown by a step: small ones while it is small, so that two runs side by side
** see each other. */
enum { FIRST_STEP = 16 << 20, STEP_PART = 16, FREE_PART = 20 };

/* ---- memory ------------------------------------------------------------- */

static bool grant_counted(mem_budget *b, long long wanted)
{
  return ((limits *)b)->closed || wanted <= b->granted;
}

/* What is free, less the part that stays free. */
static size_t free_bytes(void)
{
  size_t total, left = usage_memory_left(&total);
  size_t kept = total / FREE_PART;
  return left > kept ? left - kept : 0;
}

static bool grant_free(mem_budget *b, long long wanted)
{
  limits *l = (limits *)b;
  long long granted = b->granted;
  if (l->closed || wanted <= granted) /* by now, to another thread */
    return true;
  size_t more = (size_t)(wanted - granted), room = free_bytes();
  if (more > room || (l->most && wanted > l->most))
    return false;
  size_t step = (size_t)wanted / STEP_PART;
  if (step < FIRST_STEP)
    step = FIRST_STEP;
  b->granted = wanted + (long long)(step < room - more ? step : room - more);
  return true;
}

size_t limits_room(const limits *l)
{
  long long used = atomic_load_explicit(&l->budget.used, memory_order_relaxed);
  if (!l->asked.memory_bytes)
    return free_bytes();
  return used < l->budget.granted ? (size_t)(l->budget.granted - used) : 0;
}

void limits_settle(limits *l)
{
  if (l->is_settled)
    return;
  l->is_settled = true;
  if (settle_memory())
    atomic_fetch_sub(&l->budget.used, LIMITS_SETTLED_LESS);
}

bool limits_too_small(const limits *l)
{
  return l->asked.memory_bytes && l->asked.memory_bytes < LIMITS_PROGRAM_BYTES;
}

/* ---- time --------------------------------------------------------------- */

static bool is_over(mem_budget *b)
{
  limits *l = (limits *)b;
  return !l->closed && !l->polled && limits_reached(l);
}

static bool is_due(const mem_budget *b)
{
  const limits *l = (const limits *)b;
  return !l->closed && !l->keeps_tables && limits_are_due(l);
}

bool limits_are_due(const limits *l)
{
  return limits_interrupted(l) ||
         (l->deadline > 0 && usage_seconds() >= l->deadline);
}

bool limits_reached(limits *l)
{
  l->looks++;
  if (l->reason != REASON_NONE)
    return true;
  if (limits_interrupted(l))
    l->reason = REASON_INTERRUPTED;
  else if (l->deadline > 0 || l->turn_end > 0) {
    double now = usage_seconds();
    if ((l->deadline > 0 && now >= l->deadline) ||
        (l->turn_end > 0 && now >= l->turn_end))
      l->reason = REASON_TIME_LIMIT;
  }
  if (l->reason == REASON_NONE && l->last_look && l->looks >= l->last_look)
    l->reason = REASON_TIME_LIMIT;
  return l->reason != REASON_NONE;
}

bool limits_set_polled(limits *l, bool polled)
{
  bool before = l->polled;
  l->polled = polled;
  return before;
}

bool limits_wants_report(limits *l)
{
  if (!l->asked.tell)
    return true;
  bool asked = *l->asked.tell;
  *l->asked.tell = 0;
  return asked;
}

double limits_seconds(const limits *l)
{
  return usage_seconds() - l->started;
}

void limits_begin_turn(limits *l, double seconds)
{
  l->turn_end = usage_seconds() + seconds;
}

void limits_begin_work(limits *l, uint64_t looks)
{
  l->last_look = l->looks + looks;
}

void limits_end_turn(limits *l)
{
  l->turn_end = 0;
  l->last_look = 0;
  if (l->reason == REASON_TIME_LIMIT)
    l->reason = REASON_NONE;
  limits_reached(l);
}

/* ---- a command ---------------------------------------------------------- */

void limits_start(limits *l, const limits_asked *asked)
{
  *l = (limits){
      .asked = *asked, .started = usage_seconds(), .polls_left = LIMITS_POLLS};
  if (asked->seconds > 0)
    l->deadline = l->started + asked->seconds;
  l->budget.is_over = is_over;
  l->budget.is_due = is_due;
  l->budget.used = LIMITS_PROGRAM_BYTES;
  if (asked->memory_bytes > free_bytes()) { /* nobody can give so much */
    l->most = (long long)asked->memory_bytes;
    l->asked.memory_bytes = 0;
  }
  if (l->asked.memory_bytes) {
    l->budget.grant = grant_counted;
    l->budget.granted = (long long)asked->memory_bytes;
  } else {
    l->budget.grant = grant_free;
    l->budget.granted = LIMITS_PROGRAM_BYTES + FIRST_STEP;
  }
}

void limits_restart(limits *l, const limits_asked *asked)
{
  long long used = l->budget.used;
  bool is_settled = l->is_settled;
  limits_start(l, asked);
  l->is_settled = is_settled; /* it counts once */
  if (used > l->budget.used)
    l->budget.used = used;
}

mem_budget *limits_enter(limits *l)
{
  return mem_use_budget(&l->budget);
}

void limits_leave(mem_budget *outer)
{
  mem_use_budget(outer);
}

void limits_close(limits *l)
{
  l->closed = true;
}

void limits_open(limits *l)
{
  l->closed = false;
}

reason limits_memory_reason(const limits *l)
{
  return l->asked.memory_bytes ? REASON_MEMORY_LIMIT : REASON_OUT_OF_MEMORY;
}

reason limits_why(const limits *l)
{
  if (l->reason != REASON_NONE)
    return l->reason;
  /* What moved to a larger place was left, and nobody has looked since. */
  if (is_due(&l->budget))
    return limits_interrupted(l) ? REASON_INTERRUPTED : REASON_TIME_LIMIT;
  return limits_memory_reason(l);
}
