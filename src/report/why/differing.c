/* Two versions: in words, and as JSON. */

#include "report/why/differing.h"
#include "base/source/shown.h"
#include "nutshell-config.h"
#include "report/evaluate.h"
#include "report/json.h"
#include "report/story.h"
#include <inttypes.h>
#include <string.h>

static const channel_type *channel_in(const view *v, int32_t number)
{
  for (size_t i = 0; i < v->items.len; i++)
    if (v->items.data[i].kind == ITEM_CHANNEL &&
        v->items.data[i].channel == number)
      return v->items.data[i].channel_type;
  return NULL;
}

bool differing_message(const program *p, const view *v, const edge *e,
                       uint32_t process, int32_t *channel, text *out)
{
  const comm *c = e->comm;
  VEC(int32_t) fields = {0};
  bool told = evaluate(v, process, c->channel, channel);
  const channel_type *of = told ? channel_in(v, *channel) : NULL;
  for (size_t i = 0; told && i < c->args.len; i++) {
    int32_t value;
    told = c->args.data[i].value &&
           evaluate(v, process, c->args.data[i].value, &value);
    if (told)
      vec_push(&fields, value);
  }
  told = told && of && fields.len == of->fields.len;
  if (told)
    story_add_message(program_model(p), of, fields.data, out);
  vec_free(&fields);
  return told;
}

const char *difference_word(difference_kind kind)
{
  static const char *const words[] = {NULL, "start", "change", "ends",
                                      "diverges"};
  return words[kind];
}

const char *differing_verdict(const told_diff *t)
{
  if (t->problem)
    return "error";
  if (t->diff->kind != DIFFERENCE_NONE)
    return "different";
  return t->diff->reason == REASON_NONE ? "same" : "unknown";
}

static const char *reason_of(const told_diff *t)
{
  const diff *d = t->diff;
  return t->problem                 ? t->problem
         : d->problem               ? d->problem
         : d->reason != REASON_NONE ? reason_text(d->reason)
                                    : NULL;
}

/* The name of a file is not ours: it is made harmless. */
static void add_file(const told_diff *t, int which, const char *behind,
                     text *out)
{
  text_add_shown(out, t->files[which], strlen(t->files[which]));
  text_add(out, behind);
}

static size_t changes_of(const diff *d)
{
  return d->sequence.len ? d->sequence.len - 1 : 0;
}

static void add_start(const told_diff *t, text *out)
{
  const diff *d = t->diff;
  text_add(out, "  they begin differently:\n");
  for (int i = 0; i < 2; i++) {
    const side *s = &d->sides[i];
    uint32_t length;
    const uint8_t *state = side_state(s, 1, &length);
    text_add(out, "    ");
    add_file(t, i, ": ", out);
    seen_tell(s->program, &s->seen, state, NULL, length, length, out);
    text_add_char(out, '\n');
  }
}

static void add_run(const told_diff *t, plain_style style, text *out)
{
  const diff *d = t->diff;
  size_t changes = changes_of(d);
  text_add(out, "  only ");
  add_file(t, d->only, " has this run, with ", out);
  plain_counted(changes, "change", "changes", out);
  text_add(out, " of what is observed");
  if (d->kind == DIFFERENCE_ENDS)
    text_add(out, ", and ends there");
  if (d->kind == DIFFERENCE_DIVERGES)
    text_add(out, ", and can go on for ever without another");
  text_add(out, ":\n");
  if (t->run)
    plain_story(t->run, style, out);
  size_t before = changes - (d->kind == DIFFERENCE_CHANGE);
  text_add(out, "  ");
  add_file(t, 1 - d->only, " refuses it: ", out);
  if (before)
    text_printf(out, "after %zu change%s ", before, before == 1 ? "" : "s");
  text_printf(out, "it can only do this: %s\n",
              d->instead.len ? text_string(&d->instead) : "nothing");
}

void differing_print(const told_diff *t, plain_style style, text *out)
{
  const diff *d = t->diff;
  add_file(t, 0, ", ", out);
  add_file(t, 1, ": ", out);
  if (d->one_way && d->kind == DIFFERENCE_NONE && !reason_of(t)) {
    add_file(t, 1, " does nothing that ", out);
    add_file(t, 0, " does not\n", out);
  } else {
    text_printf(out, "%s\n", differing_verdict(t));
  }
  if (style.quiet)
    return;
  if (reason_of(t))
    text_printf(out, "  %s\n", reason_of(t));
  if (t->problem)
    return;
  text_add(out, "  observed: ");
  for (size_t i = 0; i < d->sides[0].seen.len; i++)
    text_printf(out, "%s%s", i ? ", " : "", d->sides[0].seen.data[i].name);
  text_add_char(out, '\n');
  if (d->kind == DIFFERENCE_START)
    add_start(t, out);
  else if (d->kind != DIFFERENCE_NONE)
    add_run(t, style, out);
  text_add(out, "\n  ");
  plain_counted(d->sides[0].nodes.len, "state", "states", out);
  text_add(out, " and ");
  plain_counted(d->sides[1].nodes.len, "state", "states", out);
  text_add(out, " looked at, in ");
  plain_counted(d->pairs, "pair of sets", "pairs of sets", out);
  text_add_char(out, '\n');
}

static void put(json_t *j, const char *key, json_t *value)
{
  json_object_set_new(j, key, value);
}

static json_t *observed_array(const diff *d)
{
  json_t *list = json_array();
  for (size_t i = 0; i < d->sides[0].seen.len; i++)
    json_array_append_new(list, json_text(d->sides[0].seen.data[i].name));
  return list;
}

static json_t *steps_array(story *s)
{
  json_t *list = json_array();
  story_complete(s);
  for (size_t i = 0; i < s->steps.len; i++)
    json_array_append_new(list, json_step(s, i));
  return list;
}

bool differing_json(const told_diff *t, text *out)
{
  const diff *d = t->diff;
  bool differs = !t->problem && d->kind != DIFFERENCE_NONE;
  json_t *j = json_object();
  put(j, "nutshell", json_text(NUT_VERSION));
  put(j, "format", json_text("diff"));
  put(j, "old", json_text(t->files[0]));
  put(j, "new", json_text(t->files[1]));
  put(j, "verdict", json_text(differing_verdict(t)));
  put(j, "reason", json_text(reason_of(t)));
  put(j, "spec", json_boolean(d->one_way));
  put(j, "observed", observed_array(d));
  put(j, "kind", json_text(differs ? difference_word(d->kind) : NULL));
  bool has_run = differs && d->kind != DIFFERENCE_START;
  put(j, "only", json_text(has_run ? d->only ? "new" : "old" : NULL));
  put(j, "changes",
      has_run ? json_integer((json_int_t)changes_of(d)) : json_null());
  put(j, "instead", json_text(has_run ? text_string(&d->instead) : NULL));
  put(j, "steps", t->run ? steps_array(t->run) : json_null());
  put(j, "states_old", json_integer((json_int_t)d->sides[0].nodes.len));
  put(j, "states_new", json_integer((json_int_t)d->sides[1].nodes.len));
  put(j, "pairs", json_integer((json_int_t)d->pairs));
  return json_finish(j, out);
}
