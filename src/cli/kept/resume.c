/* 'resume': a check or a count goes on from a checkpoint. */

#include "base/source/source.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/kept/kept_words.h"
#include "cli/output.h"
#include <string.h>

/* Says which files are not what they were. */
static void compare_sources(const nut_checkpoint *c)
{
  sources *files = sources_create();
  nut_source then;
  for (size_t i = 0; (then = nut_checkpoint_source(c, i)).file; i++) {
    const char *error;
    size_t length = 0;
    uint32_t now = source_read(files, then.file, &error);
    const char *bytes = now ? source_text(files, now, &length) : NULL;
    if (bytes && (length != then.length || memcmp(bytes, then.text, length)))
      note("'%s' has changed; the run goes on with what it was", then.file);
  }
  sources_destroy(files);
}

static int go_on(nut_checkpoint *c, const options *resume, options *made)
{
  const char *file = resume->files.data[0];
  if (nut_checkpoint_note(c))
    note("%s", nut_checkpoint_note(c));
  compare_sources(c);
  made->load.checkpoint = c;
  made->check.resume = c;
  made->check.checkpoint = file;
  made->check.ranks = resume->check.ranks;
  return made->command->run(made);
}

/* The options by which the run goes on, or, without 'resume', those that the file
** has.  False: it has no such words. */
static bool read_words(const nut_checkpoint *c, const options *resume, arena *a,
                       word_list *words, options *made)
{
  text error = {0}, hint = {0};
  const command *again = NULL;
  if (kept_words_join(c, resume, a, words))
    again = command_find(words->data[1]);
  bool good =
      again && options_parse(made, again, (int)words->len - 1,
                             (char **)(uintptr_t)words->data, 2, &error, &hint);
  text_free(&error);
  text_free(&hint);
  return good;
}

static int resume_from(nut_checkpoint *c, const options *o, arena *a)
{
  word_list kept = {0}, all = {0};
  options then = {0}, made = {0};
  const char *file = o->files.data[0];
  int status = STATUS_BAD;
  if (read_words(c, NULL, a, &kept, &then) && kept_words_are_good(&then) &&
      read_words(c, o, a, &all, &made))
    status = go_on(c, o, &made);
  else
    complain("'%s' has words that no checkpoint has", file);
  options_free(&then);
  options_free(&made);
  vec_free(&kept);
  vec_free(&all);
  return status;
}

int command_resume(const options *o)
{
  nut_checkpoint *c = nut_checkpoint_open(o->files.data[0]);
  const char *problem = nut_checkpoint_problem(c);
  int status = STATUS_BAD;
  if (problem) {
    for (const char *line = problem; *line; line += strcspn(line, "\n") + 1)
      complain("%.*s", (int)strcspn(line, "\n"), line);
  } else {
    arena *a = arena_create();
    status = resume_from(c, o, a);
    arena_destroy(a);
  }
  nut_checkpoint_close(c);
  return status;
}
