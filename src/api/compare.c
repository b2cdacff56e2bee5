/* Two models compared: 'nut_diff' of the public header. */

#include "api/workspace.h"
#include "base/alloc.h"
#include "report/why/differing.h"
#include <string.h>

struct nut_diff {
  nut_workspace *workspaces[2];
  const nut_diff_options *options;
  diff diff;
  told_diff told;
  nut_trace trace;
  text problem;
  arena *arena;
  text out; /* of a report that is made */
  nut_format format;
  nut_style style;
  bool good;
};

/* ---- what is observed --------------------------------------------------- */

static const seen_item *find_item(const seen_list *list, const char *name)
{
  for (size_t i = 0; i < list->len; i++)
    if (!strcmp(list->data[i].name, name))
      return &list->data[i];
  return NULL;
}

static bool has_messages(const seen_item *s)
{
  const channel_type *c = s->var->init_channel;
  return !s->is_channel || (c && c->capacity);
}

/* Whether an item is what the user calls 'name', or a part of it. */
static bool belongs(const char *whole, const char *name)
{
  size_t n = strlen(name);
  return !strncmp(whole, name, n) &&
         (!whole[n] || whole[n] == '[' || whole[n] == '.');
}

/* Messages of a rendezvous channel are seen in steps, not in states. */
static void observe(nut_diff *d, const seen_item *old, const seen_item *new)
{
  const seen_item *both[] = {old, new};
  for (int i = 0; i < 2; i++) {
    seen_item it = *both[i];
    it.is_meeting = !has_messages(&it);
    if (it.is_meeting)
      d->diff.sides[i].message = differing_message;
    arena_push(d->arena, &d->diff.sides[i].seen, it);
  }
}

static bool refuse(nut_diff *d, const char *format, const char *name, int which)
{
  text_printf(&d->problem, format, name, which < 0 ? "" : d->told.files[which]);
  return false;
}

/* One name of the user's. */
static bool observe_named(nut_diff *d, const seen_list all[2], const char *name)
{
  bool found = false;
  for (size_t i = 0; i < all[0].len; i++) {
    const seen_item *old = &all[0].data[i];
    if (!belongs(old->name, name))
      continue;
    const seen_item *new = find_item(&all[1], old->name);
    if (!new)
      return refuse(d, "'%s' cannot be observed: %s does not have it",
                    old->name, 1);
    if (!seen_same_type(old, new))
      return refuse(d, "'%s' has another type in %s", old->name, 1);
    if (old->is_channel && !(old->var->init_channel && new->var->init_channel))
      return refuse(d, "'%s' begins without a channel in %s", old->name, 0);
    observe(d, old, new);
    found = true;
  }
  return found ||
         refuse(d,
                "'%s' cannot be observed: %s has no such global variable or "
                "channel",
                name, 0);
}

static bool observe_all(nut_diff *d, const seen_list all[2])
{
  const nut_diff_options *o = d->options;
  if (o && o->observe_count) {
    for (size_t i = 0; i < o->observe_count; i++)
      if (!observe_named(d, all, o->observe[i]))
        return false;
    return true;
  }
  for (size_t i = 0; i < all[0].len; i++) {
    const seen_item *old = &all[0].data[i];
    const seen_item *new = find_item(&all[1], old->name);
    if (new &&has_messages(old) && has_messages(new) &&
        seen_same_type(old, new))
      observe(d, old, new);
  }
  return d->diff.sides[0].seen.len ||
         refuse(d,
                "the models have no global variable or channel of the same "
                "name and type%s%s",
                "", -1);
}

/* ---- comparing ---------------------------------------------------------- */

static void do_compare(void *what)
{
  nut_diff *d = what;
  seen_list all[2] = {{0}};
  d->arena = arena_create();
  d->diff.arena = d->arena;
  for (int i = 0; i < 2; i++) {
    nut_workspace *w = d->workspaces[i];
    if (!workspace_program(w)) {
      refuse(d, "%s%s cannot be used", "", i);
      return;
    }
    d->diff.sides[i].program = w->program;
    seen_all(w->program, d->arena, &all[i]);
  }
  if (!observe_all(d, all))
    return;
  d->diff.limits = &d->workspaces[0]->model->limits;
  d->diff.one_way = d->options && d->options->spec;
  diff_run(&d->diff);
}

static void tell_run(void *what)
{
  nut_diff *d = what;
  if (!d->diff.run)
    return;
  d->told.run = story_create(d->diff.sides[d->diff.only].program);
  story_tell(d->told.run, d->diff.run);
}

nut_diff *nut_compare(nut_workspace *old, nut_workspace *newer,
                      const nut_diff_options *o)
{
  nut_diff *d = mem_try_alloc(sizeof *d);
  if (!d)
    return NULL;
  d->workspaces[0] = old;
  d->workspaces[1] = newer;
  d->options = o;
  d->told.diff = &d->diff;
  for (int i = 0; i < 2; i++)
    d->told.files[i] = nut_model_file(nut_workspace_model(d->workspaces[i]));
  limits *l = &old->model->limits;
  limits_open(l);
  mem_budget *outer = limits_enter(l);
  bool polled = limits_set_polled(l, true);
  if (!mem_protect(do_compare, d))
    d->diff.reason = limits_why(l);
  limits_set_polled(l, polled);
  limits_close(l);
  if (!d->problem.len)
    mem_protect(tell_run, d);
  limits_leave(outer);
  d->told.problem = d->problem.len ? text_string(&d->problem) : NULL;
  d->trace = (nut_trace){.story = d->told.run};
  return d;
}

void nut_diff_free(nut_diff *d)
{
  if (!d)
    return;
  mem_budget *outer = limits_enter(&d->workspaces[0]->model->limits);
  story_destroy(d->told.run);
  diff_free(&d->diff);
  text_free(&d->problem);
  text_free(&d->out);
  arena_destroy(d->arena);
  limits_leave(outer);
  mem_free(d, sizeof *d);
}

/* ---- what came of it ---------------------------------------------------- */

nut_verdict nut_diff_verdict(const nut_diff *d)
{
  if (!d)
    return NUT_UNKNOWN;
  if (d->told.problem)
    return NUT_ERROR;
  if (d->diff.kind != DIFFERENCE_NONE)
    return NUT_VIOLATED;
  return d->diff.reason == REASON_NONE ? NUT_HOLDS : NUT_UNKNOWN;
}

const char *nut_diff_reason(const nut_diff *d)
{
  if (d->told.problem || d->diff.problem)
    return d->told.problem ? d->told.problem : d->diff.problem;
  return d->diff.reason == REASON_NONE ? NULL : reason_text(d->diff.reason);
}

const char *nut_diff_observed(const nut_diff *d, size_t index)
{
  const seen_list *seen = &d->diff.sides[0].seen;
  return index < seen->len ? seen->data[index].name : NULL;
}

const nut_trace *nut_diff_trace(const nut_diff *d, int *only, const char **kind,
                                size_t *changes)
{
  *only = d->diff.only;
  *kind = difference_word(d->diff.kind);
  *changes = d->diff.sequence.len ? d->diff.sequence.len - 1 : 0;
  return d->trace.story ? &d->trace : NULL;
}

static void do_write(void *what)
{
  nut_diff *d = what;
  text_clear(&d->out);
  d->good = true;
  if (d->format == NUT_JSON)
    d->good = differing_json(&d->told, &d->out);
  else if (d->format == NUT_TEXT)
    differing_print(&d->told, d->style, &d->out);
  else
    d->good = false;
}

bool nut_diff_text(const nut_diff *of, nut_format format, nut_style style,
                   nut_sink *sink, void *context)
{
  nut_diff *d = (nut_diff *)(uintptr_t)of;
  d->format = format;
  d->style = style;
  if (!mem_protect(do_write, d) || !d->good)
    return false;
  sink(context, text_string(&d->out), d->out.len);
  return true;
}
