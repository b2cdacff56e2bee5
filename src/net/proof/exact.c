/* Writes linear programs in SMT-LIB, runs Z3 on them, and reads what it says. */

#include "net/proof/exact.h"

#include "base/system/path.h"
#include "base/system/spawn.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Work is what decides; time is for a child that hangs. */
enum {
  WORK_MAX = 20000000,
  WORK_SECONDS = 20,
  CLOCK_SECONDS = 100,
  MEMORY_MEGABYTES = 512,
  OUTPUT_MAX = 1 << 26
};
static const char memory_word[] = "-memory:512"; /* the same */

bool exact_is_installed(void)
{
  char found[PATH_MAX];
  return path_find_program("z3", found);
}

/* ---- writing ------------------------------------------------------------ */

static void add_product(text *out, int64_t factor, char name, uint32_t number)
{
  text_printf(out, factor < 0 ? " (* (- %lld) %c%u)" : " (* %lld %c%u)",
              (long long)(factor < 0 ? -factor : factor), name, number);
}

static void add_number(text *out, int64_t n)
{
  text_printf(out, n < 0 ? " (- %lld)" : " %lld", (long long)(n < 0 ? -n : n));
}

static void declare(text *out, char name, uint32_t count, bool positive)
{
  for (uint32_t i = 0; i < count; i++)
    text_printf(out,
                positive ? "(declare-const %c%u Real)(assert (>= %c%u 0))\n"
                         : "(declare-const %c%u Real)\n",
                name, i, name, i);
}

static void ask_values(text *out, char name, uint32_t count)
{
  text_add(out, "(get-value (");
  for (uint32_t i = 0; i < count; i++)
    text_printf(out, "%c%u ", name, i);
  text_add(out, "))\n");
}

/* m = m0 + C x as macros. */
static void write_solution(text *out, const petri *n, const claim *const *sums,
                           uint32_t count)
{
  text_add(out, "(push)\n");
  declare(out, 'x', n->transition_count, true);
  for (uint32_t p = 0; p < n->place_count; p++) {
    text_printf(out, "(define-fun m%u () Real (+ 0", p);
    add_number(out, n->tokens[p]);
    for (uint32_t i = n->first_use[p]; i < n->first_use[p + 1]; i++) {
      int32_t more = petri_effect(&n->arcs[n->uses[i].arc]);
      if (more)
        add_product(out, more, 'x', n->uses[i].transition);
    }
    text_printf(out, "))(assert (>= m%u 0))\n", p);
  }
  for (uint32_t k = 0; k < count; k++) {
    text_add(out, "(assert (<= (+ 0 0");
    for (uint32_t i = 0; i < sums[k]->count; i++)
      add_product(out, sums[k]->terms[i].factor, 'm', sums[k]->terms[i].place);
    text_add(out, ")");
    add_number(out, sums[k]->limit);
    text_add(out, "))\n");
  }
  text_add(out, "(check-sat)\n");
  ask_values(out, 'x', n->transition_count);
  text_add(out, "(pop)\n");
}

/* v = y - w: v C <= 0, v + w >= 0, -v m0 - l b >= 1. */
static void write_proof(text *out, const petri *n, const claim *const *sums,
                        uint32_t count)
{
  text_add(out, "(push)\n");
  declare(out, 'v', n->place_count, false);
  declare(out, 'l', count, true);
  for (uint32_t t = 0; t < n->transition_count; t++) {
    text_add(out, "(assert (<= (+ 0 0");
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
      if (petri_effect(&n->arcs[i]))
        add_product(out, petri_effect(&n->arcs[i]), 'v', n->arcs[i].place);
    text_add(out, ") 0))\n");
  }
  for (uint32_t p = 0; p < n->place_count; p++) {
    text_printf(out, "(assert (>= (+ v%u 0", p);
    for (uint32_t k = 0; k < count; k++)
      for (uint32_t i = 0; i < sums[k]->count; i++)
        if (sums[k]->terms[i].place == p)
          add_product(out, sums[k]->terms[i].factor, 'l', k);
    text_add(out, ") 0))\n");
  }
  text_add(out, "(assert (>= (+ 0 0");
  for (uint32_t p = 0; p < n->place_count; p++)
    if (n->tokens[p])
      add_product(out, -(int64_t)n->tokens[p], 'v', p);
  for (uint32_t k = 0; k < count; k++)
    if (sums[k]->limit)
      add_product(out, -sums[k]->limit, 'l', k);
  text_add(out, ") 1))\n(check-sat)\n");
  ask_values(out, 'v', n->place_count);
  ask_values(out, 'l', count);
  text_add(out, "(pop)\n");
}

/* ---- reading ------------------------------------------------------------ */

typedef struct fraction {
  int64_t above, below; /* below > 0 */
} fraction;

static void skip_blanks(const char **at)
{
  while (**at == ' ' || **at == '\n' || **at == '\t' || **at == '\r')
    ++*at;
}

/* "12.0" or "12"; false: it is no whole number that fits. */
static bool read_whole(const char **at, int64_t *value)
{
  *value = 0;
  if (**at < '0' || **at > '9')
    return false;
  for (; **at >= '0' && **at <= '9'; ++*at)
    if (__builtin_mul_overflow(*value, (int64_t)10, value) ||
        __builtin_add_overflow(*value, (int64_t)(**at - '0'), value))
      return false;
  if (**at != '.')
    return true;
  for (++*at; **at >= '0' && **at <= '9'; ++*at)
    if (**at != '0')
      return false;
  return true;
}

static bool expect(const char **at, char c)
{
  skip_blanks(at);
  if (**at != c)
    return false;
  ++*at;
  return true;
}

/* 3.0, (- 3.0), (/ 1.0 3.0), (- (/ 1.0 3.0)), (/ (- 1.0) 3.0). */
static bool read_fraction(const char **at, fraction *x)
{
  fraction other;
  skip_blanks(at);
  *x = (fraction){0, 1};
  if (**at != '(')
    return read_whole(at, &x->above);
  ++*at;
  if (expect(at, '-')) {
    if (!read_fraction(at, x))
      return false;
    x->above = -x->above;
    return expect(at, ')');
  }
  return expect(at, '/') && read_fraction(at, x) && x->below == 1 &&
         read_fraction(at, &other) && other.below == 1 && other.above > 0 &&
         (x->below = other.above) && expect(at, ')');
}

/* ((x0 0.0) (x1 ...) ...), all 'count' of them in order. */
static bool read_values(const char **at, char name, uint32_t count,
                        fraction *values)
{
  if (!expect(at, '('))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    int64_t number;
    if (!expect(at, '(') || !expect(at, name) || !read_whole(at, &number) ||
        number != i || !read_fraction(at, &values[i]) || !expect(at, ')'))
      return false;
  }
  return expect(at, ')');
}

static bool read_word(const char **at, const char *word)
{
  size_t length = strlen(word);
  skip_blanks(at);
  if (strncmp(*at, word, length))
    return false;
  *at += length;
  return true;
}

/* ---- answers ------------------------------------------------------------ */

typedef struct asking {
  const petri *net;
  const claim *const *sums;
  uint32_t count;
  limits *limits;
  exact_answer *answer;
  arena *arena;
  text script, output;
  size_t taken; /* of memory, for the child */
  exact_end end;
} asking;

static bool take_solution(asking *a, const char **at)
{
  const petri *n = a->net;
  double *x = a->answer->values, *m = x + n->transition_count;
  fraction *found = ARENA_ARRAY(a->arena, fraction, n->transition_count + 1);
  if (!read_values(at, 'x', n->transition_count, found))
    return false;
  for (uint32_t p = 0; p < n->place_count; p++)
    m[p] = n->tokens[p];
  for (uint32_t t = 0; t < n->transition_count; t++) {
    x[t] = (double)found[t].above / (double)found[t].below;
    for (uint32_t i = n->first[t]; i < n->first[t + 1]; i++)
      m[n->arcs[i].place] += x[t] * petri_effect(&n->arcs[i]);
  }
  return true;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* The least common denominator; false: it is too great. */
static bool join_denominators(const fraction *list, uint32_t count,
                              int64_t *denominator)
{
  for (uint32_t i = 0; i < count; i++)
    if (__builtin_mul_overflow(*denominator /
                                   common_divisor(*denominator, list[i].below),
                               list[i].below, denominator))
      return false;
  return true;
}

static bool make_whole(const fraction *list, uint32_t count,
                       int64_t denominator, int64_t *whole)
{
  for (uint32_t i = 0; i < count; i++)
    if (__builtin_mul_overflow(denominator / list[i].below, list[i].above,
                               &whole[i]))
      return false;
  return true;
}

static bool take_proof(asking *a, const char **at)
{
  const petri *n = a->net;
  exact_answer *to = a->answer;
  fraction *v = ARENA_ARRAY(a->arena, fraction, n->place_count + 1);
  fraction *l = ARENA_ARRAY(a->arena, fraction, a->count + 1);
  int64_t denominator = 1, product;
  if (!read_values(at, 'v', n->place_count, v) ||
      !read_values(at, 'l', a->count, l) ||
      !join_denominators(v, n->place_count, &denominator) ||
      !join_denominators(l, a->count, &denominator) ||
      !make_whole(v, n->place_count, denominator, to->weights) ||
      !make_whole(l, a->count, denominator, to->factors))
    return false;
  for (uint32_t k = 0; k < a->count; k++)
    for (uint32_t i = 0; i < a->sums[k]->count; i++) {
      const claim_term *t = &a->sums[k]->terms[i];
      int64_t *y = &to->weights[t->place];
      if (__builtin_mul_overflow(to->factors[k], (int64_t)t->factor,
                                 &product) ||
          __builtin_add_overflow(*y, product, y))
        return false;
    }
  return true;
}

/* After an answer of "unsat" comes an error, because there are no values. */
static void skip_errors(const char **at)
{
  while (read_word(at, "(error")) {
    const char *end = strchr(*at, '\n');
    *at = end ? end : *at + strlen(*at);
  }
}

static void judge(asking *a)
{
  const char *at = text_string(&a->output);
  if (read_word(&at, "sat")) {
    a->end = take_solution(a, &at) ? EXACT_SOLVED : EXACT_ENDED;
    return;
  }
  if (!read_word(&at, "unsat"))
    return;
  skip_errors(&at);
  if (read_word(&at, "sat") && take_proof(a, &at))
    a->end = EXACT_REFUTED;
}

/* ---- running ------------------------------------------------------------ */

static bool shall_stop(void *context)
{
  return limits_are_due(context);
}

static void run_child(asking *a, const char *program)
{
  const char *const words[] = {"z3", "-in", "-smt2", memory_word, NULL};
  size_t bytes = (size_t)MEMORY_MEGABYTES << 20;
  if (!mem_take(bytes))
    return;
  a->taken = bytes;
  spawn child = {.arguments = words,
                 .program = program,
                 .input = a->script.data,
                 .input_length = a->script.len,
                 .output = &a->output,
                 .output_max = OUTPUT_MAX,
                 .work_seconds = WORK_SECONDS,
                 .clock_seconds = CLOCK_SECONDS,
                 .memory_max = 2 * bytes,
                 .stop = shall_stop,
                 .context = a->limits};
  if (spawn_run(&child) == SPAWN_DONE)
    judge(a);
}

static void do_ask(void *context)
{
  asking *a = context;
  char found[PATH_MAX], program[PATH_MAX];
  if (!path_find_program("z3", found) || !path_absolute(found, program))
    return;
  a->arena = arena_create();
  text_printf(&a->script, "(set-option :rlimit %d)\n(set-logic QF_LRA)\n",
              WORK_MAX);
  write_solution(&a->script, a->net, a->sums, a->count);
  write_proof(&a->script, a->net, a->sums, a->count);
  run_child(a, program);
}

static void tidy_ask(void *context)
{
  asking *a = context;
  mem_give_back(a->taken);
  text_free(&a->script);
  text_free(&a->output);
  arena_destroy(a->arena);
}

exact_end exact_ask(const petri *n, const claim *const *sums, uint32_t count,
                    limits *l, exact_answer *answer)
{
  asking job = {.net = n,
                .sums = sums,
                .count = count,
                .limits = l,
                .answer = answer,
                .end = EXACT_ENDED};
  if (!n->transition_count || !n->place_count || !count)
    return EXACT_ENDED;
  mem_protect_tidy(do_ask, tidy_ask, &job);
  return job.end;
}
