/* Objects by Jansson, in the order in which the manual describes them. */

#include "report/json.h"
#include "nutshell-config.h"
#include "report/cover/coverage.h"
#include "report/unreached.h"
#include "report/why/explained.h"
#include "report/why/note.h"
#include "report/why/unfair.h"
#include "report/why/vacuous.h"
#include "report/why/waiting.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *string)
{
  if (!string)
    return json_null();
  json_t *j = json_string(string);
  if (j)
    return j;
  text safe = {0};
  for (; *string; string++)
    text_add_char(&safe, (unsigned char)*string < 128 ? *string : '?');
  j = json_string(text_string(&safe));
  text_free(&safe);
  return j;
}

/* Puts a value into an object, which takes it over. */
static void put(json_t *object, const char *key, json_t *value)
{
  json_object_set_new(object, key, value);
}

static json_t *rounded(double value, double parts)
{
  return json_real(round(value * parts) / parts);
}

typedef struct json_writing {
  char *dump; /* of the library */
  text *out;
} json_writing;

static void do_write(void *writing)
{
  json_writing *w = writing;
  /* The library writes all but this one as ASCII that can be printed. */
  for (const char *p = w->dump; *p; p++)
    if (*p == '\177')
      text_add(w->out, "\\u007f");
    else
      text_add_char(w->out, *p);
  text_add_char(w->out, '\n');
}

static void tidy_up(void *writing)
{
  free(((json_writing *)writing)->dump);
}

bool json_finish(json_t *j, text *out)
{
  char *dump = j ? json_dumps(j, JSON_INDENT(2) | JSON_ENSURE_ASCII |
                                     JSON_REAL_PRECISION(15))
                 : NULL;
  json_decref(j);
  if (!dump)
    return false;
  json_writing w = {dump, out};
  mem_protect_tidy(do_write, tidy_up, &w);
  return true;
}

/* ---- results ------------------------------------------------------------ */

/* The whole number, where a symbolic run has one; or NULL. */
static const bignum *whole_of(const outcome *o, size_t offset)
{
  const symbolic_figures *f = o->symbolic ? &o->symbolic->figures : NULL;
  return !f                                            ? NULL
         : offset == offsetof(statistics, states)      ? &f->states
         : offset == offsetof(statistics, transitions) ? &f->transitions
         : offset == offsetof(statistics, deadlocks)   ? &f->deadlocks
                                                       : NULL;
}

/* A number that JSON has as an integer, or about as large. */
static json_t *number(uint64_t n, const bignum *whole)
{
  if (n > INT64_MAX && whole)
    return json_real(bignum_to_double(whole));
  return json_integer((json_int_t)n);
}

static void put_statistics(const outcome *o, figure_object where, json_t *j)
{
  for (size_t i = 0; i < statistic_count; i++) {
    const statistic *s = &statistic_table[i];
    if (s->object == where)
      put(j, s->key,
          number(statistic_value(&o->result.stats, s), whole_of(o, s->offset)));
  }
}

static json_t *store_object(const outcome *o)
{
  const statistics *s = &o->result.stats;
  if (!o->result.store)
    return json_null();
  json_t *j = json_object();
  put(j, "name", json_text(outcome_store(o)));
  put(j, "exact", json_boolean(o->result.store->exact));
  put_statistics(o, OBJECT_STORE, j);
  put(j, "bytes_per_state",
      s->states ? rounded((double)s->store_bytes / (double)s->states, 100)
                : json_null());
  uint64_t nodes = o->result.store_figures.nodes;
  put(j, "nodes", nodes ? json_integer((json_int_t)nodes) : json_null());
  if (!o->result.store->exact) {
    put(j, "expected_coverage", json_real(outcome_coverage(o)));
    put(j, "expected_lost", json_real(o->result.store_figures.lost));
  }
  return j;
}

static json_t *branch_object(const answer_branch *of, const told_branch *b)
{
  json_t *j = json_object();
  put(j, "formula", json_text(of->formula));
  put(j, "parent", json_integer((json_int_t)of->parent));
  put(j, "from_step", json_integer(b->step));
  put(j, "message", json_text(b->story->ending));
  put(j, "steps", json_integer(b->story->shown - b->step));
  put(j, "trace", json_text(b->trace_file));
  return j;
}

/* Branches count from 1; 0 is the run of the answer itself. */
static void put_tree(json_t *j, const told_answer *a)
{
  const answer_tree *t = a->answer->tree;
  json_t *branches = json_array(), *notes = json_array();
  for (size_t i = 1; i < t->branches.len; i++)
    json_array_append_new(branches,
                          branch_object(&t->branches.data[i], &a->branches[i]));
  for (size_t i = 0; i < t->notes.len; i++) {
    const answer_note *n = &t->notes.data[i];
    json_t *one = json_object();
    put(one, "formula", json_text(n->formula));
    put(one, "branch", json_integer((json_int_t)n->branch));
    put(one, "from_step", json_integer(a->notes[i].first));
    put(one, "to_step", json_integer(a->notes[i].last));
    json_array_append_new(notes, one);
  }
  put(j, "shows", json_text(t->branches.data[0].formula));
  put(j, "branches", branches);
  put(j, "holds_on_all_runs", notes);
  put(j, "branches_left_out", json_boolean(t->cut));
}

/* A statement as SPIN has it, and as the user wrote it where that differs. */
static void put_statement(json_t *j, const char *spin, const char *words)
{
  put(j, "text", json_text(spin));
  if (spin && words && strcmp(words, spin) != 0)
    put(j, "written", json_text(words));
}

static json_t *waiting_object(const waiting *w)
{
  json_t *j = json_object();
  put(j, "process", json_integer(w->process));
  put(j, "process_type", json_text(w->type->name));
  put(j, "file", json_text(w->at.name));
  put(j, "line", json_integer(w->at.line));
  put(j, "column", json_integer(w->at.column));
  put_statement(j, w->text, w->words);
  put(j, "why", json_text(w->text ? blocked_kind_name(w->kind) : NULL));
  put(j, "cause", json_text(w->cause));
  put(j, "values", json_text(w->values));
  put(j, "because", json_text(w->because));
  return j;
}

/* Who waits for what at the end of a story, if that is stuck. */
static void put_blocked(json_t *j, story *s)
{
  if (s->end != TRACE_INVALID_END)
    return;
  stuck_processes found = waiting_find(s, WAITING_MOST);
  json_t *list = json_array();
  for (size_t i = 0; i < found.count; i++)
    json_array_append_new(list, waiting_object(&found.list[i]));
  put(j, "blocked", list);
  if (found.servers)
    put(j, "hint", json_text(waiting_hint));
}

static json_t *location_object(position at)
{
  json_t *j = json_object();
  put(j, "file", json_text(at.name));
  put(j, "line", json_integer(at.line));
  put(j, "column", json_integer(at.column));
  return j;
}

/* The statement at which a run goes wrong, and its text: the step that failed;
** where nothing can happen, the first statement that somebody waits at; of a
** loop its first step, otherwise the last one.  Nothing: there is none. */
static void put_place(json_t *j, story *s)
{
  const telling *last = s->steps.len ? &vec_last(&s->steps) : NULL;
  if (s->loop >= 0 && (size_t)s->loop < s->steps.len)
    last = &s->steps.data[s->loop];
  position at = s->end == TRACE_FAULT && s->where.name ? s->where
                : last                                 ? last->at
                                                       : (position){0};
  const char *statement = last ? last->text : NULL;
  stuck_processes found = {0};
  if (s->end == TRACE_INVALID_END)
    found = waiting_find(s, WAITING_MOST);
  if (found.count) {
    at = found.list[0].at;
    statement = found.list[0].text;
  }
  put(j, "location", at.name ? location_object(at) : json_null());
  put(j, "text", json_text(statement));
}

/* One place where steps fail. */
static json_t *violation_object(const outcome *o, const violation *v,
                                story *told, const char *trace_file)
{
  json_t *j = json_object();
  position at = source_position(o->model->sources, v->where);
  const edge *e =
      v->edge < o->model->edges.len ? o->model->edges.data[v->edge] : NULL;
  put(j, "file", json_text(at.name));
  put(j, "line", json_integer(at.line));
  put(j, "column", json_integer(at.column));
  put(j, "text", json_text(e ? e->text : NULL));
  put(j, "message", json_text(fault_text(v->kind)));
  put(j, "errors", json_integer((json_int_t)v->errors));
  put(j, "steps", told ? json_integer(told->shown) : json_null());
  put(j, "trace", json_text(trace_file));
  if (told && note_ending(told))
    put(j, "note", json_text(note_ending(told)));
  return j;
}

static void put_violations(json_t *j, const outcome *o, const told_answer *r)
{
  const answer *a = r->answer;
  if (!a->violations.len || !o->model)
    return;
  json_t *list = json_array();
  for (size_t i = 0; i < a->violations.len; i++) {
    story *told = i ? r->violations ? r->violations[i].story : NULL : r->story;
    const char *file =
        i ? r->violations ? r->violations[i].trace_file : NULL : r->trace_file;
    json_array_append_new(
        list, violation_object(o, &a->violations.data[i], told, file));
  }
  put(j, "violations", list);
}

/* Whom the loop of a run forgets, if it does. */
static void put_unfair(json_t *j, story *s)
{
  unfair_loop u = unfair_find(s);
  if (!u.kind)
    return;
  json_t *one = json_object(), *list = json_array();
  put(one, "fair", json_text(unfair_word(u.kind)));
  for (size_t i = 0; i < u.count; i++) {
    json_t *p = json_object();
    put(p, "process", json_integer(u.list[i].process));
    put(p, "process_type", json_text(u.list[i].type->name));
    json_array_append_new(list, p);
  }
  put(one, "processes", list);
  put(j, "unfair", one);
}

static json_t *answer_object(const outcome *o, const told_answer *r)
{
  const answer *a = r->answer;
  json_t *j = json_object();
  put(j, "name", json_text(a->question->name));
  put(j, "kind", json_text(property_kind_name(a->question->kind)));
  put(j, "formula", json_text(a->question->formula));
  put(j, "verdict", json_text(verdict_text(a->verdict)));
  put(j, "reason", json_text(answer_reason(a)));
  if (a->by_definition)
    put(j, "by_definition", json_true());
  if (a->method)
    put(j, "method", json_text(answer_method_name(a->method)));
  if (a->por)
    put(j, "reduction", json_text(reduce_kind_name(a->por)));
  if (a->por_off)
    put(j, "reduction_off", json_text(a->por_off));
  if (a->trivial)
    put(j, "trivial", json_text(a->trivial));
  if (vacuous_count(a))
    put(j, "vacuous", vacuous_array(a));
  put(j, "errors", json_integer((json_int_t)a->errors));
  if (a->has_value)
    put(j, "value", json_integer((json_int_t)a->value));
  if (account_untold(r))
    put(j, "not_shown", json_text(account_untold(r)));
  put(j, "message", json_text(r->story ? r->story->ending : NULL));
  put(j, "steps", r->story ? json_integer(r->story->shown) : json_null());
  put(j, "trace", json_text(r->trace_file));
  if (r->story) {
    put_place(j, r->story);
    put_blocked(j, r->story);
    put_unfair(j, r->story);
  }
  json_t *explained = explanation_object(r);
  if (explained)
    put(j, "explanation", explained);
  if (r->story && note_ending(r->story))
    put(j, "note", json_text(note_ending(r->story)));
  put_violations(j, o, r);
  if (r->other) {
    put(j, "other_steps", json_integer(r->other->shown));
    put(j, "other_trace", json_text(r->other_file));
  }
  if (r->branches)
    put_tree(j, r);
  return j;
}

static json_t *unreached_array(const outcome *o)
{
  if (!o->complete || !o->model || !o->result.walked)
    return json_null();
  json_t *list = json_array();
  edge_list unreached = {0};
  unreached_collect(o, &unreached);
  for (size_t i = 0; i < unreached.len; i++) {
    const edge *e = unreached.data[i];
    position at = source_position(o->model->sources, e->where);
    json_t *j = json_object();
    put(j, "process_type", json_text(e->process->name));
    put(j, "file", json_text(at.name));
    put(j, "line", json_integer(at.line));
    put(j, "text", json_text(e->text));
    json_array_append_new(list, j);
  }
  vec_free(&unreached);
  return list;
}

/* What is told instead of the store's figures. */
static json_t *symbolic_object(const symbolic_report *r)
{
  const symbolic_figures *f = &r->figures;
  json_t *j = json_object();
  put(j, "strategy", json_text(strategy_text(r->strategy)));
  put(j, "base", json_text(library_text(r->base)));
  put(j, "states", json_text(r->states));
  put(j, "transitions", json_text(r->transitions));
  put(j, "deadlocks", json_text(r->deadlocks));
#define SIZE(name, line, one, many, rare, meaning)                             \
  if (f->name || !rare)                                                        \
    put(j, #name, json_integer((json_int_t)f->name));
  SYMBOLIC_SIZES(SIZE)
#undef SIZE
  return j;
}

/* What was done when memory was used up. */
/* About so many states in all. */
static json_t *expected_object(const nut_expected *e)
{
  json_t *j = json_object();
  put(j, "low", json_integer((json_int_t)e->low));
  put(j, "likely", json_integer((json_int_t)e->likely));
  put(j, "high", json_integer((json_int_t)e->high));
  return j;
}

static json_t *disk_object(const disk_figures *d)
{
  json_t *j = json_object();
  put(j, "spilled_at", json_integer((json_int_t)d->spilled_at));
  put(j, "spills", json_integer((json_int_t)d->spills));
  if (d->ranks)
    put(j, "ranks", json_integer(d->ranks));
  if (!d->is_dense)
    put(j, "renewals", json_integer((json_int_t)d->renewals));
  put(j, "passes", json_integer((json_int_t)d->passes));
  put(j, "merges", json_integer((json_int_t)d->merges));
  put(j, "bytes", json_integer((json_int_t)d->bytes));
  put(j, "read", json_integer((json_int_t)d->read));
  put(j, "written", json_integer((json_int_t)d->written));
  if (d->is_dense)
    return j;
  put(j, "in_memory", json_boolean(d->is_memory));
  put(j, "problem", json_text(d->error ? strerror(d->error) : NULL));
  return j;
}

static json_t *ranks_object(const rank_figures *r)
{
  json_t *j = json_object();
  put(j, "count", json_integer(r->count));
  put(j, "most_states", json_integer((json_int_t)r->most_states));
  put(j, "messages", json_integer((json_int_t)r->messages));
  put(j, "bytes", json_integer((json_int_t)r->bytes));
  put(j, "sent", json_integer((json_int_t)r->sent));
  put(j, "waited", rounded(r->rested, 1e6));
  return j;
}

static void put_figures(const outcome *o, json_t *j)
{
  put_statistics(o, OBJECT_RUN, j);
  if (o->symbolic)
    put(j, "symbolic", symbolic_object(o->symbolic));
  if (o->net) {
    put(j, "max_token_in_place", json_integer((json_int_t)o->net->in_place));
    put(j, "max_token_per_marking",
        json_integer((json_int_t)o->net->per_marking));
    if (o->net->has_place_bound)
      put(j, "token_bound_in_place",
          json_integer((json_int_t)o->net->place_bound));
    if (o->net->has_marking_bound)
      put(j, "token_bound_per_marking",
          json_integer((json_int_t)o->net->marking_bound));
    if (o->net->unbounded)
      put(j, "unbounded", json_true());
  }
  put(j, "store", store_object(o));
  put(j, "engine", json_text(o->engine));
  put(j, "search",
      json_text(o->symbolic                  ? "symbolic"
                : o->result.order == NUT_BFS ? "bfs"
                                             : "dfs"));
  put(j, "por", json_boolean(o->result.por != REDUCE_OFF));
  put(j, "reduction", json_text(reduce_kind_name(o->result.por)));
  if (o->result.por_off)
    put(j, "reduction_off", json_text(o->result.por_off));
  put(j, "threads",
      json_integer(o->result.threads > 1 ? o->result.threads : 1));
  if (o->result.threads_off)
    put(j, "threads_off", json_text(o->result.threads_off));
  if (o->result.expected.high > 0)
    put(j, "expected_states", expected_object(&o->result.expected));
  if (o->result.disk.is_used)
    put(j, "disk", disk_object(&o->result.disk));
  if (o->result.disk.is_dense && o->result.disk.spilled_at)
    put(j, "dense", disk_object(&o->result.disk));
  if (o->result.ranks.count)
    put(j, "ranks", ranks_object(&o->result.ranks));
  put(j, "seconds", rounded(o->result.seconds, 1e6));
}

static json_t *hint_text(const outcome *o)
{
  text hint = {0};
  account_add_hint(o, &hint);
  json_t *j = json_text(text_string(&hint));
  text_free(&hint);
  return j;
}

/* A run of its own makes it, whatever the check left out. */
static json_t *certificate_object(const certificate_report *c)
{
  json_t *j = json_object();
  put(j, "file", json_text(c->file));
  put(j, "states", json_integer((json_int_t)c->states));
  put(j, "bytes", json_integer((json_int_t)c->bytes));
  put(j, "product_states", json_integer((json_int_t)c->product_states));
  put(j, "rank_bytes", json_integer((json_int_t)c->rank_bytes));
  put(j, "left_out", json_integer((json_int_t)c->left_out));
  put(j, "second_run", json_true());
  return j;
}

/* What keeps the run, and the command that goes on with it. */
static json_t *checkpoint_object(const outcome *o)
{
  const outcome_checkpoint *c = o->checkpoint;
  json_t *j = json_object();
  text command = {0};
  account_add_resume(o, &command);
  put(j, "file", json_text(c->file));
  put(j, "written", json_integer((json_int_t)c->written));
  put(j, "states", json_integer((json_int_t)c->states));
  put(j, "bytes", json_integer((json_int_t)c->bytes));
  put(j, "seconds", rounded(c->seconds, 1e6));
  put(j, "problem", json_text(c->problem));
  put(j, "anew", json_text(c->anew));
  put(j, "resume", json_text(command.len ? text_string(&command) : NULL));
  text_free(&command);
  return j;
}

bool json_account(const account *a, text *out)
{
  const outcome *o = a->outcome;
  json_t *j = json_object();
  json_t *rows = json_array();
  put(j, "nutshell", json_text(o->version));
  put(j, "command", json_text(o->command));
  put(j, "file", json_text(o->file));
  put(j, "language", json_text(o->language));
  put(j, "verdict", json_text(verdict_text(o->verdict)));
  put(j, "complete", json_boolean(o->complete));
  put(j, "reason", json_text(o->reason));
  if (o->result.stuck)
    put(j, "hint", hint_text(o));
  if (o->checkpoint)
    put(j, "checkpoint", checkpoint_object(o));
  if (o->program)
    put_figures(o, j);
  for (size_t i = 0; i < a->answers.len; i++)
    json_array_append_new(rows, answer_object(o, &a->answers.data[i]));
  put(j, "properties", rows);
  put(j, "left_out", json_integer((json_int_t)o->left_out));
  if (strcmp(o->command, "check") == 0)
    put(j, "unreached", unreached_array(o));
  if (o->atomic_blocks)
    put(j, "atomic_blocks", atomic_blocks_array(o));
  if (coverage_is_known(o))
    put(j, "coverage", coverage_object(o));
  if (o->certificate)
    put(j, "certificate", certificate_object(o->certificate));
  return json_finish(j, out);
}

bool json_coverage(const outcome *o, text *out)
{
  json_t *j = json_object(), *found = coverage_object(o);
  put(j, "nutshell", json_text(NUT_VERSION));
  put(j, "format", json_text("coverage"));
  put(j, "file", json_text(o->file));
  json_object_update(j, found);
  json_decref(found);
  return json_finish(j, out);
}

/* ---- traces ------------------------------------------------------------- */

static json_t *value_of(const change *c, int32_t value, const char *shown)
{
  if (c->kind != CHANGE_VALUE)
    return json_text(shown);
  switch (c->var->type.kind) {
  case TYPE_BOOL:
    return json_boolean(value);
  case TYPE_MTYPE:
    return value ? json_text(shown) : json_integer(0);
  default:
    return json_integer(value);
  }
}

static json_t *change_object(const change *c)
{
  static const char *const kinds[] = {"variable", "channel", "start", "end"};
  json_t *j = json_object();
  put(j, "kind", json_text(kinds[c->kind]));
  put(j, "name", json_text(c->name));
  if (c->process >= 0) {
    put(j, "process", json_integer(c->process));
    put(j, "process_type", json_text(c->owner));
  }
  if (c->kind == CHANGE_VALUE || c->kind == CHANGE_CHANNEL)
    put(j, "before", value_of(c, c->old_value, c->before));
  if (c->kind != CHANGE_END)
    put(j, "after", value_of(c, c->new_value, c->after));
  return j;
}

static void put_talk(json_t *j, const telling *t)
{
  if (t->talk == TALK_NONE)
    return;
  json_t *talk = json_object();
  put(talk, "kind", json_text(t->talk == TALK_SEND ? "send" : "receive"));
  put(talk, "channel", json_text(t->channel));
  put(talk, "message", json_text(t->message));
  put(talk, "sent_by_step",
      t->partner >= 0 ? json_integer(t->partner) : json_null());
  put(j, "message", talk);
}

json_t *json_step(const story *s, size_t index)
{
  const telling *t = &s->steps.data[index];
  json_t *j = json_object(), *changes = json_array();
  put(j, "process", json_integer(t->process));
  put(j, "process_type", json_text(t->type->name));
  put(j, "edge", json_integer(t->edge->index));
  put(j, "statement",
      t->edge->number >= 0 ? json_integer(t->edge->number) : json_null());
  put(j, "location", location_object(t->at));
  put_statement(j, t->text, t->words);
  for (uint32_t i = 0; i < t->change_count; i++)
    json_array_append_new(changes,
                          change_object(&s->changes.data[t->first_change + i]));
  put(j, "changes", changes);
  if (t->note)
    put(j, "note", json_text(t->note));
  if (t->output)
    put(j, "output", json_text(t->output));
  put_talk(j, t);
  if (t->flags & STEP_INNER)
    put(j, "inner", json_true());
  if (t->flags & STEP_PARTNER)
    put(j, "partner", json_true());
  if (t->edge->flags & EDGE_UNSEEN)
    put(j, "unseen", json_true());
  return j;
}

bool json_story(story *s, const char *const *properties, size_t count,
                text *out)
{
  story_complete(s);
  json_t *j = json_object(), *violated = json_array(), *steps = json_array();
  put(j, "nutshell", json_text(NUT_VERSION));
  put(j, "format", json_text("trace"));
  put(j, "file", json_text(s->model->file));
  put(j, "language", json_text(s->model->language->name));
  for (size_t i = 0; i < count; i++)
    json_array_append_new(violated, json_text(properties[i]));
  put(j, "properties", violated);
  put(j, "ending", json_text(s->ending));
  put(j, "loop", s->loop >= 0 ? json_integer(s->loop) : json_null());
  for (size_t i = 0; i < s->steps.len; i++)
    json_array_append_new(steps, json_step(s, i));
  put(j, "steps", steps);
  put_blocked(j, s);
  return json_finish(j, out);
}
