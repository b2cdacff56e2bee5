/* States are taken away in stages:
**
**   COUNT_ALL --> PICK --> TAKE ---> PASS --> PASS_MORE --> JUDGE
**                  ^        |                                 |
**              COUNT_LEFT  nothing is left, or needed         | something went
**                  ^        v                                 |
**                  |       OVER <-- nothing went, or is left -|
**                  +------------------------------------------+
**
** A stage that was begun by another run (search/checkpoint) goes on: its notes
** are there. */

#include "search/runs/runs_internal.h"

#include "base/alloc.h"

#include <string.h>

static void begin_gathering(runs *r)
{
  memset(r->masks, 0, r->slots * r->mask_bytes);
  memset(r->swept, 0, runs_bits_size(r));
  memset(r->waiting, 0, runs_bits_size(r));
  r->before = r->left;
  r->figures.iterations++;
}

static void begin(runs *r)
{
  switch (r->stage) {
  case RUNS_COUNT_ALL:
  case RUNS_COUNT_LEFT:
    memset(r->steps, 0, r->slots * sizeof *r->steps);
    break;
  case RUNS_PASS:
    begin_gathering(r);
    break;
  case RUNS_PICK:
  case RUNS_TAKE:
  case RUNS_PASS_MORE:
  case RUNS_JUDGE:
  case RUNS_OVER:
    break;
  }
}

/* Whether the run goes on. */
static bool work(runs *r)
{
  uint64_t sum = 0;
  bool done = false;
  switch (r->stage) {
  case RUNS_COUNT_ALL:
    done = runs_sweep(r, runs_count_all, &r->left) &&
           (!runs_is_spread(r) || runs_has_all(r));
    break;
  case RUNS_COUNT_LEFT:
    done = runs_sweep(r, runs_count_left, &r->left);
    break;
  case RUNS_PICK:
    done = runs_sweep(r, runs_pick_all, &sum);
    break;
  case RUNS_TAKE:
    done = runs_follow(r, runs_take_all, &sum);
    r->left -= done ? sum : 0;
    break;
  case RUNS_PASS:
    done = runs_sweep(r, runs_pass_all, &sum);
    break;
  case RUNS_PASS_MORE:
    done = runs_follow(r, runs_pass_more, &sum);
    break;
  case RUNS_JUDGE:
    done = runs_sweep(r, runs_judge_all, &r->left);
    break;
  case RUNS_OVER:
    break;
  }
  return done;
}

runs_stage runs_next_stage(const runs *r)
{
  switch (r->stage) {
  case RUNS_COUNT_ALL:
  case RUNS_COUNT_LEFT:
    return RUNS_PICK;
  case RUNS_PICK:
    return RUNS_TAKE;
  case RUNS_TAKE:
    return r->left && r->needs ? RUNS_PASS : RUNS_OVER;
  case RUNS_PASS:
    return RUNS_PASS_MORE;
  case RUNS_PASS_MORE:
    return RUNS_JUDGE;
  case RUNS_JUDGE:
    return !r->left || r->left == r->before ? RUNS_OVER : RUNS_COUNT_LEFT;
  case RUNS_OVER:
    break;
  }
  return RUNS_OVER;
}

bool runs_take_away(runs *r)
{
  for (; r->stage != RUNS_OVER; r->stage = runs_next_stage(r)) {
    if (!r->is_inside)
      begin(r);
    r->is_sweeping = true;
    bool done = work(r);
    r->is_sweeping = r->is_inside = false;
    mem_free(r->done, r->done ? runs_bits_size(r) : 0);
    r->done = NULL;
    if (!done)
      return false;
  }
  return true;
}
