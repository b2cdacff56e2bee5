/* The options of the command line, one list.
**
**   OPTION(kind, field, name, argument, default, lo, hi, commands, help)
**
** The fields of 'struct options', the parser, the help texts, the manual page
** and the completion come from it.  Sorted by name; the unit tests check that.
** Kinds:
**   FLAG      no argument; sets a bool
**   NUMBER    whole number lo .. hi
**   SIZE      bytes, with K, M, G, T as factors of 1024; lo .. hi
**   SECONDS   a number, perhaps with a fraction; lo .. hi
**   PICK      one of the words in 'argument', separated by |
**   TEXT      any text
**   LIST      any text, may be given several times
**   OPTIONAL  a file name that may be left out (then the text is "")
** The default is a number (PICK: index of the word); texts have none. */

#ifndef NUT_CLI_OPTIONS_H
#define NUT_CLI_OPTIONS_H

#include "base/text.h"
#include "base/vec.h"
#include "cli/commands.h"
#include <stdbool.h>
#include <stdint.h>

#define ON(name) (1u << COMMAND_##name)
#define ON_SEARCH (ON(check) | ON(count))
#define ON_TRACE (ON(check) | ON(replay) | ON(simulate))
#define ON_MODEL (ON_SEARCH | ON_TRACE | ON(convert) | ON(draw))
#define ON_DRAWING (ON(automaton) | ON(draw))
#define ON_ALL (ON(automaton) | ON_MODEL | ON(stores) | ON(help))

/* clang-format off */
#define OPTIONS(OPTION)                                                        \
  OPTION(PICK, algorithm, "algorithm", "nested|scc|auto", 2, 0, 2, ON(check),  \
    "how violations by infinite runs are searched")                            \
  OPTION(FLAG, allow_c, "allow-c", "", 0, 0, 1, ON_MODEL,                      \
    "run C code embedded in the model")                                        \
  OPTION(PICK, base, "base", "mdd|bdd", 0, 0, 1, ON_SEARCH,                    \
    "with --symbolic: diagrams of values, or of bits")                         \
  OPTION(FLAG, bash_completion, "bash-completion", "", 0, 0, 1, ON(help),      \
    "print a completion script for bash")                                      \
  OPTION(SIZE, buffer, "buffer", "SIZE", 0, 0, INT64_MAX, ON_SEARCH,           \
    "buffer of the set 'hybrid': 512K, 16M (0: to suit the diagram)")          \
  OPTION(FLAG, check, "check", "", 0, 0, 1, ON_SEARCH,                         \
    "compare native code with the interpreter, step by step")                  \
  OPTION(FLAG, check_overflow, "check-overflow", "", 0, 0, 1, ON_MODEL,        \
    "a value that does not fit its type is an error")                          \
  OPTION(PICK, color, "color", "auto|always|never", 0, 0, 2, ON_MODEL,         \
    "colours in the report (auto: on a terminal)")                             \
  OPTION(FLAG, cpp, "cpp", "", 0, 0, 1, ON_MODEL,                              \
    "read Promela with the system's C preprocessor, not the built-in one")     \
  OPTION(LIST, ctl, "ctl", "FORMULA", 0, 0, 0, ON(check),                      \
    "check a CTL formula: 'AG EF ready', 'A[x > 0 U done]'")                   \
  OPTION(PICK, ctl_end, "ctl-end", "auto|end|stutter", 0, 0, 2, ON(check),     \
    "CTL where nothing can happen: the run ends, or its last state repeats")   \
  OPTION(LIST, ctl_fair, "ctl-fair", "EXPR", 0, 0, 0, ON(check),               \
    "CTL: only runs count on which EXPR is true again and again")              \
  OPTION(LIST, define, "define", "NAME[=VALUE]", 0, 0, 0, ON_MODEL,            \
    "define a macro for the preprocessor (short: -D)")                         \
  OPTION(NUMBER, depth, "depth", "N", 0, 0, UINT32_MAX, ON_SEARCH,             \
    "search no deeper than N steps (0: no limit)")                             \
  OPTION(PICK, engine, "engine", "auto|interpreted|native", 0, 0, 2, ON_SEARCH,\
    "how steps are computed (auto: compiled when it pays)")                    \
  OPTION(TEXT, examination, "examination", "NAME", 0, 0, 0, ON(check),         \
    "answer an examination of the Model Checking Contest (nets)")              \
  OPTION(PICK, fair, "fair", "none|weak|strong", 0, 0, 2, ON(check),           \
    "which infinite runs count: all, or those fair to processes")              \
  OPTION(PICK, format, "format", "auto|dot|svg|hoa|never", 0, 0, 4, ON_DRAWING,\
    "language of the output (auto: a never claim, or dot)")                    \
  OPTION(TEXT, formulas, "formulas", "FILE", 0, 0, 0, ON(check),               \
    "check the contest's formulas in FILE (nets)")                             \
  OPTION(FLAG, generalised, "generalised", "", 0, 0, 1, ON(automaton),         \
    "accept by several sets of edges (not as a never claim)")                  \
  OPTION(PICK, graph, "graph", "processes|states|store", 0, 0, 2, ON(draw),    \
    "what is drawn")                                                           \
  OPTION(TEXT, growth, "growth", "FILE", 0, 0, 0, ON_SEARCH,                   \
    "write memory, nodes and time against states to FILE (CSV)")               \
  OPTION(NUMBER, hashes, "hashes", "K", 3, 1, 32, ON_SEARCH,                   \
    "bits for each state in the set 'bitstate'")                               \
  OPTION(FLAG, help, "help", "", 0, 0, 1, ON_ALL,                              \
    "explain the command")                                                     \
  OPTION(LIST, include, "include", "DIR", 0, 0, 0, ON_MODEL,                   \
    "look for included files in DIR (short: -I)")                              \
  OPTION(FLAG, interactive, "interactive", "", 0, 0, 1, ON(simulate),          \
    "choose each step yourself")                                               \
  OPTION(LIST, invariant, "invariant", "EXPR", 0, 0, 0, ON(check),             \
    "EXPR is true in every state")                                             \
  OPTION(OPTIONAL, json, "json", "FILE", 0, 0, 0, ON_SEARCH,                   \
    "write the result as JSON to FILE (default: standard output)")             \
  OPTION(LIST, ltl, "ltl", "FORMULA", 0, 0, 0, ON(check),                      \
    "the LTL formula is true of every run")                                    \
  OPTION(FLAG, man, "man", "", 0, 0, 1, ON(help),                              \
    "print the manual page (troff)")                                           \
  OPTION(NUMBER, max_errors, "max-errors", "N", 1, 0, UINT32_MAX, ON(check),   \
    "stop after N errors of single states (0: never)")                          \
  OPTION(FLAG, mcc, "mcc", "", 0, 0, 1, ON(check),                             \
    "answer in the format of the Model Checking Contest (nets)")               \
  OPTION(SIZE, memory, "memory", "SIZE", 0, 0, INT64_MAX, ON_MODEL,            \
    "use no more memory than SIZE: 512M, 4G (0: no limit)")                    \
  OPTION(PICK, merge, "merge", "on|off", 0, 0, 1, ON(check),                   \
    "go on with steps that concern only their process")                        \
  OPTION(TEXT, msc, "msc", "FILE", 0, 0, 0, ON_TRACE,                          \
    "write a message sequence chart to FILE.svg or FILE.mmd")                  \
  OPTION(FLAG, negate, "negate", "", 0, 0, 1, ON(automaton),                   \
    "translate the negation of the formula")                                   \
  OPTION(FLAG, no_deadlock, "no-deadlock", "", 0, 0, 1, ON(check),             \
    "do not report invalid end states")                                        \
  OPTION(FLAG, no_liveness, "no-liveness", "", 0, 0, 1, ON(check),             \
    "leave out properties about infinite runs")                                \
  OPTION(PICK, order, "order",                                                 \
    "force|declared|dependency|varying|learned|interleaved", 0, 0, 5,          \
    ON_SEARCH | ON(draw),                                                      \
    "order of the elements in a diagram (stores: declared)")                   \
  OPTION(TEXT, output, "output", "FILE", 0, 0, 0, ON(convert),                 \
    "write to FILE (short: -o; default: standard output)")                     \
  OPTION(PICK, por, "por", "off|on|ample|stubborn", 1, 0, 3, ON_SEARCH,        \
    "explore fewer orders of independent steps (count: all)")                  \
  OPTION(PICK, progress, "progress", "auto|always|never", 0, 0, 2, ON_SEARCH,  \
    "progress line on the standard error (auto: on a terminal)")               \
  OPTION(TEXT, properties, "properties", "FILE", 0, 0, 0, ON(check),           \
    "check the properties in FILE, one to a line: 'ctl name: AG EF ready'")    \
  OPTION(LIST, property, "property", "NAME", 0, 0, 0, ON(check),               \
    "check only the property NAME; may be repeated")                           \
  OPTION(FLAG, quiet, "quiet", "", 0, 0, 1, ON_MODEL | ON(stores),             \
    "print only the verdict, or only names (short: -q)")                                      \
  OPTION(LIST, reach, "reach", "EXPR", 0, 0, 0, ON(check),                     \
    "EXPR is true in some state (holds with a witness)")                       \
  OPTION(NUMBER, reduce_every, "reduce-every", "N", 0, 0, UINT32_MAX,          \
    ON_SEARCH,                                                                 \
    "set 'sharing': share ends of states every N states only (0: always)")     \
  OPTION(PICK, reorder, "reorder", "off|on", 0, 0, 1, ON_SEARCH,               \
    "with --base bdd: improve the order when the diagram has doubled")         \
  OPTION(PICK, reset_dead, "reset-dead", "on|off", 0, 0, 1, ON(check),         \
    "forget values that are not read again")                                   \
  OPTION(PICK, search, "search", "dfs|bfs", 0, 0, 1, ON_SEARCH,                \
    "order in which states are visited")                                       \
  OPTION(NUMBER, seed, "seed", "N", 1, 0, INT64_MAX, ON(simulate),             \
    "seed of the random choices")                                              \
  OPTION(FLAG, shortest, "shortest", "", 0, 0, 1, ON(check),                   \
    "find a shortest counterexample (implies --search bfs)")                   \
  OPTION(NUMBER, steps, "steps", "N", 1000, 0, UINT32_MAX, ON(simulate),       \
    "stop after N steps (0: no limit)")                                        \
  OPTION(TEXT, store, "store", "CODEC+SET", 0, 0, 0, ON_SEARCH | ON(draw),     \
    "how states are kept; see 'nutshell stores'")                              \
  OPTION(PICK, strategy, "strategy", "saturation|chaining|bfs", 0, 0, 2, ON_SEARCH, \
    "with --symbolic: how the reachable states are found")                     \
  OPTION(FLAG, symbolic, "symbolic", "", 0, 0, 1, ON_SEARCH,                   \
    "compute with sets of states, kept in a decision diagram")                 \
  OPTION(NUMBER, threads, "threads", "N", 1, 1, 1, ON_SEARCH,                  \
    "number of threads")                                                       \
  OPTION(SECONDS, time, "time", "SECONDS", 0, 0, 1000000000, ON_MODEL,         \
    "stop after SECONDS (0: no limit)")                                        \
  OPTION(PICK, to, "to", "promela|dve|pnml|dot", 0, 0, 3, ON(convert),         \
    "the language to write")                                                   \
  OPTION(TEXT, trace, "trace", "FILE", 0, 0, 0, ON_TRACE,                      \
    "write the trace as JSON to FILE")                                         \
  OPTION(OPTIONAL, trail, "trail", "FILE", 0, 0, 0, ON_TRACE,                  \
    "write the trace for 'spin -t' (default: MODEL.trail)")                    \
  OPTION(LIST, undefine, "undefine", "NAME", 0, 0, 0, ON_MODEL,                \
    "forget a macro of the preprocessor (short: -U)")                          \
  OPTION(FLAG, verbose, "verbose", "", 0, 0, 1, ON_MODEL,                      \
    "print everything: whole traces, all unreached lines (short: -v)")         \
  OPTION(FLAG, version, "version", "", 0, 0, 1, ON_ALL,                        \
    "print the version")
/* clang-format on */

typedef VEC(const char *) option_list;

#define FIELD_FLAG(name) bool name;
#define FIELD_NUMBER(name) uint64_t name;
#define FIELD_SIZE(name) uint64_t name;
#define FIELD_SECONDS(name) double name;
#define FIELD_PICK(name) unsigned name;
#define FIELD_TEXT(name) const char *name;
#define FIELD_LIST(name) option_list name;
#define FIELD_OPTIONAL(name) const char *name;

/* The values of all options.  Texts point into argv or into 'kept'. */
struct options {
  const command *command;
  option_list files;
  /* -D, -U and -I in the order they were given, as "-DNAME". */
  option_list preprocessor;
  VEC(char *) kept;
#define OPTION(kind, field, name, arg, standard, lo, hi, on, help)             \
  FIELD_##kind(field)
  OPTIONS(OPTION)
#undef OPTION
};

typedef enum {
  KIND_FLAG,
  KIND_NUMBER,
  KIND_SIZE,
  KIND_SECONDS,
  KIND_PICK,
  KIND_TEXT,
  KIND_LIST,
  KIND_OPTIONAL
} option_kind;

typedef struct option_entry {
  option_kind kind;
  const char *name, *argument;
  uint64_t standard, lo, hi;
  unsigned on;
  const char *help;
  size_t offset; /* of its field in 'struct options' */
} option_entry;

extern const option_entry option_table[];
extern const size_t option_count;

/* Reads argv[first..argc-1] for 'options->command'.  On false 'error' says
** what is wrong and 'hint' (perhaps empty) what may help. */
bool options_parse(options *, const command *, int argc, char **argv, int first,
                   text *error, text *hint);
void options_free(options *);

#endif
