/* Renaming what is named only in files that must not be shown. */

#include "lang/promela/mask.h"
#include <stdlib.h>
#include <string.h>

/* A name at a token. */
typedef struct use {
  const char *name;
  uint32_t token;
  bool open; /* it stands there, in a file that may be shown */
} use;

/* Names that mean something by themselves. */
static bool is_known(const char *name)
{
  static const char *const known[] = {"_",         "_last", "_nr_pr", "_pid",
                                      "_priority", "in",    "STDIN"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i]))
      return true;
  return false;
}

/* Does the token stand at its place?  What '#' and '##' made does not. */
static bool stands_there(const sources *s, const pml_token *t)
{
  size_t length, n = strlen(t->name);
  span where = source_written(s, t->where);
  const char *written = source_text(s, where.file, &length);
  bool string = t->kind == T_STRING;
  size_t at = where.start + string;
  return at + n <= length && where.length == n + 2 * string &&
         !memcmp(written + at, t->name, n);
}

/* By name, open uses first, then by place. */
static int compare_uses(const void *left, const void *right)
{
  const use *a = left, *b = right;
  if (a->name != b->name)
    return (uintptr_t)a->name < (uintptr_t)b->name ? -1 : 1;
  if (a->open != b->open)
    return a->open ? -1 : 1;
  return a->token < b->token ? -1 : a->token > b->token;
}

static int compare_aliases(const void *left, const void *right)
{
  uintptr_t a = (uintptr_t)((const pml_alias *)left)->name;
  uintptr_t b = (uintptr_t)((const pml_alias *)right)->name;
  return a < b ? -1 : a > b;
}

static const char *find_alias(const pml_aliases *all, const char *name)
{
  pml_alias wanted = {name, NULL};
  const pml_alias *found = all->count ? bsearch(&wanted, all->list, all->count,
                                                sizeof wanted, compare_aliases)
                                      : NULL;
  return found ? found->alias : name;
}

/* How many '_' make 'hidden_N' different from all names there are. */
static int count_bars(const use *uses, uint32_t count)
{
  size_t most = 0;
  for (uint32_t i = 0; i < count; i++)
    for (const char *p = uses[i].name; (p = strstr(p, "hidden"));) {
      size_t n = strspn(p += strlen("hidden"), "_");
      most = n > most ? n : most;
    }
  return (int)most + 1;
}

/* The place makes it different from the other ones. */
static const char *make_alias(arena *mem, names *all, const use *of,
                              const char *bars)
{
  static const char *const prefixes[] = {"accept", "end", "progress"};
  const char *prefix = "";
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (!strncmp(of->name, prefixes[i], strlen(prefixes[i])))
      prefix = prefixes[i];
  return name_of(all, arena_printf(mem, "%s%shidden%s%u", prefix,
                                   *prefix ? "_" : "", bars, of->token));
}

/* The conversions of a string. */
static const char *conversions(arena *mem, const char *string)
{
  char *out = arena_copy(mem, string, strlen(string)), *to = out;
  for (const char *p = string; *p; p++)
    if (*p == '%' && p[1]) {
      *to++ = *p++;
      *to++ = *p;
    }
  *to = 0;
  return out;
}

static void rename_all(const pml_aliases *all, pml_tokens *tokens)
{
  for (size_t i = 0; i < tokens->len; i++)
    if (tokens->data[i].kind == T_NAME)
      tokens->data[i].name = find_alias(all, tokens->data[i].name);
}

/* All names, sorted so that an open use of a name comes before the others. */
static use *collect(arena *mem, const sources *s, const pml_tokens *tokens,
                    uint32_t *count)
{
  use *uses = ARENA_ARRAY(mem, use, tokens->len + 1);
  *count = 0;
  for (size_t i = 0; i < tokens->len; i++) {
    const pml_token *t = &tokens->data[i];
    if (t->kind == T_NAME)
      uses[(*count)++] =
          (use){t->name, (uint32_t)i, is_known(t->name) || stands_there(s, t)};
  }
  qsort(uses, *count, sizeof *uses, compare_uses);
  return uses;
}

pml_aliases pml_mask(arena *mem, names *all, const sources *s,
                     pml_tokens *tokens)
{
  uint32_t count, aliases = 0;
  use *uses = collect(mem, s, tokens, &count);
  pml_alias *list = ARENA_ARRAY(mem, pml_alias, count + 1);
  int length = count_bars(uses, count);
  char *bars = arena_alloc(mem, (size_t)length + 1);
  memset(bars, '_', (size_t)length);
  for (uint32_t i = 0; i < count; i++)
    if (!uses[i].open && (!i || uses[i - 1].name != uses[i].name))
      list[aliases++] =
          (pml_alias){uses[i].name, make_alias(mem, all, &uses[i], bars)};
  pml_aliases result = {aliases, list};
  rename_all(&result, tokens);
  for (size_t i = 0; i < tokens->len; i++) {
    pml_token *t = &tokens->data[i];
    if (t->kind == T_STRING && !stands_there(s, t))
      t->name = conversions(mem, t->name);
  }
  return result;
}

void pml_mask_formula(const pml_aliases *aliases, pml_tokens *tokens)
{
  rename_all(aliases, tokens);
}
