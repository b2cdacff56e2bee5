/* The head of a file: whose it is, and what the model is read from. */

#include "base/alloc.h"
#include "nutshell-config.h"
#include "verify/kept/kept.h"
#include <string.h>

enum { WORDS_MAX = 10000, FILES_MAX = 100000 };

/* A file that is being looked at. */
typedef struct looking {
  struct nut_checkpoint *of;
  block_reader *reader;
  const char *path;
} looking;

/* A text of the file; NULL: it is damaged. */
static const char *get_text(looking *l, size_t *length)
{
  uint64_t n = block_get_count(l->reader, 1);
  char *bytes = arena_alloc(l->of->arena, n + 1);
  if (!block_get(l->reader, bytes, n))
    return NULL;
  bytes[n] = 0;
  if (length)
    *length = n;
  return bytes;
}

/* The same for a name or a word. */
static const char *get_word(looking *l)
{
  size_t length = 0;
  const char *word = get_text(l, &length);
  if (word && strlen(word) != length)
    block_damaged(l->reader, "a word in it is none");
  return block_problem(l->reader) ? NULL : word;
}

/* Whether it is a checkpoint of this version. */
static bool is_ours(looking *l)
{
  const char *name = get_word(l);
  if (!name || strcmp(name, "nutshell checkpoint"))
    return block_damaged(l->reader, "it is no checkpoint");
  uint64_t format = block_get_number(l->reader);
  const char *version = get_word(l);
  if (!version)
    return false;
  if (format == CHECKPOINT_FORMAT && !strcmp(version, NUT_VERSION))
    return true;
  return block_damaged(
      l->reader,
      arena_printf(l->of->arena, "it was written by version %s, and this is %s",
                   version, NUT_VERSION));
}

static bool get_head(looking *l)
{
  struct nut_checkpoint *c = l->of;
  for (uint64_t n = block_get_count(l->reader, 1); n; n--) {
    const char *word = get_word(l);
    if (!word || c->words.len >= WORDS_MAX)
      return block_damaged(l->reader, "it has too many words");
    vec_push(&c->words, word);
  }
  for (uint64_t n = block_get_count(l->reader, 3); n; n--) {
    uint64_t kind = block_get_number(l->reader);
    kept_text t = {.name = get_word(l)};
    t.text = t.name ? get_text(l, &t.length) : NULL;
    if (!t.text || kind > KEPT_MESSAGES || c->files.len >= FILES_MAX)
      return block_damaged(l->reader, "it has a text of no kind");
    t.kind = (kept_kind)kind;
    vec_push(&c->files, t);
  }
  for (uint64_t n = block_get_count(l->reader, 1); n; n--)
    vec_push(&c->grown, (uint32_t)block_get_number(l->reader));
  return !block_problem(l->reader);
}

/* Whether a part is whole, and belongs to this file. */
static bool is_part(looking *l, const char *path, uint64_t generation,
                    uint32_t sum)
{
  const char *why = NULL;
  looking part = {l->of, block_reader_open(path, &why), path};
  bool good = part.reader && block_file_check(part.reader) &&
              block_reader_sum(part.reader) == sum &&
              block_expect(part.reader, CHECKPOINT_HEAD);
  const char *title = good ? get_word(&part) : NULL;
  good = title && !strcmp(title, checkpoint_part_title) &&
         block_get_number(part.reader) == CHECKPOINT_FORMAT &&
         get_word(&part) && block_get_number(part.reader) == generation &&
         !block_problem(part.reader);
  block_reader_close(part.reader);
  return good ||
         block_damaged(l->reader, arena_printf(l->of->arena,
                                               "'%s', which belongs to it, is "
                                               "not there, or of another time",
                                               path));
}

/* Files of several ranks are several. */
static bool get_parts(looking *l, uint64_t generation)
{
  struct nut_checkpoint *c = l->of;
  vec_clear(&c->parts);
  vec_clear(&c->sums);
  for (uint64_t n = block_get_count(l->reader, 1); n; n--)
    vec_push(&c->sums, (uint32_t)block_get_number(l->reader));
  for (size_t i = 0; i < c->sums.len && !block_problem(l->reader); i++) {
    const char *path =
        arena_printf(c->arena, "%s.r%u", l->path, (unsigned)i + 1);
    vec_push(&c->parts, path);
    if (!is_part(l, path, generation, c->sums.data[i]))
      return false;
  }
  return !block_problem(l->reader);
}

/* Looks at one of the two; its generation, or 0 with the reason. */
static uint64_t look_at(struct nut_checkpoint *c, const char *path, bool whole,
                        const char **why)
{
  looking l = {c, block_reader_open(path, why), path};
  uint64_t generation = 0;
  c->reader = l.reader; /* closed with 'c' if memory runs out */
  if (!l.reader)
    return 0;
  if (block_file_check(l.reader) && block_expect(l.reader, CHECKPOINT_HEAD) &&
      is_ours(&l)) {
    generation = block_get_number(l.reader);
    if (!generation)
      block_damaged(l.reader, "it has no number");
    else
      get_parts(&l, generation);
  }
  if (whole && generation)
    get_head(&l);
  *why = block_problem(l.reader);
  if (*why)
    *why = arena_copy(c->arena, *why, strlen(*why));
  block_reader_close(l.reader);
  c->reader = NULL;
  return *why ? 0 : generation;
}

static void say_problem(struct nut_checkpoint *c, char *const paths[2],
                        const char *const why[2])
{
  bool same = !strcmp(why[0], why[1]);
  for (int i = 0; i < (same ? 1 : 2); i++)
    text_printf(&c->problem, "cannot go on from '%s': %s\n", paths[i], why[i]);
}

void kept_open(struct nut_checkpoint *c, const char *file)
{
  const char *why[2] = {NULL, NULL};
  char *paths[2];
  uint64_t found[2];
  c->arena = arena_create();
  c->file = arena_copy(c->arena, file, strlen(file));
  for (int i = 0; i < 2; i++) {
    paths[i] = arena_printf(c->arena, "%s.%d", file, i);
    found[i] = look_at(c, paths[i], false, &why[i]);
  }
  int best = found[1] > found[0];
  if (!found[best]) {
    say_problem(c, paths, why);
    return;
  }
  c->path = paths[best];
  c->generation = found[best];
  look_at(c, paths[best], true, &why[best]);
  if (why[best])
    text_printf(&c->problem, "cannot go on from '%s': %s\n", paths[best],
                why[best]);
  else if (why[!best] && strcmp(why[!best], strerror(2)))
    text_printf(&c->note, "'%s' is not used: %s", paths[!best], why[!best]);
}

void kept_close(struct nut_checkpoint *c)
{
  block_reader_close(c->reader);
  text_free(&c->problem);
  text_free(&c->note);
  vec_free(&c->words);
  vec_free(&c->files);
  vec_free(&c->grown);
  vec_free(&c->sums);
  vec_free(&c->parts);
  arena_destroy(c->arena);
}
