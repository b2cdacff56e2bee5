/* nutshell convert: a model in another language. */

#include "convert/convert.h"
#include "cli/common.h"
#include "cli/output.h"
#include "graph/states.h"
#include "report/dot.h"
#include "report/ranges.h"

/* More states than this are not written one by one. */
enum { STATES_MAX = 3000 };

/* So long all states are looked at for the values that occur in them. */
static const double RANGES_SECONDS = 20;

static bool convert(const options *o, model *m, const var_ranges *seen,
                    text *out, text *why)
{
  switch (o->to) {
  case TO_PROMELA:
    return convert_to_promela(m, out, why);
  case TO_DVE:
    return convert_to_dve(m, out, why);
  case TO_PNML:
    return convert_to_pnml(m, seen, out, why);
  default:
    dot_processes(m, out);
    return true;
  }
}

static int write_output(const options *o, const text *out)
{
  if (!o->output) {
    say_text(out);
    return STATUS_HOLDS;
  }
  if (same_file(o->output, o->files.data[0]))
    return complain("'%s' is the model itself", o->output);
  return write_file(o->output, out) ? STATUS_HOLDS : STATUS_BAD;
}

/* What the language cannot say step by step, it can say state by state, when
** the states are few. */
static bool find_states(const options *o, nut_model *m, program **p,
                        states *all)
{
  *p = o->to == TO_DOT ? NULL : loaded_program(m, o->check.check_overflow);
  *all = (states){0};
  return *p && states_explore(*p, STATES_MAX, &m->limits, all) == STATES_DONE &&
         all->list.len;
}

/* 'why' says what the language cannot say. */
static void convert_states(const options *o, const states *all, const char *why,
                           text *out)
{
  typedef void writes(const states *, const char *, text *);
  static writes *const writers[] = {
      [TO_PROMELA] = states_to_promela,
      [TO_DVE] = states_to_dve,
      [TO_PNML] = states_to_pnml,
  };
  text_clear(out);
  writers[o->to](all, why, out);
  note("%s; written as the graph of its %zu states", why, all->list.len);
}

/* Which values occur; empty where that takes too long. */
static void find_ranges(const options *o, nut_model *m, const model *changed,
                        var_ranges *seen)
{
  program_options how = {.check_overflow =
                             o->check.check_overflow || changed->language->is_net};
  program *p = program_create(changed, &how, m->diags);
  if (!p)
    return;
  limits_begin_turn(&m->limits, RANGES_SECONDS);
  ranges_note(p, &m->limits, seen);
  limits_end_turn(&m->limits);
  program_destroy(p);
}

/* Writing changes the model, so it is one of its own. */
static bool convert_own(const options *o, nut_model *m, text *out, text *why)
{
  model *own = nut_read_again(m);
  var_ranges seen = {0};
  if (!own)
    mem_give_up();
  if (o->to == TO_PNML)
    find_ranges(o, m, own, &seen);
  bool fine = convert(o, own, &seen, out, why);
  var_ranges_free(&seen);
  model_destroy(own);
  return fine;
}

static bool convert_somehow(const options *o, nut_model *m, text *out,
                            text *why)
{
  program *p;
  states all;
  bool small = find_states(o, m, &p, &all);
  bool fine = convert_own(o, m, out, why);
  if (!fine && small)
    convert_states(o, &all, text_string(why), out);
  states_free(&all);
  program_destroy(p);
  return fine || small;
}

/* The command under way. */
typedef struct conversion {
  const options *options;
  nut_model *model;
  text out, why;
  bool fine;
} conversion;

static void do_convert(void *work)
{
  conversion *c = work;
  c->fine = convert_somehow(c->options, c->model, &c->out, &c->why);
}

static int finish(conversion *c)
{
  static const char *const languages[] = {"Promela", "DVE", "PNML", "DOT"};
  const options *o = c->options;
  if (c->fine)
    return write_output(o, &c->out);
  complain("%s cannot be written in %s: %s", o->files.data[0], languages[o->to],
           text_string(&c->why));
  note("with no more than %d states it would be written as their graph",
       STATES_MAX);
  return STATUS_BAD;
}

int command_convert(const options *o)
{
  int status;
  conversion c = {.options = o, .model = load_model(o, &status)};
  if (!c.model)
    return status;
  status =
      work_within_limits(c.model, do_convert, &c) ? finish(&c) : STATUS_UNKNOWN;
  text_free(&c.out);
  text_free(&c.why);
  nut_model_free(c.model);
  return status;
}
