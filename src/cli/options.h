/* The options of the command line, one list.
**
**   KIND(home, field, ..., name, ..., commands, help)
**
** The fields of 'struct options', the parser, the help texts, the manual page
** and the completion come from it.  Sorted by name; the unit tests check that.
** The value of an option lies in its field: of 'nut_options' (home CHECK), of
** 'nut_load' (LOAD), where the library reads it, or of 'options' itself (OWN),
** which the list makes.  Two options of different commands may have one name.
** Kinds:
**   FLAG      no argument; sets a bool
**   LEAVE     no argument; clears a bool
**   NUMBER    whole number lo .. hi; or 'auto', where the argument says so
**   SIZE      bytes, with K, M, G, T as factors of 1024
**   SECONDS   a time: a number, perhaps with a fraction, perhaps s, m or h
**   PICK      one of the words of a list CHOICE(enumerator, word)
**   SWITCH    a bool, 'on' or 'off'; the usual one is named first
**   TEXT      any text
**   LIST      any text, may be given several times; with the field of its count
**   MACRO     likewise, for the preprocessor, which knows it by a letter
**   OPTIONAL  a file name that may be left out (then the text is "")
** The library says what the default of its fields is.  Of our own, numbers have
** one, choices have their first word, flags are off, and there is no text. */

#ifndef NUT_CLI_OPTIONS_H
#define NUT_CLI_OPTIONS_H

#include "base/text/text.h"
#include "base/vec.h"
#include "cli/commands.h"
#include "nutshell.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ON(name) (1u << COMMAND_##name)
#define ON_SEARCH (ON(check) | ON(count))
#define ON_RUN (ON_SEARCH | ON(resume))
#define ON_TRACE (ON(check) | ON(replay) | ON(simulate) | ON(diff) | ON(state))
#define ON_READS                                                               \
  (ON(certificate) | ON(profile) | ON(convert) | ON(draw) | ON(explore) |      \
   ON(properties))
#define ON_MODEL (ON_SEARCH | ON_TRACE | ON_READS)
#define ON_DRAWING (ON(automaton) | ON(draw))
#define ON_ALL                                                                 \
  (ON(automaton) | ON_MODEL | ON(resume) | ON(stores) | ON(test) | ON(help))
/* What a person may say of models that say the rest themselves. */
#define ON_MODELS (ON_MODEL | ON(test))

/* Groups of options in long help texts: name, title.  The group of an option
** stands beside its commands, as IN(name); one without comes under the last
** title. */
#define OPTION_GROUPS(GROUP)                                                   \
  GROUP(FIRST, "What matters most")                                            \
  GROUP(CHECKED, "What is checked")                                            \
  GROUP(HOW, "How")                                                            \
  GROUP(MODEL, "The model")                                                    \
  GROUP(PRINTED, "What is printed and written")                                \
  GROUP(OTHER, "Other options")

typedef enum {
#define GROUP(name, title) GROUP_##name,
  OPTION_GROUPS(GROUP)
#undef GROUP
      GROUPS_
} option_group;

enum { GROUP_SHIFT = 24 }; /* above the commands */
#define IN(name) (1u << (GROUP_SHIFT + GROUP_##name))

/* A number whose default the library says. */
#define AS_LIBRARY UINT64_MAX

/* clang-format off */
/* When colours or progress are shown: auto, on a terminal. */
#define WHENS(CHOICE)                                                          \
  CHOICE(WHEN_AUTO,   "auto")                                                  \
  CHOICE(WHEN_ALWAYS, "always")                                                \
  CHOICE(WHEN_NEVER,  "never")

/* Languages of drawings and automata. */
#define FORMATS(CHOICE)                                                        \
  CHOICE(FORMAT_AUTO,  "auto")                                                 \
  CHOICE(FORMAT_DOT,   "dot")                                                  \
  CHOICE(FORMAT_SVG,   "svg")                                                  \
  CHOICE(FORMAT_HOA,   "hoa")                                                  \
  CHOICE(FORMAT_NEVER, "never")

/* What is drawn. */
#define GRAPHS(CHOICE)                                                         \
  CHOICE(GRAPH_PROCESSES, "processes")                                         \
  CHOICE(GRAPH_STATES,    "states")                                            \
  CHOICE(GRAPH_STORE,     "store")

/* Languages that models are written in. */
#define TARGETS(CHOICE)                                                        \
  CHOICE(TO_PROMELA, "promela")                                                \
  CHOICE(TO_DVE,     "dve")                                                    \
  CHOICE(TO_PNML,    "pnml")                                                   \
  CHOICE(TO_DOT,     "dot")                                                    \
  CHOICE(TO_MODEL,   "model")

#define OPTIONS(FLAG, LEAVE, NUMBER, SIZE, SECONDS, PICK, SWITCH, TEXT, LIST,  \
                MACRO, OPTIONAL)                                               \
  PICK(CHECK, algorithm, "algorithm", NUT_ALGORITHMS, ON(check) | IN(HOW),     \
    "how violations by infinite runs are searched")                            \
  FLAG(LOAD, allow_c, "allow-c", ON_MODELS | IN(MODEL),                        \
    "run C code embedded in the model")                                        \
  PICK(CHECK, base, "base", NUT_BASES, ON_SEARCH | IN(HOW),                    \
    "with --symbolic: diagrams of values, or of bits")                         \
  FLAG(OWN, bash_completion, "bash-completion", ON(help) | IN(PRINTED),        \
    "print a completion script for bash")                                      \
  SIZE(CHECK, buffer_bytes, "buffer", ON_SEARCH | IN(HOW),                     \
    "buffer of the set 'hybrid': 512K, 16M (0: to suit the diagram)")          \
  PICK(CHECK, cache, "cache", NUT_CACHES, ON_SEARCH | IN(HOW),                 \
    "compiled models: kept; finished behind the run, too; not kept")           \
  TEXT(OWN, certificate, "certificate", "FILE", ON(check) | ON(resume) | IN(PRINTED),       \
    "write a proof of what holds to FILE, for 'nutshell-certify'")             \
  FLAG(CHECK, check_engine, "check", ON_SEARCH | IN(HOW),                      \
    "compare native code with the interpreter, step by step")                  \
  FLAG(CHECK, check_overflow, "check-overflow", ON_MODEL | IN(CHECKED),        \
    "a value that does not fit its type is an error")                          \
  TEXT(CHECK, checkpoint, "checkpoint", "FILE", ON_SEARCH | IN(FIRST),         \
    "keep the run in FILE.0 and FILE.1, to go on with 'resume'")               \
  PICK(OWN, color, "color", WHENS, ON_MODEL | ON(resume) | IN(PRINTED),                     \
    "colours in the report (auto: on a terminal)")                             \
  OPTIONAL(OWN, coverage, "coverage", "FILE", ON_RUN | IN(PRINTED),            \
    "how often each statement was executed: text, or FILE.json, FILE.info")    \
  FLAG(LOAD, system_cpp, "cpp", ON_MODELS | IN(MODEL),                         \
    "read Promela with the system's C preprocessor, not the built-in one")     \
  LIST(CHECK, ctl, ctl_count, "ctl", "FORMULA", ON(check) | IN(CHECKED),       \
    "check a CTL formula: 'AG EF ready', 'A[x > 0 U done]'")                   \
  PICK(CHECK, ctl_end, "ctl-end", NUT_CTL_ENDS, ON(check) | IN(CHECKED),       \
    "CTL where nothing can happen: the run ends, or its last state repeats")   \
  LIST(CHECK, ctl_fair, ctl_fair_count, "ctl-fair", "EXPR",                    \
    ON(check) | IN(CHECKED),                                                   \
    "CTL: only runs count on which EXPR is true again and again")              \
  MACRO(LOAD, preprocessor, preprocessor_count, "-D", "define",                \
    "NAME[=VALUE]", ON_MODELS | IN(MODEL),                                     \
    "define a macro for the preprocessor (short: -D)")                         \
  NUMBER(CHECK, depth, "depth", "N", AS_LIBRARY, 0, UINT32_MAX,                \
    ON_SEARCH | IN(HOW),                                                       \
    "search no deeper than N steps (0: no limit)")                             \
  TEXT(CHECK, disk, "disk", "DIR", ON_RUN | IN(FIRST),                         \
    "when memory is used up, go on with files below DIR")                      \
  FLAG(LOAD, empty_ends, "empty-ends", ON_MODEL | IN(CHECKED),                 \
    "an end with messages left in a channel is an error")                      \
  PICK(CHECK, engine, "engine", NUT_ENGINES, ON_SEARCH | IN(HOW),              \
    "how steps are computed (auto: compiled when it pays)")                    \
  SECONDS(CHECK, checkpoint_every, "every", 1000000000, ON_RUN | IN(HOW),      \
    "with --checkpoint, write every TIME (default 10m; 0: all the time)")      \
  TEXT(CHECK, examination, "examination", "NAME", ON(check) | IN(CHECKED),     \
    "answer an examination of the Model Checking Contest (nets)")              \
  FLAG(CHECK, explain, "explain", ON(check) | IN(CHECKED),                     \
    "fold steps that do not matter; tell when the error was unavoidable")      \
  PICK(CHECK, fair, "fair", NUT_FAIRS, ON(check) | IN(FIRST),                  \
    "which infinite runs count: all, or those fair to processes")              \
  FLAG(OWN, fish_completion, "fish-completion", ON(help) | IN(PRINTED),        \
    "print completion for fish")                                               \
  PICK(OWN, format, "format", FORMATS, ON_DRAWING,                             \
    "language of the output (auto: a never claim, or dot)")                    \
  TEXT(CHECK, formulas, "formulas", "FILE", ON(check) | IN(CHECKED),           \
    "check the contest's formulas in FILE (nets)")                             \
  NUMBER(OWN, from, "from", "N", 0, 0, UINT32_MAX, ON(replay) | IN(PRINTED),   \
    "show only steps from number N on")                                        \
  FLAG(OWN, generalised, "generalised", ON(automaton),                         \
    "accept by several sets of edges (not as a never claim)")                  \
  SECONDS(CHECK, checkpoint_grace, "grace", 1000000000, ON_RUN | IN(HOW),      \
    "when the system ends us, write if it takes no longer (default 10s)")      \
  PICK(OWN, graph, "graph", GRAPHS, ON(draw),                                  \
    "what is drawn")                                                           \
  TEXT(OWN, growth, "growth", "FILE", ON_RUN | IN(PRINTED),                 \
    "write memory, nodes and time against states to FILE (CSV)")               \
  NUMBER(CHECK, hashes, "hashes", "K", AS_LIBRARY, 1, 32,                      \
    ON_SEARCH | IN(HOW),                                                       \
    "bits for each state in the set 'bitstate'")                               \
  FLAG(OWN, help, "help", ON_ALL | IN(PRINTED),                                \
    "explain the command")                                                     \
  TEXT(OWN, host, "host", "ADDRESS", ON(explore),                              \
    "serve on this address, not on 127.0.0.1: others can reach it")            \
  TEXT(OWN, hosts, "hosts", "FILE", ON_RUN | IN(HOW),                          \
    "with --ranks: the machines, one to a line: 'NAME slots=N'")               \
  MACRO(LOAD, preprocessor, preprocessor_count, "-I", "include", "DIR",        \
    ON_MODELS | IN(MODEL),                                                     \
    "look for included files in DIR (short: -I)")                              \
  FLAG(OWN, inline_traces, "inline-traces", ON_RUN | IN(PRINTED),           \
    "put the traces into the JSON of the result")                              \
  FLAG(OWN, interactive, "interactive", ON(simulate),                          \
    "choose each step yourself")                                               \
  LIST(CHECK, invariants, invariant_count, "invariant", "EXPR",                \
    ON(check) | IN(CHECKED),                                                   \
    "EXPR is true in every state")                                             \
  NUMBER(OWN, jobs, "jobs", "N", 0, 0, 256, ON(test),                          \
    "models that are tried at a time (0: as many as there are processors)")    \
  OPTIONAL(OWN, json, "json", "FILE", ON_RUN | ON(test) | ON(diff) | ON(profile) | ON(state) | ON(replay) | IN(PRINTED),      \
    "write the result as JSON to FILE (default: standard output)")             \
  TEXT(LOAD, language, "language", "NAME", ON_MODEL | IN(MODEL),               \
    "read the model as promela, dve, gaston, lpn, stg or pnml")                \
  FLAG(LOAD, lossy, "lossy", ON_MODEL | IN(MODEL),                             \
    "a message that is sent to a full channel is lost")                        \
  LIST(CHECK, ltl, ltl_count, "ltl", "FORMULA", ON(check) | IN(FIRST),         \
    "the LTL formula is true of every run")                                    \
  FLAG(OWN, man, "man", ON(help) | IN(PRINTED),                                \
    "print the manual page (troff)")                                           \
  NUMBER(CHECK, max_errors, "max-errors", "N", AS_LIBRARY, 0, UINT32_MAX,      \
    ON(check) | IN(CHECKED),                                                   \
    "stop after N errors of single states (0: never)")                         \
  FLAG(OWN, mcc, "mcc", ON(check) | IN(PRINTED),                               \
    "answer in the format of the Model Checking Contest (nets)")               \
  SIZE(LOAD, memory_bytes, "memory", ON_MODELS | ON(resume) | IN(FIRST),                    \
    "use no more memory than SIZE: 512M, 4G (0: no limit)")                    \
  SWITCH(CHECK, merge, "merge", "on|off", ON(check) | IN(HOW),                 \
    "go on with steps that concern only their process")                        \
  TEXT(OWN, msc, "msc", "FILE", ON_TRACE | ON(resume) | IN(PRINTED),                        \
    "write a message sequence chart to FILE.svg or FILE.mmd")                  \
  FLAG(OWN, negate, "negate", ON(automaton),                                   \
    "translate the negation of the formula")                                   \
  TEXT(CHECK, net_steps, "net-steps", "WORDS", ON_SEARCH | IN(HOW),            \
    "nets: none, all, or some of walks,equation,z3,reductions,stubborn")       \
  LEAVE(CHECK, deadlocks, "no-deadlock", ON(check) | IN(CHECKED),              \
    "do not report invalid end states")                                        \
  LEAVE(CHECK, liveness, "no-liveness", ON(check) | IN(CHECKED),               \
    "leave out properties about infinite runs")                                \
  FLAG(OWN, no_open, "no-open", ON(explore),                                   \
    "print the address, and open no browser")                                  \
  TEXT(OWN, observe, "observe", "NAMES", ON(diff),                             \
    "compare only these global variables and channels: x,c")                   \
  TEXT(OWN, only, "only", "NAMES", ON(replay) | IN(PRINTED),                   \
    "show only steps of these processes, channels and variables: P(1),c")      \
  PICK(CHECK, order, "order", NUT_ORDERS, ON_SEARCH | ON(draw) | IN(HOW),      \
    "order of the elements in a diagram (stores: declared)")                   \
  TEXT(OWN, output, "output", "FILE", ON(convert),                             \
    "write to FILE (short: -o; default: standard output)")                     \
  FLAG(LOAD, plugin, "plugin", ON_MODEL | IN(MODEL),                           \
    "FILE is a shared object that computes states and steps, and is run")      \
  PICK(CHECK, por, "por", NUT_PORS, ON_SEARCH | IN(HOW),                       \
    "explore fewer orders of independent steps (count: all)")                  \
  NUMBER(OWN, port, "port", "N", 0, 0, 65535, ON(explore),                     \
    "the port of the page (0: one that is free)")                              \
  PICK(OWN, progress, "progress", WHENS, ON_RUN | IN(PRINTED),              \
    "progress line on the standard error (auto: on a terminal)")               \
  TEXT(CHECK, property_file, "properties", "FILE", ON(check) | IN(CHECKED),    \
    "check the properties in FILE, one to a line: 'ctl name: AG EF ready'")    \
  LIST(CHECK, properties, property_count, "property", "NAME",                  \
    ON(check) | IN(FIRST),                                                     \
    "check only the property NAME; may be repeated")                           \
  FLAG(OWN, quiet, "quiet", ON_MODELS | ON(resume) | ON(stores) | IN(PRINTED),              \
    "print only the verdict, or only names (short: -q)")                       \
  NUMBER(OWN, ranks, "ranks", "N", 0, 0, 4096, ON_RUN | IN(HOW),               \
    "divide the search among N processes, which mpirun starts")                \
  LIST(CHECK, reach, reach_count, "reach", "EXPR", ON(check) | IN(CHECKED),    \
    "EXPR is true in some state (holds with a witness)")                       \
  NUMBER(CHECK, reduce_every, "reduce-every", "N", AS_LIBRARY, 0, UINT32_MAX,  \
    ON_SEARCH | IN(HOW),                                                       \
    "set 'sharing': share ends of states every N states only (0: always)")     \
  SWITCH(CHECK, reorder, "reorder", "off|on", ON_SEARCH | IN(HOW),             \
    "with --base bdd: improve the order when the diagram has doubled")         \
  LIST(OWN, reports, report_count, "report", "KIND[=FILE]",                    \
    ON_RUN | ON(test) | IN(PRINTED),                                        \
    "write json, junit, sarif, github, tap or html; may be repeated")                \
  SWITCH(CHECK, reset_dead, "reset-dead", "on|off", ON(check) | IN(HOW),       \
    "forget values that are not read again")                                   \
  FLAG(CHECK, reverse, "reverse", ON_SEARCH | IN(HOW),                         \
    "take the steps of a state in the opposite order")                         \
  PICK(CHECK, search, "search", NUT_SEARCHES, ON_SEARCH | IN(HOW),             \
    "order in which states are visited")                                       \
  NUMBER(OWN, seed, "seed", "N", 0, 0, INT64_MAX, ON(simulate),                \
    "seed of the random choices (0: a new one each time, which is told)")      \
  FLAG(CHECK, shortest, "shortest", ON(check) | IN(FIRST),                     \
    "find a shortest counterexample (implies --search bfs)")                   \
  NUMBER(CHECK, shuffle, "shuffle", "SEED", AS_LIBRARY, 0, UINT32_MAX,         \
    ON_SEARCH | IN(HOW),                                                       \
    "take steps in an order that SEED chooses (0: as they are written)")       \
  FLAG(OWN, spec, "spec", ON(diff),                                            \
    "only whether NEW does nothing that OLD does not")                         \
  FLAG(OWN, show_state, "state", ON(replay) | IN(PRINTED),                     \
    "show the whole state after each step that is shown")                      \
  NUMBER(OWN, most_states, "states", "N", 200000, 0, UINT32_MAX, ON(profile),  \
    "look at no more than N states (0: all)")                                  \
  NUMBER(OWN, steps, "steps", "N", 1000, 0, UINT32_MAX, ON(simulate),          \
    "stop after N steps (0: no limit)")                                        \
  TEXT(CHECK, store, "store", "CODEC+SET", ON_SEARCH | ON(draw) | IN(HOW),     \
    "how states are kept; see 'nutshell stores'")                              \
  PICK(CHECK, strategy, "strategy", NUT_STRATEGIES, ON_SEARCH | IN(HOW),       \
    "with --symbolic: how the reachable states are found")                     \
  FLAG(CHECK, symbolic, "symbolic", ON_SEARCH | IN(HOW),                       \
    "compute with sets of states, kept in a decision diagram")                 \
  NUMBER(CHECK, threads, "threads", "N|auto", AS_LIBRARY, 0, 256,              \
    ON_RUN | IN(HOW),                                                       \
    "threads of a search by levels (auto, the default: all cores)")            \
  SECONDS(LOAD, seconds, "time", 1000000000, ON_MODELS | ON(resume) | IN(FIRST),            \
    "stop after TIME: 90, 90s, 5m, 2h (0: no limit)")                          \
  PICK(OWN, to, "to", TARGETS, ON(convert),                                    \
    "the language to write")                                                   \
  NUMBER(OWN, to_step, "to", "N", 0, 0, UINT32_MAX, ON(replay) | IN(PRINTED),  \
    "show only steps up to number N (0: all)")                                 \
  TEXT(OWN, trace, "trace", "FILE", ON_TRACE | ON(resume) | IN(PRINTED),                    \
    "write the trace as JSON to FILE")                                         \
  TEXT(OWN, marked, "trace", "FILE", ON(draw),                                 \
    "mark the run in FILE, a trace in JSON or a trail")                        \
  OPTIONAL(OWN, trail, "trail", "FILE", ON_TRACE | ON(resume) | IN(PRINTED),                \
    "write the trace for 'spin -t' (default: MODEL.trail)")                    \
  MACRO(LOAD, preprocessor, preprocessor_count, "-U", "undefine", "NAME",      \
    ON_MODELS | IN(MODEL),                                                     \
    "forget a macro of the preprocessor (short: -U)")                          \
  FLAG(OWN, verbose, "verbose", ON_MODEL | ON(resume) | IN(PRINTED),                        \
    "print everything: whole traces, all unreached lines (short: -v)")         \
  FLAG(OWN, version, "version", ON_ALL | IN(PRINTED),                          \
    "print the version")                                                       \
  FLAG(OWN, zsh_completion, "zsh-completion", ON(help) | IN(PRINTED),          \
    "print completion for zsh")
/* clang-format on */

enum { WHENS(NUT_CHOICE_) };
enum { FORMATS(NUT_CHOICE_) };
enum { GRAPHS(NUT_CHOICE_) };
enum { TARGETS(NUT_CHOICE_) };

typedef VEC(const char *) option_list;

/* The texts that were given for an array of the library. */
typedef struct option_texts {
  size_t offset; /* of the array, in 'struct options' */
  option_list list;
} option_texts;

#define FIELD_OWN(type, field) type field;
#define FIELD_CHECK(type, field)
#define FIELD_LOAD(type, field)
#define FIELD_FLAG(home, field, ...) FIELD_##home(bool, field)
#define FIELD_NUMBER(home, field, ...) FIELD_##home(uint64_t, field)
#define FIELD_SECONDS(home, field, ...) FIELD_##home(double, field)
#define FIELD_PICK(home, field, ...) FIELD_##home(unsigned, field)
#define FIELD_TEXT(home, field, ...) FIELD_##home(const char *, field)
#define FIELD_LIST(home, field, count, ...)                                    \
  FIELD_##home(const char *const *, field) FIELD_##home(size_t, count)
#define FIELD_NONE(...)

/* An option as it was given: of a flag the value is "". */
typedef struct given_option {
  const struct option_entry *entry;
  const char *value;
} given_option;

/* The values of all options.  Texts point into argv or into 'kept'. */
struct options {
  const command *command;
  option_list files;
  nut_options check; /* for 'nut_check' and 'nut_count' */
  nut_load load;     /* for 'nut_load_file' */
  VEC(option_texts) texts;
  VEC(given_option) given; /* in their order */
  VEC(char *) kept;
  OPTIONS(FIELD_FLAG, FIELD_FLAG, FIELD_NUMBER, FIELD_NUMBER, FIELD_SECONDS,
          FIELD_PICK, FIELD_FLAG, FIELD_TEXT, FIELD_LIST, FIELD_NONE,
          FIELD_TEXT)
};

typedef enum {
  KIND_FLAG,
  KIND_LEAVE,
  KIND_NUMBER,
  KIND_SIZE,
  KIND_SECONDS,
  KIND_PICK,
  KIND_SWITCH,
  KIND_TEXT,
  KIND_LIST,
  KIND_MACRO,
  KIND_OPTIONAL
} option_kind;

typedef struct option_entry {
  option_kind kind;
  const char *name, *argument; /* "": it has none */
  unsigned on;
  const char *help;
  size_t offset, bytes; /* of its field in 'struct options' */
  uint64_t standard, lo, hi;
  size_t count_offset; /* LIST, MACRO: of the field with the length */
  const char *letter;  /* MACRO: "-D" */
} option_entry;

#define AT_OWN(field) offsetof(options, field)
#define AT_CHECK(field) offsetof(options, check.field)
#define AT_LOAD(field) offsetof(options, load.field)
#define BYTES_OWN(field) sizeof(((options *)NULL)->field)
#define BYTES_CHECK(field) sizeof(((options *)NULL)->check.field)
#define BYTES_LOAD(field) sizeof(((options *)NULL)->load.field)

#define CHOICE_WORD(name, word) "|" word
/* "dfs|bfs" */
#define CHOICE_WORDS(LIST) &(LIST(CHOICE_WORD))[1]

#define ENTRY(kind_, home, field, name_, argument_, on_, help_)                \
  .kind = KIND_##kind_, .name = name_, .argument = argument_, .on = on_,       \
  .help = help_, .offset = AT_##home(field), .bytes = BYTES_##home(field)
/* clang-format off */
#define ENTRY_FLAG(home, field, name, on, help)                                \
  {ENTRY(FLAG, home, field, name, "", on, help)},
#define ENTRY_LEAVE(home, field, name, on, help)                               \
  {ENTRY(LEAVE, home, field, name, "", on, help)},
#define ENTRY_NUMBER(home, field, name, argument, standard_, lo_, hi_, on, help) \
  {ENTRY(NUMBER, home, field, name, argument, on, help),                       \
   .standard = standard_, .lo = lo_, .hi = hi_},
#define ENTRY_SIZE(home, field, name, on, help)                                \
  {ENTRY(SIZE, home, field, name, "SIZE", on, help)},
#define ENTRY_SECONDS(home, field, name, hi_, on, help)                        \
  {ENTRY(SECONDS, home, field, name, "TIME", on, help), .hi = hi_},
#define ENTRY_PICK(home, field, name, LIST, on, help)                          \
  {ENTRY(PICK, home, field, name, CHOICE_WORDS(LIST), on, help)},
#define ENTRY_SWITCH(home, field, name, words, on, help)                       \
  {ENTRY(SWITCH, home, field, name, words, on, help)},
#define ENTRY_TEXT(home, field, name, argument, on, help)                      \
  {ENTRY(TEXT, home, field, name, argument, on, help)},
#define ENTRY_LIST(home, field, count, name, argument, on, help)               \
  {ENTRY(LIST, home, field, name, argument, on, help),                         \
   .count_offset = AT_##home(count)},
#define ENTRY_MACRO(home, field, count, letter_, name, argument, on, help)     \
  {ENTRY(MACRO, home, field, name, argument, on, help),                        \
   .count_offset = AT_##home(count), .letter = letter_},
#define ENTRY_OPTIONAL(home, field, name, argument, on, help)                  \
  {ENTRY(OPTIONAL, home, field, name, argument, on, help)},
/* clang-format on */

/* The initializer of an array of entries. */
#define OPTION_ENTRIES                                                         \
  OPTIONS(ENTRY_FLAG, ENTRY_LEAVE, ENTRY_NUMBER, ENTRY_SIZE, ENTRY_SECONDS,    \
          ENTRY_PICK, ENTRY_SWITCH, ENTRY_TEXT, ENTRY_LIST, ENTRY_MACRO,       \
          ENTRY_OPTIONAL)

extern const option_entry option_table[];
extern const size_t option_count;

/* The default of a NUMBER, PICK or SWITCH. */
uint64_t option_default(const option_entry *);

/* Reads argv[first..argc-1] for 'options->command'.  On false 'error' says
** what is wrong and 'hint' (perhaps empty) what may help. */
bool options_parse(options *, const command *, int argc, char **argv, int first,
                   text *error, text *hint);
void options_free(options *);

#endif
