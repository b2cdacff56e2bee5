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

static void look_up(void *context, const bytes *s, uint32_t rank)
{
  search *x = context;
  const uint32_t *bound = strings_bound(&x->wanted, s);
  if (bound && rank > *bound)
    refuse("a step does not lower the rank");
  x->found += bound != NULL;
}

/* All wanted states must be in the run; one pass over it. */
static void look_for_all(search *x)
{
  file again = x->file;
  x->found = 0;
  file_states(&again, x->part, look_up, x);
  if (x->found != x->wanted.count)
    refuse("a step leads to a state that is not in the certificate");
  x->passes++;
  strings_clear(&x->wanted);
}

void look_at_all(search *x, look_function *look, void *context)
{
  file from = x->file;
  x->states = file_states(&from, x->part, look, context);
  looking_at = 0;
  look_for_all(x);
  x->file = from;
}

void want(void *context, const bytes *s, uint32_t bound)
{
  search *x = context;
  x->steps++;
  strings_add(&x->wanted, s, bound);
  if (x->wanted.kept.len > x->most_wanted)
    look_for_all(x);
}

/* ---- what is claimed ------------------------------------------------------------ */

/* (property N) of the model, (asked NAME (...)), or what it is itself. */
static property read_claim(model *m, const list *l)
{
  property c = {.what = l, .name = item(l, 0)->word};
  if (is_about(l, "property"))
    l = m->properties.data[index_of(item(l, 1), m->properties.len)];
  c.is_asked = is_about(l, "asked");
  if (c.is_asked || is_about(l, "property")) {
    c.name = item(l, 1)->word;
    c.what = item(l, 2);
  }
  if (is_about(c.what, "invariant"))
    c.invariant = read_node(m, item(c.what, 1));
  return c;
}

static void read_claims(search *x, const list *facts)
{
  static const char words[] = "property asked never acceptance non-progress";
  if (!facts->count || !is_about(&facts->items[0], "certificate"))
    damaged("the facts are missing");
  number_between(item(&facts->items[0], 1), 1, 1);
  for (uint32_t i = 0; i < facts->count; i++) {
    const list *l = &facts->items[i];
    x->ends |= is_about(l, "end-states");
    x->is_fair |= is_about(l, "weak-fairness");
    if (about_which(l, words) < 5)
      *more(&x->claims) = read_claim(x->engine->model, l);
  }
}

static void check_state(void *context, const bytes *packed, uint32_t rank)
{
  search *x = context;
  engine *e = x->engine;
  state *s = &x->state;
  bool waits;
  (void)rank;
  looking_at++;
  state_unpack(e->model, packed, s, 0);
  if (!expand(e, s, &waits) && x->ends && !ends_well(e->model, s))
    refuse("nothing can happen, and a process is not at its end");
  for (size_t i = 0; i < x->claims.len; i++) {
    const property *c = &x->claims.data[i];
    if (c->invariant && !value_in(e, c->invariant, s, waits))
      refuse("'%s' is false", c->name);
  }
}

/* Each claim about infinite runs has a part of the file. */
static void check_all(search *x)
{
  uint64_t states;
  engine *e = x->engine;
  e->found = want;
  e->context = x;
  initial_state(e, &x->state);
  state_pack(&x->state, &e->packed);
  want(x, &e->packed, 0);
  look_at_all(x, check_state, x);
  states = x->states;
  for (size_t i = 0; i < x->claims.len; i++)
    if (!x->claims.data[i].invariant)
      check_runs(x, x->claims.data[i].what);
  file_end(&x->file);
  x->states = states;
}

/* ---- the command ---------------------------------------------------------------- */

/* What is not of the model is told as it was checked, whatever it is called. */
static void tell_claim(const property *c, bool is_fair)
{
  printf("certified: %s'", c->invariant ? "" : "no infinite run violates ");
  if (c->is_asked)
    fwrite(c->what->text, 1, c->what->length, stdout);
  else
    printf("%s", c->name);
  printf("'%s%s\n", c->invariant ? " is true in every state" : "",
         !c->invariant && is_fair ? ", with weak fairness" : "");
}

static void tell(const list *facts, const search *x)
{
  for (uint32_t i = 0; i < facts->count; i++) {
    const list *l = &facts->items[i];
    if (is_about(l, "file") || is_about(l, "source"))
      printf("%s: %s\n", item(l, 0)->word, item(l, 1)->word);
  }
  printf("certified: no step of the model fails\n");
  if (x->ends)
    printf("certified: no invalid end state\n");
  for (size_t i = 0; i < x->claims.len; i++)
    tell_claim(&x->claims.data[i], x->is_fair);
  printf("%" PRIu64 " states, %" PRIu64 " steps, %" PRIu64 " pass%s\n",
         x->states, x->steps, x->passes, x->passes == 1 ? "" : "es");
  printf("not checked: that the model in the certificate is what the source "
         "means (nutshell certificate FILE MODEL)\n");
}

static size_t read_size(const char *text)
{
  static const char units[] = " KMGT";
  const double most = UINT64_C(1) << 37; /* as all strings are in 16 GB */
  char *rest;
  double value = strtod(text, &rest);
  const char *unit = strchr(units, *rest ? *rest : ' ');
  if (rest == text || value <= 0 || !unit || (*rest && rest[1])) {
    fprintf(stderr, "nutshell-certify: '%s' is not a size\n", text);
    exit(2);
  }
  for (; unit > units; unit--)
    value *= 1024;
  return (size_t)(value < most ? value : most);
}

static _Noreturn void usage(FILE *to, int status)
{
  fprintf(to, "usage: nutshell-certify [--memory SIZE] FILE\n\n"
              "Checks a certificate of 'nutshell check --certificate FILE'.\n"
              "Exit status: 0 certified, 1 refused, 2 cannot be read, "
              "3 unknown.\n");
  exit(status);
}

int main(int argc, char **argv)
{
  const char *path = NULL;
  size_t memory = (size_t)256 << 20;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help"))
      usage(stdout, 0);
    else if (!strcmp(argv[i], "--memory") && i + 1 < argc)
      memory = read_size(argv[++i]);
    else if (argv[i][0] != '-' && !path)
      path = argv[i];
    else
      usage(stderr, 2);
  }
  if (!path)
    usage(stderr, 2);
  engine e = {.self = NOBODY, .seen = {.size = 1 << 12}};
  search x = {.engine = &e,
              .file = file_open(path),
              .part = STATES,
              .wanted = {.size = (uint32_t)(memory / 64) + 1},
              .most_wanted = memory / 8 * 5};
  strings_clear(&x.wanted);
  strings_clear(&e.seen);
  bytes text = file_part(&x.file, FACTS);
  const list *facts = read_lists(&text);
  text = file_part(&x.file, MODEL);
  e.model = read_model(read_lists(&text));
  read_claims(&x, facts);
  check_all(&x);
  tell(facts, &x);
  return 0;
}
