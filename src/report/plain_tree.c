/* Trees of runs as text.  The first run is told like any other; branches follow
** under headings of their own:
**
**   Branch 2, from step 3 of branch 1, for EF (y == 1): state reached: y == 1
**      4  ...
*/

#include "report/plain.h"

static void add_place(uint32_t number, text *out)
{
  if (number)
    text_printf(out, "step %u", number);
  else
    text_add(out, "the start");
}

/* What holds on all runs from states of this branch. */
static void add_notes(const told_answer *a, size_t branch, text *out)
{
  const answer_tree *t = a->answer->tree;
  for (size_t i = 0; i < t->notes.len; i++) {
    const told_note *n = &a->notes[i];
    if (t->notes.data[i].branch != branch)
      continue;
    text_add(out, n->first != n->last ? "      from "
                  : n->first          ? "      after "
                                      : "      at ");
    add_place(n->first, out);
    if (n->first != n->last) {
      text_add(out, " to ");
      add_place(n->last, out);
    }
    text_printf(out, ", %s holds: no single run shows that\n",
                t->notes.data[i].formula);
  }
}

static void add_branch(const told_answer *a, size_t index, plain_style style,
                       text *out)
{
  const answer_branch *of = &a->answer->tree->branches.data[index];
  const told_branch *b = &a->branches[index];
  text_printf(out, "\nBranch %zu, from ", index);
  add_place(b->step, out);
  if (of->parent)
    text_printf(out, " of branch %zu", of->parent);
  text_printf(out, ", for %s", of->formula);
  if (b->story->ending)
    text_printf(out, ": %s", b->story->ending);
  text_add_char(out, '\n');
  plain_story_from(b->story, b->first, style, out);
  add_notes(a, index, out);
}

void plain_tree(const told_answer *a, plain_style style, text *out)
{
  const answer_tree *t = a->answer->tree;
  if (t->branches.len > 1 || t->notes.len)
    text_printf(out, "      which shows %s\n", t->branches.data[0].formula);
  add_notes(a, 0, out);
  for (size_t i = 1; i < t->branches.len; i++)
    add_branch(a, i, style, out);
  if (t->cut)
    text_add(out, "\nMore would have to be shown; it is left out.\n");
}
