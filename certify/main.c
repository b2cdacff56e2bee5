/* The command: reads a certificate, walks over its states, and says whether
** they are all there are and none of them is in error. */

#include "certify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ends, memory ----------------------------------------------------------- */

/* The state that is looked at, for messages; 0: none. */
static uint64_t looking_at;

_Noreturn static void end(int status, const char *word, const char *format,
                          va_list args)
{
  printf("%s: ", word);
  if (looking_at)
    printf("state %" PRIu64 ": ", looking_at);
  vprintf(format, args);
  printf("\n");
  exit(status);
}

#define END(name, status, word)                                                \
  _Noreturn void name(const char *format, ...)                                 \
  {                                                                            \
    va_list args;                                                              \
    va_start(args, format);                                                    \
    end(status, word, format, args);                                           \
  }
END(refuse, 1, "refused")
END(damaged, 2, "damaged")
END(give_up, 3, "unknown")

void *have(size_t size)
{
  void *p = calloc(1, size ? size : 1);
  if (!p)
    give_up("there is not enough memory");
  return p;
}

void *grow(void *data, size_t *cap, size_t count, size_t size)
{
  if (count <= *cap)
    return data;
  size_t wanted = *cap + *cap / 2 + 8;
  if (wanted < count)
    wanted = count;
  data = wanted < SIZE_MAX / size ? realloc(data, wanted * size) : NULL;
  if (!data)
    give_up("there is not enough memory");
  *cap = wanted;
  return data;
}

/* ---- looking for successors ---------------------------------------------------- */

typedef struct search {
  const file *file;
  strings *wanted;
  bytes packed;
  size_t memory;
  uint64_t steps, passes;
} search;

/* All wanted states must be in the run; one pass over it. */
static void look_for_all(search *x)
{
  size_t len, size, i = 0, count = strings_count(x->wanted);
  strings_sort(x->wanted);
  reader *r = reader_open(x->file);
  const uint8_t *s = reader_next(r, &size);
  while (i < count) {
    const uint8_t *w = strings_at(x->wanted, i, &len);
    int order = !s ? 1 : memcmp(s, w, size < len ? size : len);
    if (!order && s)
      order = (size > len) - (size < len);
    if (order > 0)
      refuse("a step leads to a state that is not in the certificate");
    i += !order;
    if (s)
      s = reader_next(r, &size);
  }
  reader_close(r);
  x->passes++;
  strings_clear(x->wanted);
}

static void want(void *context, const state *s)
{
  search *x = context;
  state_pack(s, &x->packed);
  x->steps++;
  strings_add(x->wanted, x->packed.data, x->packed.len);
  if (strings_bytes(x->wanted) > x->memory)
    look_for_all(x);
}

/* ---- what is claimed -------------------------------------------------------------- */

typedef struct claims {
  bool ends; /* no invalid end state */
  expr **invariants;
  const char **names;
  uint32_t count;
} claims;

static claims read_claims(const model *m, const list *facts)
{
  claims c = {.invariants = have((facts->count + 1) * sizeof(expr *)),
              .names = have((facts->count + 1) * sizeof(char *))};
  if (!facts->count || !is_about(&facts->items[0], "certificate"))
    damaged("the facts are missing");
  number_between(item(&facts->items[0], 1), 1, 1);
  for (uint32_t i = 0; i < facts->count; i++) {
    const list *l = &facts->items[i];
    c.ends |= is_about(l, "end-states");
    if (!is_about(l, "invariant"))
      continue;
    c.names[c.count] = item(l, 1)->word ? item(l, 1)->word : "";
    c.invariants[c.count++] = read_condition(m, item(l, 2));
  }
  return c;
}

static void check_state(engine *e, const claims *c, const state *s)
{
  bool waits;
  if (!expand(e, s, &waits) && c->ends && !ends_well(e, s))
    refuse("nothing can happen, and a process is not at its end");
  for (uint32_t i = 0; i < c->count; i++)
    if (!value_in(e, c->invariants[i], s, waits))
      refuse("'%s' is false", c->names[i]);
}

static void check_states(engine *e, const claims *c, const file *f)
{
  size_t len;
  const uint8_t *data;
  state s = {0};
  reader *r = reader_open(f);
  while ((data = reader_next(r, &len))) {
    looking_at++;
    state_unpack(e->model, data, len, &s);
    check_state(e, c, &s);
  }
  reader_close(r);
  looking_at = 0;
}

/* ---- the command --------------------------------------------------------------------- */

static void tell(const list *facts, const claims *c, const search *x)
{
  for (uint32_t i = 0; i < facts->count; i++)
    if (is_about(&facts->items[i], "file") ||
        is_about(&facts->items[i], "source"))
      printf("%s: %s\n", facts->items[i].items[0].word,
             item(&facts->items[i], 1)->word);
  printf("certified: no step of the model fails\n");
  if (c->ends)
    printf("certified: no invalid end state\n");
  for (uint32_t i = 0; i < c->count; i++)
    printf("certified: '%s' is true in every state\n", c->names[i]);
  printf("%" PRIu64 " states, %" PRIu64 " steps, %" PRIu64 " pass%s\n",
         file_states(x->file), x->steps, x->passes, x->passes == 1 ? "" : "es");
  printf("not checked: that the model in the certificate is what the source "
         "means (nutshell certificate FILE MODEL)\n");
}

static size_t read_size(const char *text)
{
  static const char units[] = "KMGT";
  char *rest;
  double value = strtod(text, &rest);
  const char *unit = *rest ? strchr(units, *rest) : NULL;
  if (rest == text || value <= 0 || (*rest && (!unit || rest[1]))) {
    fprintf(stderr, "nutshell-certify: '%s' is not a size\n", text);
    exit(2);
  }
  for (; unit && unit >= units; unit--)
    value *= 1024;
  return value > 1e15 ? (size_t)1 << 50 : (size_t)value;
}

static void usage(FILE *to)
{
  fprintf(to, "usage: nutshell-certify [--memory SIZE] FILE\n\n"
              "Checks a certificate of 'nutshell check --certificate FILE'.\n"
              "Exit status: 0 certified, 1 refused, 2 cannot be read, "
              "3 unknown.\n");
}

int main(int argc, char **argv)
{
  const char *path = NULL;
  size_t memory = (size_t)256 << 20, len;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help")) {
      usage(stdout);
      return 0;
    }
    if (!strcmp(argv[i], "--memory") && i + 1 < argc)
      memory = read_size(argv[++i]);
    else if (argv[i][0] != '-' && !path)
      path = argv[i];
    else
      path = (usage(stderr), exit(2), NULL);
  }
  if (!path) {
    usage(stderr);
    return 2;
  }
  search x = {.file = file_open(path),
              .wanted = strings_create(),
              .memory = memory / 4 * 3};
  const char *text = file_facts(x.file, &len);
  const list *facts = read_lists(text, len);
  text = file_model(x.file, &len);
  model *m = read_model(read_lists(text, len));
  engine e = {.model = m, .self = NOBODY, .found = want, .context = &x};
  claims c = read_claims(m, facts);
  state first = {0};
  initial_state(&e, &first);
  want(&x, &first);
  check_states(&e, &c, x.file);
  if (strings_count(x.wanted))
    look_for_all(&x);
  tell(facts, &c, &x);
  return 0;
}
