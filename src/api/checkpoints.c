/* Runs that go on from files: the handle of one, and what is told of them. */

#include "api/handle.h"
#include "base/alloc.h"
#include "verify/kept/kept.h"

_Static_assert((int)NUT_HURRY == (int)CHECKPOINT_HURRY &&
                   (int)NUT_GIVE_UP == (int)CHECKPOINT_GIVE_UP,
               "the same number");

typedef struct opening {
  nut_checkpoint *made;
  const char *file;
} opening;

static void do_open(void *work)
{
  opening *o = work;
  kept_open(o->made, o->file);
}

nut_checkpoint *nut_checkpoint_open(const char *file)
{
  opening work = {mem_try_alloc(sizeof *work.made), file};
  if (work.made && mem_protect(do_open, &work))
    return work.made;
  nut_checkpoint_close(work.made);
  return NULL;
}

const char *nut_checkpoint_problem(const nut_checkpoint *c)
{
  if (!c)
    return "out of memory\n";
  return c->problem.len ? text_string(&c->problem) : NULL;
}

const char *nut_checkpoint_note(const nut_checkpoint *c)
{
  return c->note.len ? text_string(&c->note) : NULL;
}

const char *nut_checkpoint_word(const nut_checkpoint *c, size_t index)
{
  return index < c->words.len ? c->words.data[index] : NULL;
}

nut_source nut_checkpoint_source(const nut_checkpoint *c, size_t index)
{
  for (size_t i = 0; i < c->files.len; i++) {
    const kept_text *t = &c->files.data[i];
    if (t->kind <= KEPT_HIDDEN && !index--)
      return (nut_source){t->name, t->text, t->length};
  }
  return (nut_source){0};
}

void nut_checkpoint_close(nut_checkpoint *c)
{
  if (!c)
    return;
  kept_close(c);
  mem_free(c, sizeof *c);
}

nut_kept nut_result_kept(const nut_result *r)
{
  const outcome_checkpoint *c = r ? r->asked.outcome.checkpoint : NULL;
  if (!c)
    return (nut_kept){0};
  return (nut_kept){.file = c->file,
                    .written = c->written,
                    .states = c->states,
                    .problem = c->problem,
                    .goes_on = c->goes_on};
}
