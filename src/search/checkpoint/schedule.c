/* When a file is written, under which name, and what it cost. */

#include "base/alloc.h"
#include "base/system/usage.h"
#include "nutshell-config.h"
#include "search/checkpoint/checkpoint_internal.h"
#include "search/runs/runs.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

const char checkpoint_part_title[] = "nutshell checkpoint part";

enum { PATH_MORE = 16 }; /* behind the name that was asked for */

static char *path_of(const checkpoint_asked *asked, int which)
{
  size_t room = strlen(asked->file) + PATH_MORE;
  char *path = mem_alloc(room);
  if (asked->rank)
    snprintf(path, room, "%s.%d.r%u", asked->file, which,
             (unsigned)asked->rank);
  else
    snprintf(path, room, "%s.%d", asked->file, which);
  return path;
}

static void do_create(void *made)
{
  checkpoint *c = made;
  c->paths[0] = path_of(&c->asked, 0);
  c->paths[1] = path_of(&c->asked, 1);
  c->writer = block_writer_create(c->asked.signal, CHECKPOINT_GIVE_UP);
}

static void undo_create(void *made)
{
  checkpoint_destroy(made);
}

checkpoint *checkpoint_create(const checkpoint_asked *asked)
{
  checkpoint *c = mem_alloc(sizeof *c);
  c->asked = *asked;
  mem_protect_undo(do_create, undo_create, c);
  c->due = usage_seconds() + asked->every;
  return c;
}

void checkpoint_destroy(checkpoint *c)
{
  if (!c)
    return;
  size_t bytes = strlen(c->asked.file) + PATH_MORE;
  vec_free(&c->sums);
  mem_free(c->paths[0], bytes);
  mem_free(c->paths[1], bytes);
  block_writer_destroy(c->writer);
  mem_free(c, sizeof *c);
}

void checkpoint_set_generation(checkpoint *c, uint64_t generation)
{
  c->generation = generation;
}

const char *checkpoint_next_path(const checkpoint *c)
{
  return c->paths[(c->generation + 1) % 2];
}

const checkpoint_figures *checkpoint_figures_of(const checkpoint *c)
{
  return &c->figures;
}

static void put_text(block_writer *w, const char *s)
{
  block_put_number(w, strlen(s));
  block_put(w, s, strlen(s));
}

static void begin_head(checkpoint *c, const char *title)
{
  block_writer *w = c->writer;
  block_file_begin(w, checkpoint_next_path(c));
  block_kind_begin(w, CHECKPOINT_HEAD);
  put_text(w, title);
  block_put_number(w, CHECKPOINT_FORMAT);
  put_text(w, NUT_VERSION);
  block_put_number(w, c->generation + 1);
}

static void begin_file(checkpoint *c)
{
  block_writer *w = c->writer;
  begin_head(c, "nutshell checkpoint");
  block_put_number(w, c->sums.len);
  for (size_t i = 0; i < c->sums.len; i++)
    block_put_number(w, c->sums.data[i]);
  if (c->asked.head)
    c->asked.head(c->asked.context, w);
  block_kind_begin(w, CHECKPOINT_SEARCH);
}

static void forget_parts(checkpoint *c)
{
  vec_clear(&c->sums);
  c->part_bytes = 0;
  c->part_error = 0;
}

/* The next one is due after the interval, or, where files take long, when they
** have been a small part of the time. */
static void end_file(checkpoint *c, double began, uint64_t states)
{
  checkpoint_figures *f = &c->figures;
  f->bytes = block_file_bytes(c->writer) + c->part_bytes;
  f->error = block_file_end(c->writer);
  forget_parts(c); /* they belong to this file alone */
  double now = usage_seconds(), cost = now - began, every = c->asked.every;
  f->seconds += cost;
  c->last_seconds = cost;
  if (every > 0 && every < CHECKPOINT_STRETCH * cost)
    every = CHECKPOINT_STRETCH * cost;
  c->due = now + every;
  if (f->error)
    return;
  c->generation++;
  c->last_states = states;
  f->written++;
  f->states = states;
}

uint64_t checkpoint_generation(const checkpoint *c)
{
  return c->generation;
}

/* What a file is made of. */
typedef struct telling {
  const team *team;
  block_writer *to;
} telling;

static void tell_moment(void *work)
{
  const telling *x = work;
  moment_write(x->team, x->to);
}

static void tell_part(void *work)
{
  const telling *x = work;
  moment_write_part(x->team, x->to);
}

/* States of a disk take memory to be told; without it there is no file. */
static void put_moment(checkpoint *c, const team *t, mem_work *tell)
{
  telling x = {t, c->writer};
  if (!mem_protect(tell, &x))
    block_file_fail(c->writer, ENOMEM);
}

int checkpoint_save_part(checkpoint *c, team *t)
{
  double began = usage_seconds();
  begin_head(c, checkpoint_part_title);
  put_moment(c, t, tell_part);
  end_file(c, began, moment_states(t));
  return c->figures.error;
}

uint32_t checkpoint_part_sum(const checkpoint *c)
{
  return block_writer_sum(c->writer);
}

void checkpoint_begin_parts(checkpoint *c, int error)
{
  forget_parts(c);
  c->part_error = error;
  c->parts_began = usage_seconds();
}

void checkpoint_add_part(checkpoint *c, int error, uint32_t sum, uint64_t bytes)
{
  vec_push(&c->sums, sum);
  c->part_bytes += bytes;
  if (error)
    c->part_error = error;
}

int checkpoint_write_start(checkpoint *c)
{
  double began = usage_seconds();
  begin_file(c);
  block_put_number(c->writer, CHECKPOINT_START);
  block_put_number(c->writer, false);
  end_file(c, began, 0);
  return c->figures.error;
}

bool checkpoint_is_due(const checkpoint *c)
{
  return !c->asked.batches && usage_seconds() >= c->due;
}

bool checkpoint_is_forced(checkpoint *c)
{
  if (!c->asked.batches || ++c->batches < c->asked.batches)
    return false;
  c->batches = 0;
  return true;
}

/* The last one tells how long this one will take. */
static bool takes_too_long(const checkpoint *c, uint64_t states)
{
  enum { FEW = 100000 }; /* what they take tells nothing */
  double expected = c->last_seconds;
  if (c->last_states > FEW && states > c->last_states)
    expected *= (double)states / (double)c->last_states;
  return expected > c->asked.grace;
}

bool checkpoint_is_too_long(const checkpoint *c, const team *t)
{
  const volatile sig_atomic_t *signal = c->asked.signal;
  return signal && *signal == CHECKPOINT_HURRY &&
         takes_too_long(c, moment_states(t));
}

void checkpoint_leave_out(checkpoint *c)
{
  c->figures.is_up_to_date = false;
  c->figures.is_left_out = true;
}

static void tell_last(const checkpoint *c, bool last, bool begins)
{
  if (last && c->asked.on_last)
    c->asked.on_last(c->asked.context, begins);
}

static void begin_stage(const checkpoint *c, checkpoint_stage stage,
                        const search *s)
{
  block_put_number(c->writer, stage);
  block_put_number(c->writer, s->doubts_claims + 2 * s->gave_up);
}

void checkpoint_save(checkpoint *c, team *t, bool last)
{
  double began = c->sums.len ? c->parts_began : usage_seconds();
  uint64_t states = moment_states(t);
  struct runs *runs = t->asker->runs;
  c->figures.is_up_to_date = false;
  if (c->part_error) { /* some part is missing: what there was stays */
    c->figures.error = c->part_error;
    c->due = usage_seconds() + c->asked.every;
    forget_parts(c);
    return;
  }
  if (last && !c->sums.len && checkpoint_is_too_long(c, t)) {
    c->figures.is_left_out = true;
    return;
  }
  tell_last(c, last, true);
  begin_file(c);
  begin_stage(c, runs ? CHECKPOINT_RUNS : CHECKPOINT_WALK,
              runs ? runs_asker(runs) : t->asker);
  if (runs)
    ledger_write(runs_asker(runs),
                 runs_is_sweeping(runs) ? ROW_SWEEPS : ROW_LEVELS, c->writer);
  put_moment(c, t, tell_moment);
  end_file(c, began, states);
  c->figures.is_up_to_date = last && !c->figures.error;
  tell_last(c, last, false);
}

/* Such a file is small: it tells nothing of how long the next one takes. */
void checkpoint_save_row(checkpoint *c, const search *s, row_phase phase,
                         bool last)
{
  double began = usage_seconds(), seconds = c->last_seconds;
  uint64_t states = c->last_states;
  if (c->asked.rank) /* such a file has one part */
    return;
  tell_last(c, last, true);
  begin_file(c);
  begin_stage(c, CHECKPOINT_RUNS, s);
  ledger_write(s, phase, c->writer);
  end_file(c, began, s->result->stats.states);
  c->last_seconds = seconds;
  c->last_states = states;
  c->figures.is_up_to_date = last && !c->figures.error;
  tell_last(c, last, false);
}
