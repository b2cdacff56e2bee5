/* Flags one by one.  Those that change nothing here are listed; those that we
** cannot obey are refused with the reason: nothing is done in another way in
** silence. */

#include "cli/spin/request.h"
#include "cli/output.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  spin_request *request;
  const char *const *words;
  size_t count, at;
} reader;

static bool refuse(const char *word, const char *why)
{
  say("spin: %s is refused: %s\n", word, why);
  return false;
}

static bool starts(const char *word, const char *with)
{
  return !strncmp(word, with, strlen(with));
}

static bool is_one_of(const char *word, const char *const *list)
{
  for (; *list; list++)
    if (!strcmp(word, *list))
      return true;
  return false;
}

/* What follows a flag, in the same word or in the next one; NULL: nothing. */
static const char *value_of(reader *r, const char *word, size_t length)
{
  if (word[length])
    return word + length;
  return r->at < r->count ? r->words[r->at++] : NULL;
}

static uint64_t number_at(const char *digits)
{
  return strtoull(digits, NULL, 10);
}

/* A flag of one letter that sets a bool of the request. */
typedef struct simple_flag {
  char letter;
  size_t offset;
} simple_flag;

#define SIMPLE(letter, field)                                                  \
  {                                                                            \
    letter, offsetof(spin_request, field)                                      \
  }

/* What follows the letter is ignored, as SPIN does: "-pg" is "-p". */
static bool set_simple(spin_request *q, const char *word,
                       const simple_flag *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (word[1] == list[i].letter)
      return *(bool *)((char *)q + list[i].offset) = true;
  return false;
}

/* ---- what pan is compiled with ------------------------------------------ */

static bool has_name(const char *word, const char *name)
{
  size_t n = strlen(name);
  return !strncmp(word, name, n) && (!word[n] || word[n] == '=');
}

/* "NAME" or "NAME=VALUE".  All others change how pan does its work, or nothing:
** a compiler takes any name. */
static void read_macro(spin_request *q, const char *word)
{
  const char *equals = strchr(word, '=');
  uint64_t value = equals ? number_at(equals + 1) : 1;
  if (has_name(word, "SAFETY"))
    q->safety = true;
  else if (has_name(word, "NP"))
    q->np = true;
  else if (has_name(word, "NOCLAIM"))
    q->no_claim = true;
  else if (has_name(word, "NOREDUCE"))
    q->no_reduction = true;
  else if (has_name(word, "BFS") || has_name(word, "BFS_PAR"))
    q->bfs = true;
  else if (has_name(word, "BITSTATE"))
    q->store = "raw+bitstate";
  else if (starts(word, "HC") && (!word[2] || strchr("01234=", word[2])))
    q->store = "raw+hashcompact";
  else if (has_name(word, "REVERSE") || has_name(word, "T_REVERSE"))
    q->reverse = true;
  else if (has_name(word, "RANDOMIZE") || has_name(word, "P_RAND") ||
           has_name(word, "T_RAND")) {
    q->permute = true;
    q->search_seed = value;
  } else if (has_name(word, "MEMLIM"))
    q->megabytes = value;
  else if (has_name(word, "MEMCNT") && value < 64)
    q->megabytes = value > 20 ? UINT64_C(1) << (value - 20) : 1;
}

/* ---- flags of pan ------------------------------------------------------- */

/* Flags that choose the order of a search; which process or which statement
** comes first is one order here. */
static bool read_order(spin_request *q, const char *word)
{
  if (!strcmp(word, "-t_reverse") || !strcmp(word, "-p_reverse"))
    return q->reverse = true;
  if (!strcmp(word, "-p_permute") || !strcmp(word, "-rhash") ||
      starts(word, "-p_rotate"))
    return q->permute = true;
  if (!starts(word, "-RS"))
    return false;
  q->search_seed = number_at(word + 3);
  return true;
}

static bool read_pan_flag(reader *r, const char *word)
{
  /* Tables grow, nothing is truncated. */
  static const char *const not_needed[] = {"-b", "-v", "-T", "-hash",
                                           "-X", "-s", NULL};
  static const simple_flag simple[] = {
      SIMPLE('a', acceptance),    SIMPLE('l', progress),
      SIMPLE('f', fair),          SIMPLE('A', no_assertions),
      SIMPLE('E', no_end_states), SIMPLE('n', no_unreached),
      SIMPLE('i', shortest),      SIMPLE('I', shortest)};
  spin_request *q = r->request;
  const char *value;
  if (set_simple(q, word, simple, sizeof simple / sizeof *simple))
    return true;
  if (is_one_of(word, not_needed) || read_order(q, word))
    return true;
  switch (word[1]) {
  case 'm':
  case 'w':
  case 'h':
  case 'k':
  case 'M':
  case 'G':
  case 'x':
    q->keep_trail |= word[1] == 'x';
    return true;
  case 'D':
    if (word[2]) {
      read_macro(q, word + 2);
      return true;
    }
    return refuse("-D", "there are no state tables; see 'nutshell draw'");
  case 'e':
    q->all_trails = true;
    q->errors = q->errors == 1 ? 0 : q->errors;
    return true;
  case 'c':
    q->errors = number_at(word + 2);
    return true;
  case 'Q':
    q->minutes = number_at(word + 2);
    return true;
  case 'N':
    if (!(value = value_of(r, word, 2)))
      return refuse("-N", "it needs a name");
    q->claim = value;
    return true;
  case 't':
    q->suffix = word[2] ? word + 2 : NULL;
    return true;
  case 'r':
  case 'C':
  case 'S':
    q->mode = SPIN_REPLAY;
    q->columns = word[1] == 'C';
    q->statements = word[1] == 'r';
    if (word[2] >= '0' && word[2] <= '9')
      q->trail_number = number_at(word + 2);
    else if (r->at < r->count && r->words[r->at][0] != '-')
      q->trail = r->words[r->at++];
    return true;
  case 'g':
  case 'P':
    return true; /* with -r */
  case 'V':
    q->mode = SPIN_VERSION;
    return true;
  case 'd':
    return refuse(word, "there are no state tables; see 'nutshell draw'");
  case 'q':
    return q->empty_ends = true;
  case 'J':
    return refuse(word, "nested unless is evaluated in one order");
  }
  return refuse(word, "it is no flag of pan");
}

/* Flags of -search that are more than flags of pan. */
static bool read_search_flag(reader *r, const char *word)
{
  static const char *const not_needed[] = {"-collapse", "-dfspar", "-bcs",
                                           NULL};
  spin_request *q = r->request;
  const char *value;
  if (is_one_of(word, not_needed))
    return true;
  if (!strcmp(word, "-bfs") || !strcmp(word, "-bfspar")) {
    q->bfs = true;
    return true;
  }
  if (!strcmp(word, "-bitstate") || !strcmp(word, "-bit") ||
      starts(word, "-biterate") || starts(word, "-swarm")) {
    q->store = "raw+bitstate";
    return true;
  }
  if (!strcmp(word, "-hc")) {
    q->store = "raw+hashcompact";
    return true;
  }
  if (!strcmp(word, "-noreduce"))
    return q->no_reduction = true;
  if (!strcmp(word, "-noclaim"))
    return q->no_claim = true;
  if (!strcmp(word, "-safety"))
    return q->safety = true;
  if (!strcmp(word, "-link"))
    return refuse(word, "C beside the model is not linked");
  if (starts(word, "-O") || starts(word, "-W") || starts(word, "-std"))
    return true; /* of the C compiler */
  if (!strcmp(word, "-ltl")) {
    if (!(value = value_of(r, word, 4)))
      return refuse(word, "it needs a name");
    q->claim = value;
    return true;
  }
  if (!strcmp(word, "-l"))
    q->np = true;
  return read_pan_flag(r, word);
}

/* ---- flags of spin ------------------------------------------------------ */

static bool read_preprocessor(reader *r, const char *word)
{
  spin_request *q = r->request;
  if (word[1] == 'E') {
    const char *inner = word + 2;
    if (starts(inner, "-D") || starts(inner, "-U") || starts(inner, "-I"))
      vec_push(&q->preprocessor, inner);
    return starts(inner, "-") ? true
                              : refuse(word, "it is no flag of a preprocessor");
  }
  vec_push(&q->preprocessor, word);
  return true;
}

static bool read_spin_flag(reader *r, const char *word)
{
  static const char *const not_needed[] = {"-v",  "-w",  "-X",  "-Y",  "-Z",
                                           "-h",  "-o1", "-o2", "-o3", "-o4",
                                           "-o5", "-L",  NULL};
  static const struct {
    char letter;
    const char *why;
  } refused[] = {
      {'A', "there is no slicing; unused variables cost nothing"},
      {'C', "there is no table of channel accesses"},
      {'d', "there is no symbol table"},
      {'J', "nested unless is evaluated in one order"},
      {'M', "there is no chart in Tcl; see 'nutshell check --msc'"},
      {'o', "priorities and semicolons are those of SPIN 6.5"},
      {'P', "no other program reads the model; see --cpp of nutshell"},
      {'S', "pan is not made in parts"},
  };
  static const simple_flag simple[] = {
      SIMPLE('B', no_final),    SIMPLE('b', no_prints), SIMPLE('c', columns),
      SIMPLE('g', globals),     SIMPLE('l', locals),    SIMPLE('p', statements),
      SIMPLE('i', interactive), SIMPLE('s', sends),     SIMPLE('T', no_indent),
      SIMPLE('r', receives)};
  spin_request *q = r->request;
  if (!strcmp(word, "-pp") || !strcmp(word, "-replay")) {
    q->mode = word[1] == 'p' ? SPIN_PRETTY : SPIN_REPLAY;
    return true;
  }
  if (is_one_of(word, not_needed) ||
      set_simple(q, word, simple, sizeof simple / sizeof *simple))
    return true;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (refused[i].letter == word[1])
      return refuse(word, refused[i].why);
  switch (word[1]) {
  case 'a':
    q->mode = SPIN_ANALYSE;
    return true;
  case 'D':
  case 'U':
  case 'E':
    return read_preprocessor(r, word);
  case 'f':
  case 'F':
    *(word[1] == 'f' ? &q->formula : &q->formula_file) = value_of(r, word, 2);
    return true;
  case 'I':
    q->mode = SPIN_INLINE;
    return true;
  case 'j':
    q->skip = number_at(word + 2);
    return true;
  case 'k':
    q->mode = SPIN_REPLAY;
    q->trail = value_of(r, word, 2);
    return true;
  case 'm':
    return q->lossy = true;
  case 'N':
    q->claim_file = value_of(r, word, 2);
    return q->claim_file || refuse(word, "it needs a file");
  case 'n':
    q->has_seed = true;
    q->seed = number_at(word + 2);
    return true;
  case 'e':
    return q->product = true;
  case 'O':
    return true; /* names that it joins are refused by their messages */
  case 'q':
    return true; /* suppresses what is said of one channel: more is said */
  case 't':
    q->mode = SPIN_REPLAY;
    q->trail_number = number_at(word + 2);
    return true;
  case 'u':
    q->steps = number_at(word + 2);
    return true;
  case 'V':
    q->mode = SPIN_VERSION;
    return true;
  }
  return refuse(word, "it is no flag of spin");
}

/* ---- whole lines -------------------------------------------------------- */

/* The words that pan.c passes on: name, macros, and what its user said. */
static bool read_pan_line(reader *r)
{
  spin_request *q = r->request;
  q->mode = SPIN_SEARCH;
  q->is_pan = true;
  q->file = r->at < r->count ? r->words[r->at++] : "model";
  while (r->at < r->count && strcmp(r->words[r->at], "--")) {
    const char *word = r->words[r->at++];
    if (!strcmp(word, "--allow-c"))
      q->allow_c = true;
    else if (!strcmp(word, "--lossy"))
      q->lossy = true;
    else if (starts(word, "-D"))
      read_macro(q, word + 2);
  }
  r->at += r->at < r->count;
  while (r->at < r->count) {
    const char *word = r->words[r->at++];
    if (word[0] != '-' || !word[1]) {
      say("pan: '%s' is no flag\n", word);
      return false;
    }
    if (!read_pan_flag(r, word))
      return false;
  }
  return true;
}

static bool read_spin_line(reader *r)
{
  spin_request *q = r->request;
  bool searching = false;
  while (r->at < r->count) {
    const char *word = r->words[r->at++];
    bool good = true;
    if (!strcmp(word, "-search") || !strcmp(word, "-run")) {
      searching = true;
      q->mode = SPIN_SEARCH;
    } else if (!strcmp(word, "--allow-c")) {
      q->allow_c = true;
    } else if (word[0] != '-' || !word[1]) {
      /* Nothing behind it counts, as in SPIN. */
      q->file = word;
      break;
    } else {
      good = searching ? read_search_flag(r, word) : read_spin_flag(r, word);
    }
    if (!good)
      return false;
  }
  return true;
}

bool spin_request_read(spin_request *q, const char *const *words, size_t count)
{
  *q = (spin_request){.errors = 1};
  reader r = {q, words, count, 0};
  bool good;
  if (count && !strcmp(words[0], "--pan")) {
    r.at = 1;
    good = read_pan_line(&r);
  } else {
    good = read_spin_line(&r);
  }
  if (!q->file && (q->formula || q->formula_file))
    q->mode = SPIN_FORMULA;
  bool needs_file = q->mode != SPIN_VERSION && q->mode != SPIN_FORMULA;
  if (good && needs_file && !q->file) {
    say("spin: error, no filename specified\n");
    good = false;
  }
  if (good && q->progress && !q->np && q->mode == SPIN_SEARCH) {
    say_error("error: -l not available (compile with -DNP)");
    good = false;
  }
  return good;
}

void spin_request_free(spin_request *q)
{
  vec_free(&q->preprocessor);
}
