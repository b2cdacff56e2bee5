/* The command: reads a certificate, walks over its states, and says whether
** they are all there are and none of them is in error. */

#include "certify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ends, memory ----------------------------------------------------------- */

uint64_t looking_at;

_Noreturn void stop(int status, const char *format, ...)
{
  static const char *const words[] = {"", "refused", "damaged", "unknown"};
  va_list args;
  va_start(args, format);
  printf("%s: ", words[status]);
  if (looking_at)
    printf("state %" PRIu64 ": ", looking_at);
  vprintf(format, args);
  printf("\n");
  exit(status);
}

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
  if (size > 1)
    memset((char *)data + *cap * size, 0, (wanted - *cap) * size);
  *cap = wanted;
  return data;
}

/* ---- looking for states ------------------------------------------------------ */

/* All wanted states must be in the run; one pass over it. */
void look_for_all(search *x)
{
  size_t len, found = 0;
  uint32_t rank, bound;
  uint64_t states;
  const uint8_t *s;
  reader *r = reader_open(x->file, x->at, x->kind);
  while ((s = reader_next(r, &len, &rank)))
    if (strings_find(x->wanted, s, len, &bound)) {
      if (rank > bound)
        refuse("a step does not lower the rank");
      found++;
    }
  reader_close(r, &states);
  if (found != x->wanted->count)
    refuse("a step leads to a state that is not in the certificate");
  x->passes++;
  strings_clear(x->wanted);
}

void want(search *x, const bytes *s, uint32_t bound)
{
  x->steps++;
  strings_add(x->wanted, s->data, s->len, bound);
  if (strings_bytes(x->wanted) > x->memory)
    look_for_all(x);
}

static void want_state(void *context, const state *s)
{
  search *x = context;
  state_pack(s, &x->packed);
  want(x, &x->packed, 0);
}

/* ---- what is claimed ------------------------------------------------------------ */

typedef struct claim {
  const list *what;
  const char *name;
  bool is_asked;   /* not one of the model */
  node *invariant; /* or NULL */
} claim;

typedef struct claims {
  claim *list;
  uint32_t count;
  bool ends, is_fair; /* no invalid end state; weak fairness */
} claims;

/* (property N) of the model, (asked NAME (...)), or what it is itself. */
static claim read_claim(model *m, const list *l)
{
  claim c = {.what = l, .name = item(l, 0)->word};
  if (is_about(l, "property"))
    l = m->properties[index_of(item(l, 1), m->property_count)];
  c.is_asked = is_about(l, "asked");
  if (c.is_asked || is_about(l, "property")) {
    c.name = item(l, 1)->word;
    c.what = item(l, 2);
  }
  if (is_about(c.what, "invariant"))
    c.invariant = read_condition(m, item(c.what, 1));
  return c;
}

static claims read_claims(model *m, const list *facts)
{
  static const char *const words[] = {"property", "asked", "never",
                                      "acceptance", "non-progress"};
  claims c = {.list = have((facts->count + 1) * sizeof *c.list)};
  if (!facts->count || !is_about(&facts->items[0], "certificate"))
    damaged("the facts are missing");
  number_between(item(&facts->items[0], 1), 1, 1);
  for (uint32_t i = 0; i < facts->count; i++) {
    const list *l = &facts->items[i];
    c.ends |= is_about(l, "end-states");
    c.is_fair |= is_about(l, "weak-fairness");
    if (about_which(l, words, 5) < 5)
      c.list[c.count++] = read_claim(m, l);
  }
  return c;
}

static void check_states(search *x, const claims *c)
{
  size_t len;
  uint32_t rank;
  const uint8_t *data;
  state s = {0};
  bool waits;
  engine *e = x->engine;
  e->found = want_state;
  e->context = x;
  initial_state(e, &s);
  want_state(x, &s);
  reader *r = reader_open(x->file, x->at, STATES);
  while ((data = reader_next(r, &len, &rank))) {
    looking_at++;
    if (state_unpack(e->model, data, len, &s) != s.len)
      damaged("a state is not one of the model");
    if (!expand(e, &s, &waits) && c->ends && !ends_well(e, &s))
      refuse("nothing can happen, and a process is not at its end");
    for (uint32_t i = 0; i < c->count; i++)
      if (c->list[i].invariant && !value_in(e, c->list[i].invariant, &s, waits))
        refuse("'%s' is false", c->list[i].name);
  }
  looking_at = 0;
  look_for_all(x);
  x->at = reader_close(r, &x->states);
}

/* Each claim about infinite runs has a part of the file. */
static void check_all(search *x, const claims *c)
{
  uint64_t *counts = have((c->count + 1) * sizeof *counts);
  size_t parts = 1;
  check_states(x, c);
  counts[0] = x->states;
  for (uint32_t i = 0; i < c->count; i++)
    if (!c->list[i].invariant) {
      check_runs(x, c->list[i].what, c->is_fair);
      counts[parts++] = x->states;
    }
  file_end(x->file, x->at, counts, parts);
  x->states = counts[0];
}

/* ---- the command ---------------------------------------------------------------- */

static void print_list(const list *l)
{
  printf("%s", l->word ? l->word : "(");
  for (uint32_t i = 0; i < l->count; i++) {
    printf(i ? " " : "");
    print_list(&l->items[i]);
  }
  printf(l->word ? "" : ")");
}

/* What is not of the model is told as it was checked, whatever it is called. */
static void tell_claim(const claim *c, bool is_fair)
{
  printf("certified: %s'", c->invariant ? "" : "no infinite run violates ");
  if (c->is_asked)
    print_list(c->what);
  else
    printf("%s", c->name);
  printf("'%s%s\n", c->invariant ? " is true in every state" : "",
         !c->invariant && is_fair ? ", with weak fairness" : "");
}

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
    tell_claim(&c->list[i], c->is_fair);
  printf("%" PRIu64 " states, %" PRIu64 " steps, %" PRIu64 " pass%s\n",
         x->states, x->steps, x->passes, x->passes == 1 ? "" : "es");
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
              .wanted = have(sizeof(strings)),
              .memory = memory / 4 * 3,
              .at = FILE_BEGINS,
              .kind = STATES};
  strings_clear(x.wanted);
  const char *text = file_text(x.file, &x.at, FACTS, &len);
  const list *facts = read_lists(text, len);
  text = file_text(x.file, &x.at, MODEL, &len);
  engine e = {.model = read_model(read_lists(text, len)), .self = NOBODY};
  x.engine = &e;
  claims c = read_claims(e.model, facts);
  check_all(&x, &c);
  tell(facts, &c, &x);
  return 0;
}
