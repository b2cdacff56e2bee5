/* Makes the questions of a check: those of the model, of the options, of a file
** of properties and of the contest; and a program to answer them with. */

#include "verify/ask.h"

#include "base/text/nearest.h"
#include "verify/ctl_check.h"
#include "verify/formula.h"
#include "verify/nets/examination.h"
#include "verify/property_file.h"
#include <string.h>

static bool wrong(verification *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool wrong(verification *v, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  text_vprintf(&v->messages, format, args);
  text_add_char(&v->messages, '\n');
  va_end(args);
  return false;
}

/* What somebody may have meant, or all there is. */
static void suggest(verification *v, const char *name)
{
  nearest n = {.name = name, .more = 1};
  for (size_t i = 0; i < v->questions.list.len; i++)
    nearest_try(&n, v->questions.list.data[i]->name);
  if (n.best) {
    wrong(v, "did you mean '%s'?", n.best);
    return;
  }
  text_add(&v->messages, "there are:");
  for (size_t i = 0; i < v->questions.list.len; i++)
    text_printf(&v->messages, " %s", v->questions.list.data[i]->name);
  text_add_char(&v->messages, '\n');
}

static bool names_exist(verification *v, const nut_options *o)
{
  for (size_t i = 0; i < o->property_count; i++) {
    if (questions_find(&v->questions, o->properties[i]))
      continue;
    wrong(v, "there is no property '%s'", o->properties[i]);
    suggest(v, o->properties[i]);
    return false;
  }
  return true;
}

/* Adds the expressions of one option as questions. */
static bool add_expressions(verification *v, property_kind kind,
                            const char *const *list, size_t count)
{
  loaded *m = v->model;
  for (size_t i = 0; i < count; i++) {
    const char *name = property_kind_name(kind);
    if (i > 0)
      name = arena_printf(m->arena, "%s-%zu", name, i + 1);
    uint32_t file = source_add(m->sources, name, list[i], strlen(list[i]));
    expr *e = verification_condition(v, file);
    if (!e)
      return verification_complain(v);
    const char *formula = arena_copy(m->arena, list[i], strlen(list[i]));
    property p = {.kind = kind,
                  .name = name,
                  .formula = formula,
                  .expr = e,
                  .where = e->where};
    questions_add(&v->questions, &p);
  }
  return true;
}

/* A name for one more formula: ltl, ltl-2, ... */
static const char *next_ltl_name(verification *v)
{
  const char *name = "ltl";
  for (unsigned n = 2; questions_has(&v->questions, name); n++)
    name = arena_printf(v->model->arena, "ltl-%u", n);
  return name;
}

/* Adds the formulas of --ltl. */
static bool add_ltl(verification *v, const nut_options *o)
{
  loaded *m = v->model;
  for (size_t i = 0; i < o->ltl_count; i++) {
    const char *name = next_ltl_name(v), *string = o->ltl[i];
    uint32_t file = source_add(m->sources, name, string, strlen(string));
    const ltl *t = formula_read(v, file);
    if (!t)
      return verification_complain(v);
    property p = {.kind = PROPERTY_LTL,
                  .name = name,
                  .formula = arena_copy(m->arena, string, strlen(string)),
                  .ltl = t,
                  .where = NO_SPAN};
    questions_add(&v->questions, &p);
  }
  return true;
}

/* Those named, and what an option asks for, unless one of that is named. */
static void select_questions(verification *v, const nut_options *o)
{
  bool foreign = false;
  for (size_t i = 0; i < o->property_count; i++)
    foreign |= questions_find(&v->questions, o->properties[i])->foreign;
  if (foreign)
    questions_select_none(&v->questions);
  else if (o->property_count)
    questions_select_foreign(&v->questions);
  for (size_t i = 0; i < o->property_count; i++)
    questions_find(&v->questions, o->properties[i])->selected = true;
  if (!o->deadlocks)
    questions_find(&v->questions, property_kind_name(PROPERTY_END_STATES))
        ->selected = false;
}

bool ask_questions(verification *v, const nut_options *o, bool count)
{
  loaded *m = v->model;
  if (!loaded_good(m)) {
    text_add(&v->messages, m ? text_string(&m->messages) : "out of memory\n");
    if (!m || m->unread) {
      v->outcome.verdict = VERDICT_UNKNOWN;
      v->outcome.reason = reason_text(limits_why(v->limits));
    }
    return false;
  }
  if (o->store && !store_find(o->store)) {
    const char *why = store_refusal(o->store);
    return wrong(v, "there is no store '%s'%s%s", o->store, why ? ": " : "",
                 why ? why : "");
  }
  if (o->symbolic && o->order > NUT_ORDER_DEPENDENCY &&
      o->order != NUT_ORDER_BANDWIDTH)
    return wrong(v, "symbolic sets have the orders 'force', 'declared' and "
                    "'bandwidth'");
  v->annex = model_annex(m->model);
  questions_start(&v->questions, v->outcome.arena, m->model);
  if (!add_expressions(v, PROPERTY_INVARIANT, o->invariants,
                       o->invariant_count) ||
      !add_expressions(v, PROPERTY_REACH, o->reach, o->reach_count) ||
      !add_ltl(v, o) || !ctl_prepare(v, o) ||
      (o->property_file && !properties_read(v, o->property_file)) ||
      !names_exist(v, o))
    return false;
  select_questions(v, o);
  if (!examination_prepare(v, o, count))
    return false;
  program_options options = {.check_overflow = o->check_overflow ||
                                               m->model->language->is_net};
  v->program = program_create(v->annex, &options, m->diags);
  return v->program || verification_complain(v);
}
