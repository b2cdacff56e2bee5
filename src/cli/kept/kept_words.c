/* Which words are kept, and the command line made of them again. */

#include "cli/kept/kept_words.h"
#include <string.h>

/* Options of the library that do not decide the answer, or that only a person
** may give. */
static const char *const not_kept[] = {
    "allow-c", "checkpoint", "disk", "memory", "plugin", "threads", "time"};

/* What is counted decides the answer; where that is written does not. */
static bool is_coverage(const option_entry *e)
{
  return !strcmp(e->name, "coverage");
}

static bool is_kept(const option_entry *e)
{
  size_t check = offsetof(options, check), load = offsetof(options, load);
  bool is_ours =
      (e->offset >= check &&
       e->offset < check + sizeof(((options *)NULL)->check)) ||
      (e->offset >= load && e->offset < load + sizeof(((options *)NULL)->load));
  for (size_t i = 0; i < sizeof not_kept / sizeof *not_kept; i++)
    is_ours = is_ours && strcmp(e->name, not_kept[i]);
  return is_ours || is_coverage(e);
}

const char *kept_word_of(arena *a, const given_option *g)
{
  bool is_flag = g->entry->kind == KIND_FLAG || g->entry->kind == KIND_LEAVE;
  return is_flag ? arena_printf(a, "--%s", g->entry->name)
                 : arena_printf(a, "--%s=%s", g->entry->name, g->value);
}

void kept_words_of(const options *o, arena *a, word_list *words)
{
  vec_push(words, o->command->name);
  for (size_t i = 0; i < o->given.len; i++)
    if (is_coverage(o->given.data[i].entry))
      vec_push(words, "--coverage=");
    else if (is_kept(o->given.data[i].entry))
      vec_push(words, kept_word_of(a, &o->given.data[i]));
  vec_push(words, "--");
  for (size_t i = 0; i < o->files.len; i++)
    vec_push(words, o->files.data[i]);
}

bool kept_words_are_good(const options *o)
{
  for (size_t i = 0; i < o->given.len; i++) {
    const option_entry *e = o->given.data[i].entry;
    if (!is_kept(e) || (is_coverage(e) && *o->given.data[i].value))
      return false;
  }
  return o->files.len > 0;
}

bool kept_words_join(const nut_checkpoint *c, const options *resume, arena *a,
                     word_list *words)
{
  const char *word = nut_checkpoint_word(c, 0);
  if (!word || (strcmp(word, "check") && strcmp(word, "count")))
    return false;
  vec_push(words, "nutshell");
  for (size_t i = 0; (word = nut_checkpoint_word(c, i)); i++) {
    if (!strcmp(word, "--"))
      for (size_t k = 0; resume && k < resume->given.len; k++)
        vec_push(words, kept_word_of(a, &resume->given.data[k]));
    vec_push(words, word);
  }
  vec_push(words, NULL);
  return true;
}
