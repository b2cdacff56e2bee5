/* Tells the traces and trees of the answers, one story each. */

#include "report/account.h"
#include "verify/explain/explain.h"
#include <string.h>

/* The index in the trace of the step after which the run was in a state. */
static size_t step_of_state(const trace *t, size_t state)
{
  size_t i = 0;
  for (size_t rests = 0; i + 1 < t->steps.len; i++) {
    if (t->steps.data[i].rest && rests++ == state)
      break;
  }
  return i;
}

/* The number of the step after which a branch was in a state. */
static uint32_t number_of_state(const story *s, size_t state)
{
  size_t i = step_of_state(s->trace, state);
  return i ? s->steps.data[i - 1].number : 0;
}

/* In its place at once, so that nothing of it is lost. */
static void tell_run(const outcome *o, const trace *t, story **made)
{
  *made = story_create(o->program);
  story_tell(*made, t);
}

static void tell_tree(account *a, told_answer *to)
{
  const answer_tree *t = to->answer->tree;
  told_branch *list = ARENA_ARRAY(a->arena, told_branch, t->branches.len);
  to->branches = list;
  for (size_t i = 0; i < t->branches.len; i++) {
    const answer_branch *b = &t->branches.data[i];
    tell_run(a->outcome, b->trace, &list[i].story);
    list[i].first = step_of_state(b->trace, b->fork);
    list[i].step = number_of_state(list[i].story, b->fork);
  }
  to->notes = ARENA_ARRAY(a->arena, told_note, t->notes.len + 1);
  for (size_t i = 0; i < t->notes.len; i++) {
    const answer_note *n = &t->notes.data[i];
    const story *s = list[n->branch].story;
    to->notes[i] =
        (told_note){number_of_state(s, n->first), number_of_state(s, n->last)};
  }
  to->story = list[0].story;
}

/* One answer that is being told. */
typedef struct told_now {
  account *account;
  told_answer *to;
} told_now;

static void tell_answer(void *work)
{
  const told_now *now = work;
  account *a = now->account;
  told_answer *to = now->to;
  const answer *from = to->answer;
  if (from->tree)
    tell_tree(a, to);
  else if (from->trace)
    tell_run(a->outcome, from->trace, &to->story);
  if (from->other)
    tell_run(a->outcome, from->other, &to->other);
  to->violations =
      ARENA_ARRAY(a->arena, told_violation, from->violations.len + 1);
  for (size_t i = 0; i < from->violations.len; i++)
    if (from->violations.data[i].trace)
      tell_run(a->outcome, from->violations.data[i].trace,
               &to->violations[i].story);
  if (from->ending && to->story)
    to->story->ending = from->ending;
  if (from->explanation && to->story)
    to->story->folded = from->explanation->folded;
  if (from->ending && to->other)
    to->other->ending = from->ending;
}

static void free_told(told_answer *t)
{
  const answer_tree *tree = t->answer->tree;
  if (!tree)
    story_destroy(t->story);
  for (size_t i = 0; t->branches && i < tree->branches.len; i++)
    story_destroy(t->branches[i].story);
  story_destroy(t->other);
  for (size_t i = 0; t->violations && i < t->answer->violations.len; i++)
    story_destroy(t->violations[i].story);
  *t = (told_answer){.answer = t->answer};
}

void account_tell(account *a, const outcome *o)
{
  a->outcome = o;
  a->arena = arena_create();
  for (size_t i = 0; i < o->answers.len; i++)
    vec_push(&a->answers, ((told_answer){.answer = &o->answers.data[i]}));
  for (size_t i = 0; i < a->answers.len; i++) {
    told_now now = {a, &a->answers.data[i]};
    if (!mem_protect(tell_answer, &now))
      free_told(now.to);
  }
}

void account_free(account *a)
{
  for (size_t i = 0; i < a->answers.len; i++)
    free_told(&a->answers.data[i]);
  vec_free(&a->answers);
  arena_destroy(a->arena);
}

void account_add_hint(const outcome *o, text *out)
{
  const search_result *r = &o->result;
  if (!o->model || !r->stuck || r->stuck_edge >= o->model->edges.len)
    return;
  const edge *e = o->model->edges.data[r->stuck_edge];
  position at = source_position(o->model->sources, e->where);
  text_printf(out, "%s(%u) %s an atomic sequence or d_step: %s:%u",
              e->process->name, r->stuck_process,
              r->endless ? "can never leave" : "has not left",
              at.name ? at.name : "", at.line);
}

const char *account_untold(const told_answer *t)
{
  const answer *a = t->answer;
  if (t->story || a->verdict == VERDICT_UNKNOWN)
    return NULL;
  if (a->untold)
    return reason_text(a->untold);
  return a->trace ? reason_text(REASON_OUT_OF_MEMORY) : NULL;
}

/* As a word of a shell. */
static void add_word(const char *word, text *out)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=:,@";
  if (*word && *word != '-' && !word[strspn(word, plain)]) {
    text_add(out, word);
    return;
  }
  text_add(out, *word == '-' ? "./'" : "'");
  for (; *word; word++)
    if (*word == '\'')
      text_add(out, "'\\''");
    else
      text_add_char(out, *word);
  text_add_char(out, '\'');
}

void account_add_resume(const outcome *o, text *out)
{
  if (!o->checkpoint || !o->checkpoint->goes_on)
    return;
  text_add(out, "nutshell resume ");
  add_word(o->checkpoint->file, out);
}
