/* SPIN's command line, and that of its verifier, as one request.
**
**   spin [FLAG]... -search [FLAG of pan]... FILE
**   spin [FLAG]... FILE                 simulation; with -t a replay; -a: pan.c
**   --pan NAME [-DMACRO]... -- [FLAG of pan]...   what pan.c starts: the model is
**                                       on the standard input
**
** docs/spin-flags.md has every flag: the same, mapped, not needed, refused. */

#ifndef NUT_CLI_SPIN_REQUEST_H
#define NUT_CLI_SPIN_REQUEST_H

#include "base/vec.h"
#include "cli/options.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum {
  SPIN_SIMULATE,
  SPIN_ANALYSE, /* -a: write pan.c */
  SPIN_SEARCH,  /* -search, -run, or as pan */
  SPIN_REPLAY,  /* -t; pan -r */
  SPIN_FORMULA, /* -f, -F */
  SPIN_INLINE,  /* -I: the text as it is read */
  SPIN_PRETTY,  /* -pp: the text, formatted */
  SPIN_VERSION
} spin_mode;

typedef struct spin_request {
  spin_mode mode;
  const char *file;         /* the model */
  bool is_pan;              /* it is on the standard input */
  option_list preprocessor; /* "-DN=3" */
  bool allow_c;
  const char *formula, *formula_file;
  const char *claim_file; /* -N of spin: a file with a never claim */

  /* Simulations and replays. */
  bool statements, globals, locals, receives, sends, columns, interactive;
  bool no_prints, no_final, no_indent;
  bool has_seed;
  uint64_t seed, steps, skip;
  const char *trail;
  uint64_t trail_number; /* 0: without a number */

  /* Searches. */
  bool acceptance, progress, fair, shortest, bfs, safety, no_claim;
  bool no_assertions, no_end_states, no_unreached, no_reduction, all_trails;
  bool keep_trail;
  bool np;
  bool lossy;      /* -m of spin */
  bool product;    /* -e of spin: all claims at once */
  bool empty_ends; /* -q of pan */
  bool reverse;    /* -t_reverse, -p_reverse */
  bool permute;    /* -p_permute, -rhash, -RSn */
  uint64_t search_seed;
  uint64_t errors; /* stop after so many; 0: never */
  uint64_t minutes, megabytes;
  const char *store; /* NULL: exact, ours */
  const char *claim; /* -N, -ltl; NULL: the first */
  const char *suffix;
} spin_request;

/* Reads the words.  False after a complaint in SPIN's manner. */
bool spin_request_read(spin_request *, const char *const *words, size_t count);
void spin_request_free(spin_request *);

#endif
