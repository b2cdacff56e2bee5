/* Numbers of steps are those of reports; those of traces count all. */

#include "report/why/explained.h"
#include "report/json.h"
#include "report/plain.h"
#include "verify/explain/explain.h"

/* The number of the last step of a story among the first 'steps' of its trace. */
static long number_after(const story *s, size_t steps)
{
  return steps && s->steps.len
             ? (long)s->steps
                   .data[steps <= s->steps.len ? steps - 1 : s->steps.len - 1]
                   .number
             : 0;
}

told_explanation explanation_tell(const told_answer *a)
{
  const explanation *e = a->answer->explanation;
  const story *s = a->story;
  told_explanation t = {.until = -1};
  if (!e || !s)
    return t;
  t.explained = true;
  t.not_folded = e->not_folded;
  t.not_known = e->avoidable == AVOIDABLE_UNKNOWN ? e->not_known : NULL;
  for (size_t i = 0; i < s->steps.len; i++)
    t.folded += s->steps.data[i].seen && story_is_folded(s, i);
  t.after = number_after(s, e->after);
  if (e->avoidable == AVOIDABLE_UNTIL)
    t.until = number_after(s, e->until);
  return t;
}

static void add_avoidance(const told_answer *a, const told_explanation *t,
                          text *out)
{
  long last = a->story->shown;
  if (t->not_known) {
    text_printf(out,
                "  until when the error could be avoided is not known: %s\n",
                t->not_known);
    return;
  }
  if (t->until < 0) {
    text_add(out, "  no complete run avoids this error\n");
    return;
  }
  if (t->until == 0)
    text_add(out, "  in the initial state");
  else
    text_printf(out, "  after step %ld", t->until);
  text_printf(out, " some complete run still avoids this error; ");
  if (t->after >= last)
    text_add(out, "then it happens\n");
  else
    text_printf(out, "after step %ld none does\n", t->after);
}

void explanation_print(const told_answer *a, text *out)
{
  told_explanation t = explanation_tell(a);
  if (!t.explained)
    return;
  if (t.not_folded)
    text_printf(out, "  no steps are folded: %s\n", t.not_folded);
  else if (t.folded == 0)
    text_add(out, "  all of these steps matter\n");
  else
    text_printf(out, "  %zu of %u steps do not matter: %s\n", t.folded,
                a->story->shown,
                a->answer->trace->end >= TRACE_LOOP
                    ? "the run without them violates the property as well"
                    : "the error happens without them, and they can come "
                      "after it");
  if (a->answer->verdict == VERDICT_VIOLATED)
    add_avoidance(a, &t, out);
}

static void put(json_t *j, const char *key, json_t *value)
{
  json_object_set_new(j, key, value);
}

json_t *explanation_object(const told_answer *a)
{
  told_explanation t = explanation_tell(a);
  if (!t.explained)
    return NULL;
  json_t *j = json_object(), *folded = json_array();
  const story *s = a->story;
  for (size_t i = 0; i < s->steps.len; i++)
    if (s->steps.data[i].seen && story_is_folded(s, i))
      json_array_append_new(folded, json_integer(s->steps.data[i].number));
  put(j, "folded", t.not_folded ? json_null() : json_incref(folded));
  json_decref(folded);
  put(j, "not_folded", json_text(t.not_folded));
  put(j, "avoidable", t.not_known ? json_null() : json_boolean(t.until >= 0));
  put(j, "avoidable_until_step",
      t.until >= 0 && !t.not_known ? json_integer(t.until) : json_null());
  put(j, "unavoidable_after_step",
      t.not_known ? json_null() : json_integer(t.until >= 0 ? t.after : 0));
  put(j, "not_known", json_text(t.not_known));
  return j;
}
