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
static void add_notes(const row_tree *t, size_t branch, text *out)
{
  for (size_t i = 0; i < t->notes.len; i++) {
    const row_note *n = &t->notes.data[i];
    if (n->branch != branch)
      continue;
    text_add(out, n->first != n->last ? "      from "
                  : n->first          ? "      after "
                                      : "      at ");
    add_place(n->first, out);
    if (n->first != n->last) {
      text_add(out, " to ");
      add_place(n->last, out);
    }
    text_printf(out, ", %s holds: no single run shows that\n", n->formula);
  }
}

static void add_branch(const row_tree *t, size_t index, plain_style style,
                       text *out)
{
  const row_branch *b = &t->branches.data[index];
  text_printf(out, "\nBranch %zu, from ", index);
  add_place(b->step, out);
  if (b->parent)
    text_printf(out, " of branch %zu", b->parent);
  text_printf(out, ", for %s", b->formula);
  if (b->story->ending)
    text_printf(out, ": %s", b->story->ending);
  text_add_char(out, '\n');
  plain_story_from(b->story, b->first, style, out);
  add_notes(t, index, out);
}

void plain_tree(const row_tree *t, plain_style style, text *out)
{
  if (t->branches.len > 1 || t->notes.len)
    text_printf(out, "      which shows %s\n", t->branches.data[0].formula);
  add_notes(t, 0, out);
  for (size_t i = 1; i < t->branches.len; i++)
    add_branch(t, i, style, out);
  if (t->cut)
    text_add(out, "\nMore would have to be shown; it is left out.\n");
}
