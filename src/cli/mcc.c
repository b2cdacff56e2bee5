#include "cli/mcc.h"

#include "cli/output.h"
#include <inttypes.h>
#include <string.h>

static const char *techniques(const nut_result *r)
{
  return nut_result_figures(r).exact_states
             ? " TECHNIQUES DECISION_DIAGRAMS\n"
             : " TECHNIQUES EXPLICIT STATE_COMPRESSION\n";
}

/* A deadlock is what the contest asks for, and what we call a violation. */
static bool is_true(const nut_property *p)
{
  bool holds = p->verdict == NUT_HOLDS;
  return strcmp(p->kind, "end-states") ? holds : !holds;
}

static void add_formula(const options *o, const nut_result *r,
                        const nut_property *p, text *out)
{
  bool deadlock = !strcmp(p->kind, "end-states");
  text_printf(out, "FORMULA %s ",
              deadlock && o->check.examination ? o->check.examination
                                               : p->name);
  if (p->verdict == NUT_UNKNOWN) {
    text_add(out, "CANNOT_COMPUTE\n");
    return;
  }
  if (p->has_value)
    text_printf(out, "%" PRIu64, p->value);
  else
    text_add(out, is_true(p) ? "TRUE" : "FALSE");
  text_add(out, techniques(r));
}

static void add_state_space(const nut_result *r, text *out)
{
  nut_figures f = nut_result_figures(r);
  const struct {
    const char *name;
    uint64_t value;
    const char *exact;
    bool sure; /* whatever was explored */
  } figures[] = {
      {"STATES", f.states, f.exact_states, false},
      {"TRANSITIONS", f.transitions, f.exact_transitions, false},
      {"MAX_TOKEN_IN_PLACE", f.max_token_in_place, NULL, f.sure_token_in_place},
      {"MAX_TOKEN_PER_MARKING", f.max_token_per_marking, NULL,
       f.sure_token_per_marking}};
  bool all = f.unbounded || (nut_result_complete(r) && f.exact);
  if (!all && !f.sure_token_in_place && !f.sure_token_per_marking) {
    text_add(out, "CANNOT_COMPUTE\n");
    return;
  }
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
    if (!all && !figures[i].sure)
      continue;
    text_printf(out, "STATE_SPACE %s ", figures[i].name);
    if (f.unbounded)
      text_add(out, "+inf");
    else if (figures[i].exact)
      text_add(out, figures[i].exact);
    else
      text_printf(out, "%" PRIu64, figures[i].value);
    text_add(out, techniques(r));
  }
}

void mcc_answer(const options *o, const nut_result *r)
{
  text out = {0};
  if (o->check.examination && !strcmp(o->check.examination, "StateSpace"))
    add_state_space(r, &out);
  for (size_t i = 0; i < nut_result_property_count(r); i++) {
    nut_property p = nut_result_property(r, i);
    add_formula(o, r, &p, &out);
  }
  say_text(&out);
  text_free(&out);
}
