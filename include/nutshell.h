/* Nutshell as a library: load a model, check it, read the result and walk
** through the counterexample (examples/api/check.c); and walk through the states
** of a model (examples/api/walk.c).  docs/library.md is the guide.
**
**   nut_load     load = nut_load_defaults();
**   nut_model   *model = nut_load_file("peterson.pml", &load);
**   nut_options  options = nut_default_options();
**   nut_result  *result = nut_check(model, &options);
**   if (nut_result_verdict(result) == NUT_VIOLATED) ...
**   nut_result_free(result);
**   nut_model_free(model);
**
** The library never prints and never ends the process.  Where a call can fail,
** the object it returns knows why: ask 'nut_model_messages' or
** 'nut_result_messages'.  NULL is returned only when there is no memory.
** Texts belong to the object they were asked from, and live as long as it.
** One model may be used by one thread at a time; different models by different
** threads.  A result must be freed before its model. */

#ifndef NUTSHELL_H
#define NUTSHELL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface.  It grows by one, at most once in a release,
** when a program that was compiled with the header before could go wrong: a
** struct has a new field, a number of an enum has changed, a function means
** something else.  What was only added, a function or an enumerator at the end,
** does not count.  A program that may meet another library than it was compiled
** for compares NUT_API with nut_api() before it calls anything else.
**
**   2   loading and options have more fields than in 1
**   3   loading has limits, which count for what follows as well; 'deadlocks'
**       and 'liveness' say what is checked, not what is left out
**   4   loading can be told the language; steps have numbers
**   5   options have 'coverage' and 'explain', steps 'folded' and 'written';
**       loading has 'plugin', 'within', 'lossy', 'empty_ends', 'checkpoint';
**       languages more */
#define NUT_API 5

const char *nut_version(void);    /* "0.2.0", of the library linked */
const char *nut_built_with(void); /* compiler and libraries */
int nut_api(void);

typedef struct nut_model nut_model;
typedef struct nut_checkpoint nut_checkpoint;
typedef struct nut_ranks nut_ranks;
typedef struct nut_result nut_result;
typedef struct nut_trace nut_trace;

/* Takes the bytes of a text, which do not end with 0. */
typedef void nut_sink(void *context, const char *bytes, size_t length);

/* A place in a source: lines and columns from 1, columns in bytes; 0: not
** known.  The end is behind the last byte. */
typedef struct nut_place {
  const char *file; /* NULL: nowhere */
  uint32_t line, column, end_line, end_column;
} nut_place;

/* The numbers are also the exit statuses of the program 'nutshell'. */
typedef enum nut_verdict {
  NUT_HOLDS = 0,
  NUT_VIOLATED = 1,
  NUT_ERROR = 2,  /* bad input or bad options: see the messages */
  NUT_UNKNOWN = 3 /* a limit was reached, or something cannot be checked */
} nut_verdict;

const char *nut_verdict_name(nut_verdict); /* "holds" */

/* Languages of texts that are written. */
typedef enum nut_format {
  NUT_TEXT, /* for people */
  NUT_JSON,
  NUT_TRAIL,   /* traces only: for 'spin -t' */
  NUT_MERMAID, /* traces only: message sequence charts */
  NUT_SVG,
  NUT_DOT,     /* drawings and automata, for Graphviz */
  NUT_PROMELA, /* conversions */
  NUT_DVE,
  NUT_PNML,
  NUT_NEVER, /* automata: a never claim */
  NUT_HOA,   /* automata */
  NUT_LCOV,  /* coverage, for programs that show it */
  NUT_MODEL /* conversions: the model that the source means, see docs/model.md */
} nut_format;

/* ---- loading ------------------------------------------------------------ */

typedef struct nut_load {
  /* How the language is called (see 'nut_language_at'); NULL: that of the
  ** file's ending, Promela unless it says otherwise. */
  const char *language;
  /* Options of the preprocessor: "-DN=3", "-UN", "-Idir", in their order; a
  ** model is refused with others.  Files outside the folder of the model and
  ** these folders are not shown. */
  const char *const *preprocessor;
  size_t preprocessor_count;
  /* Further files, for languages whose files are parts of one system ('.lpn',
  ** '.g'); the others do not look at them. */
  const char *const *more;
  size_t more_count;
  bool system_cpp; /* Promela is read by the system's 'cpp', not by our own */
  bool allow_c;    /* C code embedded in the model is compiled and run */
  /* The file is a plug-in (nutshell-model.h), which is loaded and run. */
  bool plugin;
  bool lossy;      /* a message sent to a full channel is lost */
  bool empty_ends; /* where a channel has messages, no end is a good one */
  /* Only files in, or below, this folder are opened, wherever links lead; the
  ** others are as if they were not there.  NULL: all. */
  const char *within;
  /* The model is read from this, and no file is; NULL: files are read. */
  const nut_checkpoint *checkpoint;
  /* Limits of the whole command, from loading on; 0 or NULL: none.  A check with
  ** limits of its own starts a new clock. */
  double seconds;
  uint64_t memory_bytes;
  const volatile sig_atomic_t *interrupt; /* not 0: stop */
  /* Progress is told only when it is not 0, and it is then set back; NULL:
  ** progress is told again and again. */
  volatile sig_atomic_t *tell;
} nut_load;

nut_load nut_load_defaults(void);

/* A language that models are written in. */
typedef struct nut_language {
  const char *name, *endings; /* "promela", ".pml.pm"; NULL: no more */
  /* Comments: to the end of the line, and from here to there; NULL: none. */
  const char *line_comment, *comment, *comment_end;
  /* "..." may hold what begins a comment; files may be parts of one system;
  ** editors may ask of its names; processes are named states; it is a net, and
  ** there are no processes; it is drawn as a net. */
  bool has_strings, has_parts, is_edited, has_states, is_net, is_drawn_as_net;
} nut_language;

nut_language nut_language_at(size_t index);
/* By the ending of a file's name; the name of the language is NULL: by none. */
nut_language nut_language_of(const char *file);

/* Reads a model.  Ask 'nut_model_good' whether it can be used. */
nut_model *nut_load_file(const char *path, const nut_load *);
/* The same for text in memory; 'name' is what messages call it. */
nut_model *nut_load_text(const char *name, const char *text, size_t length,
                         const nut_load *);
void nut_model_free(nut_model *); /* NULL is fine */
bool nut_model_good(const nut_model *);
/* NUT_HOLDS: it is good; NUT_ERROR: the input is not; NUT_UNKNOWN: a limit was
** reached before it was read. */
nut_verdict nut_model_verdict(const nut_model *);
/* All diagnostics, with source lines, ready to be shown; "" when there are
** none. */
const char *nut_model_messages(const nut_model *);
const char *nut_model_language(const nut_model *);
const char *nut_model_file(const nut_model *);

/* A text that the model was read from: the model itself, then what it includes.
** 'text' is NULL where the file must not be shown (manual, "The model"). */
typedef struct nut_source {
  const char *file; /* NULL: there are no more */
  const char *text;
  size_t length;
} nut_source;

nut_source nut_model_source(const nut_model *, size_t index);
/* The model as one text without includes and macros: it is the same model
** without any other file, line by line.  Where there are includes, lines '#line'
** tell what comes from where.  Of languages without a preprocessor, the text
** itself. */
bool nut_preprocessed(const nut_model *, nut_sink *, void *context);

/* Names of the properties a check of the model decides, in order; NULL after
** the last. */
const char *nut_model_property(const nut_model *, size_t index);
/* What reports call the property that somebody may call 'given'; NULL: none.
** The only 'ltl' block without a name is 'ltl' here and 'ltl_0' in SPIN. */
const char *nut_model_find_property(const nut_model *, const char *given);

/* ---- checking ----------------------------------------------------------- */

/* The choices of an option are a list, CHOICE(enumerator, word), of which the
** enum is made, and the words of the command line. */
#define NUT_CHOICE_(name, word) name,

/* clang-format off */
/* In which order states are visited.  Auto: level by level, with threads; when
** something is checked depth-first up to a fixed number of states before, which
** finds deep errors soon. */
#define NUT_SEARCHES(CHOICE)                                                   \
  CHOICE(NUT_DFS,         "dfs")                                               \
  CHOICE(NUT_BFS,         "bfs")                                               \
  CHOICE(NUT_SEARCH_AUTO, "auto")

/* How steps are computed.  Auto begins at once with the interpreter and goes
** over to compiled code when a run lasts and the system has a C compiler;
** native waits for the compiler first. */
#define NUT_ENGINES(CHOICE)                                                    \
  CHOICE(NUT_ENGINE_AUTO,        "auto")                                       \
  CHOICE(NUT_ENGINE_INTERPRETED, "interpreted")                                \
  CHOICE(NUT_ENGINE_NATIVE,      "native")

/* Which compiled models are kept in the user's cache.  Run: those that the run
** compiles while it lasts.  Leave: also one whose compiler the run did not wait
** for; a process of ours outlives the run for that, a few seconds at most, so it
** is for programs that end with their run.  Off: none, and none is taken. */
#define NUT_CACHES(CHOICE)                                                     \
  CHOICE(NUT_CACHE_RUN,   "run")                                               \
  CHOICE(NUT_CACHE_LEAVE, "leave")                                             \
  CHOICE(NUT_CACHE_OFF,   "off")

/* How a lasso that violates a property is searched: by a nested depth-first
** search, by strongly connected components, or by what suits the question. */
#define NUT_ALGORITHMS(CHOICE)                                                 \
  CHOICE(NUT_NESTED,         "nested")                                         \
  CHOICE(NUT_COMPONENTS,     "scc")                                            \
  CHOICE(NUT_ALGORITHM_AUTO, "auto")

/* Which infinite runs count: all; those in which a process that can always
** move from some point on does move; those in which a process that can move
** again and again does (always by components). */
#define NUT_FAIRS(CHOICE)                                                      \
  CHOICE(NUT_FAIR_NONE,   "none")                                              \
  CHOICE(NUT_FAIR_WEAK,   "weak")                                              \
  CHOICE(NUT_FAIR_STRONG, "strong")

/* In which order a symbolic run fires the steps of the model. */
#define NUT_STRATEGIES(CHOICE)                                                 \
  CHOICE(NUT_SATURATION,   "saturation")                                       \
  CHOICE(NUT_CHAINING,     "chaining")                                         \
  CHOICE(NUT_SYMBOLIC_BFS, "bfs")

/* In which order the variables are the levels of a diagram.  Dependency is as
** force, and in stores, too; those after it are in stores only, but for the
** last, which is for sets of states only. */
#define NUT_ORDERS(CHOICE)                                                     \
  CHOICE(NUT_ORDER_FORCE,       "force")                                       \
  CHOICE(NUT_ORDER_DECLARED,    "declared")                                    \
  CHOICE(NUT_ORDER_DEPENDENCY,  "dependency")                                  \
  CHOICE(NUT_ORDER_VARYING,     "varying")                                     \
  CHOICE(NUT_ORDER_LEARNED,     "learned")                                     \
  CHOICE(NUT_ORDER_INTERLEAVED, "interleaved")                                 \
  CHOICE(NUT_ORDER_BANDWIDTH,   "bandwidth")

/* What the sets of a symbolic run are made of: a level of the diagram for each
** variable, with its values; or two for each bit. */
#define NUT_BASES(CHOICE)                                                      \
  CHOICE(NUT_BASE_MDD, "mdd")                                                  \
  CHOICE(NUT_BASE_BDD, "bdd")

/* CTL, where nothing can happen: the run ends (EX is false there), or its last
** state repeats; auto: it ends in nets, and repeats in other models. */
#define NUT_CTL_ENDS(CHOICE)                                                   \
  CHOICE(NUT_CTL_AUTO,    "auto")                                              \
  CHOICE(NUT_CTL_END,     "end")                                               \
  CHOICE(NUT_CTL_STUTTER, "stutter")

/* Partial order reduction of 'nut_check'; 'nut_count' never reduces.  On: the
** strongest that is possible. */
#define NUT_PORS(CHOICE)                                                       \
  CHOICE(NUT_POR_OFF,      "off")                                              \
  CHOICE(NUT_POR_ON,       "on")                                               \
  CHOICE(NUT_POR_AMPLE,    "ample")                                            \
  CHOICE(NUT_POR_STUBBORN, "stubborn")
/* clang-format on */

typedef enum nut_search { NUT_SEARCHES(NUT_CHOICE_) } nut_search;
typedef enum nut_engine { NUT_ENGINES(NUT_CHOICE_) } nut_engine;
typedef enum nut_cache { NUT_CACHES(NUT_CHOICE_) } nut_cache;
typedef enum nut_algorithm { NUT_ALGORITHMS(NUT_CHOICE_) } nut_algorithm;
typedef enum nut_fair { NUT_FAIRS(NUT_CHOICE_) } nut_fair;
typedef enum nut_strategy { NUT_STRATEGIES(NUT_CHOICE_) } nut_strategy;
typedef enum nut_order { NUT_ORDERS(NUT_CHOICE_) } nut_order;
typedef enum nut_base { NUT_BASES(NUT_CHOICE_) } nut_base;
typedef enum nut_ctl_end { NUT_CTL_ENDS(NUT_CHOICE_) } nut_ctl_end;
typedef enum nut_por { NUT_PORS(NUT_CHOICE_) } nut_por;

/* What will have been, and an interval that contains it in nine of ten
** searches; 0: nothing is known. */
typedef struct nut_expected {
  double low, likely, high;
} nut_expected;

typedef struct nut_progress {
  uint64_t states, transitions, depth, waiting;
  uint64_t memory_bytes, store_bytes;
  double seconds, states_per_second;
  /* Symbolic runs: nodes, rounds, and the number of states so far, about. */
  bool symbolic;
  uint64_t nodes, iterations; /* nodes: told by 'on_growth', too */
  double symbolic_states;
  /* At the end of a search that goes by levels, as far as their curve tells;
  ** not while a variable grows on and on. */
  nut_expected expected_states, expected_bytes, expected_seconds;
} nut_progress;

#define NUT_THREADS_AUTO UINT32_MAX

typedef struct nut_options {
  const char *store;     /* "raw+table"; NULL: the default */
  uint64_t buffer_bytes; /* of the set "hybrid"; 0: as it likes */
  uint32_t hashes;       /* of the set "bitstate"; 0: 3 */
  uint32_t reduce_every; /* states, in the set "sharing"; 0: see the manual */
  nut_search search;
  nut_engine engine;
  nut_cache cache;
  bool symbolic; /* sets of states in a decision diagram */
  nut_strategy strategy;
  nut_order order;
  nut_base base;
  bool reorder; /* NUT_BASE_BDD: improve the order on the way */
  nut_por por;
  /* Of 'nut_check', where infinite runs do not matter: steps that concern only
  ** their process are no states of their own; locals of no further use are 0.
  */
  bool merge, reset_dead;
  bool check_engine; /* compare compiled code with the interpreter */
  bool shortest;     /* a shortest counterexample: breadth-first */
  /* Limits; 0: those of loading go on, with its clock. */
  uint64_t memory_bytes;
  double seconds;
  /* States at this depth are not expanded; 0: no limit.  Breadth-first, all
  ** states of smaller depth are; depth-first, one that was found deep and is
  ** not so deep may be missed. */
  uint64_t depth;
  uint64_t max_errors;           /* of single states; 0: never stop */
  bool deadlocks;                /* invalid end states are errors */
  bool liveness;                 /* check what concerns infinite runs, too */
  nut_algorithm algorithm;       /* how infinite runs are searched */
  nut_fair fair;                 /* which of them count */
  bool check_overflow;           /* a value that does not fit is an error */
  const char *const *properties; /* names; none: everything */
  size_t property_count;
  const char *const *invariants; /* expressions, true in every state */
  size_t invariant_count;
  const char *const *reach; /* expressions, true in some state */
  size_t reach_count;
  const char *const *ltl; /* formulas about all infinite runs */
  size_t ltl_count;
  const char *const *ctl; /* formulas of computation tree logic */
  size_t ctl_count;
  const char *const *ctl_fair; /* expressions, true again and again */
  size_t ctl_fair_count;
  nut_ctl_end ctl_end;
  const char *property_file; /* with properties, one to a line; NULL: none */
  /* Petri nets: a file with formulas of the Model Checking Contest, and the
  ** name of an examination of it ("OneSafe"); NULL: none.  With one of them
  ** nothing else is checked than what they ask for. */
  const char *formulas;
  const char *examination;
  /* Petri nets: what is tried before state spaces, "walks,reductions", "none" or
  ** "all"; those named are tried before anything else.  NULL: all, after a
  ** short search. */
  const char *net_steps;
  /* Called now and then while the search runs; may be NULL. */
  void (*on_progress)(void *context, const nut_progress *);
  void *context;
  /* Called while the number of states grows, with the nodes of the store when
  ** it is a diagram, and at the end; not in symbolic runs.  May be NULL. */
  void (*on_growth)(void *growth_context, const nut_progress *);
  void *growth_context;
  /* When it becomes other than 0, the search stops; NULL: that of loading. */
  const volatile sig_atomic_t *interrupt;
  /* So many threads, or with NUT_THREADS_AUTO, or 0, as many as the process may
  ** use.  The answer does not depend on their number, and a search that can use
  ** but one does so; if this is not 0, the result says why.  All functions given
  ** here are called by the thread that calls 'nut_check' or 'nut_count'; the
  ** other threads block all signals. */
  uint32_t threads;
  /* The walk over the states counts how often it executes each statement, by the
  ** interpreter: see 'nut_coverage'.  Not in symbolic runs. */
  bool coverage;
  /* Explain counterexamples: which steps matter, and until when the error could
  ** have been avoided: see 'nut_explanation'. */
  bool explain;
  /* In which order a depth-first search takes the steps of a state: the
  ** opposite one, or, unless it is 0, one that this number chooses. */
  bool reverse;
  uint64_t shuffle;
  /* A search that goes level by level is kept in the files FILE.0 and FILE.1 in
  ** turn, every so many seconds (0: all the time) and when a limit or a signal
  ** ends it; 'nut_checkpoint_open' finds the last whole one.  NULL: it is not.
  ** What cannot be kept is an error.  If the interrupt is NUT_HURRY, a file that
  ** would take longer than 'checkpoint_grace' seconds is not begun; if it becomes
  ** NUT_GIVE_UP, none is ended. */
  const char *checkpoint;
  double checkpoint_every, checkpoint_grace;
  const char *const *checkpoint_words; /* kept with it, for who goes on */
  size_t checkpoint_word_count;
  /* The last file is about to be written, and it was; may be NULL. */
  void (*on_checkpoint)(void *checkpoint_context, bool begins);
  void *checkpoint_context;
  /* The search goes on from there; the model was loaded from it, and all options
  ** are those of the run that wrote it, but for limits and threads. */
  const nut_checkpoint *resume;
  /* Other processes that do the same search: each calls 'nut_check' or 'nut_count'
  ** with the same model and options, and all have the same answer.  What they
  ** cannot do together is an error.  NULL: this process alone. */
  nut_ranks *ranks;
  /* When memory is used up a search that goes level by level goes on with a disk:
  ** states are written to a folder of its own, which it makes below this one and
  ** removes.  NULL: it ends.  What cannot do so is an error. */
  const char *disk;
} nut_options;

enum { NUT_HURRY = 2, NUT_GIVE_UP = 3 };

nut_options nut_default_options(void);

/* Whether a launcher of MPI (mpirun, srun) started this process and others: which
** one of how many it is. */
bool nut_ranks_launched(uint32_t *own, uint32_t *count);
/* Meets them, once in a process; NULL with the reason. */
nut_ranks *nut_ranks_join(const char **why);
const char *nut_ranks_library(const nut_ranks *); /* that carries messages */
/* Takes leave of them, and waits until they do so, too; NULL is fine. */
void nut_ranks_leave(nut_ranks *);

/* Checks the model.  The result is NUT_ERROR, with messages, when the model is
** not good or an option names something that is not there. */
nut_result *nut_check(nut_model *, const nut_options *);
/* Walks everything, past all errors; properties of infinite runs and never
** claims do not take part. */
nut_result *nut_count(nut_model *, const nut_options *);
void nut_result_free(nut_result *); /* NULL is fine */

/* The newest whole one of FILE.0 and FILE.1.  The problem says why there is none,
** in lines; the note that one of them is damaged; NULL: nothing to say. */
nut_checkpoint *nut_checkpoint_open(const char *file);
const char *nut_checkpoint_problem(const nut_checkpoint *);
const char *nut_checkpoint_note(const nut_checkpoint *);
/* The words that were kept with it, and the texts that the model was read from;
** NULL after the last. */
const char *nut_checkpoint_word(const nut_checkpoint *, size_t index);
nut_source nut_checkpoint_source(const nut_checkpoint *, size_t index);
void nut_checkpoint_close(nut_checkpoint *); /* NULL is fine */

/* ---- results ------------------------------------------------------------ */

nut_verdict nut_result_verdict(const nut_result *);
bool nut_result_complete(const nut_result *); /* everything was explored */
/* Why the verdict is unknown or the search incomplete; NULL: no reason. */
const char *nut_result_reason(const nut_result *);
/* Why there was no compiled code though it was wanted; NULL: nothing to say. */
const char *nut_result_note(const nut_result *);
/* Details of the run, a line each; "": none. */
const char *nut_result_remarks(const nut_result *);
const char *nut_result_messages(const nut_result *); /* for NUT_ERROR */

/* The figures of a run. */
typedef struct nut_figures {
  uint64_t states, transitions, deadlocks, depth, errors;
  uint64_t atomic_steps;
  uint64_t state_bytes;  /* the longest state */
  uint64_t store_bytes;  /* held by the store */
  uint64_t memory_bytes; /* peak of the process */
  double seconds;
  const char *store; /* "raw+table" */
  bool exact;        /* the store never loses a state */
  /* Petri nets, when they were counted or examined; otherwise 0. */
  uint64_t max_token_in_place, max_token_per_marking;
  /* These are known, though not everything was explored. */
  bool sure_token_in_place, sure_token_per_marking;
  bool unbounded; /* a net whose markings have no end */
  /* Symbolic runs: exact numbers in decimal, of which 'states', 'transitions'
  ** and 'deadlocks' are UINT64_MAX when they are larger; otherwise NULL. */
  const char *exact_states, *exact_transitions, *exact_deadlocks;
} nut_figures;

nut_figures nut_result_figures(const nut_result *);

/* One property of a result. */
typedef struct nut_property {
  const char *name;
  const char *kind;    /* "assertions", "end-states", "ltl", ... */
  const char *formula; /* or NULL */
  nut_verdict verdict;
  const char *reason; /* NUT_UNKNOWN: why; otherwise NULL */
  bool has_value;     /* an upper bound: it is 'value' */
  uint64_t value;
  uint64_t errors;        /* violations seen (reach: witnesses) */
  const nut_trace *trace; /* counterexample or witness, or NULL */
} nut_property;

size_t nut_result_property_count(const nut_result *);
nut_property nut_result_property(const nut_result *, size_t index);

/* What became of the files of a run that was to be kept. */
typedef struct nut_kept {
  const char *file;         /* NULL: it was not */
  uint64_t written, states; /* whole files, states in the last one */
  const char *problem;      /* with the last that was tried; or NULL */
  bool goes_on;             /* there is more to find out, and a file to begin
                             ** with */
} nut_kept;

nut_kept nut_result_kept(const nut_result *);

/* Why there is no certificate of such a check; NULL: there can be one. */
const char *nut_certificate_refused(const nut_model *, const nut_options *);

typedef struct nut_certificate {
  const char *why; /* there is none; NULL: it was written */
  uint64_t states, bytes;
  size_t left_out; /* properties that hold and that it does not prove */
  uint64_t product_states, rank_bytes; /* of infinite runs */
} nut_certificate;

/* Writes a proof of a result that holds, for 'nutshell-certify'; the options are
** those of the check.  A second search, which leaves nothing out, makes it, within
** the limits. */
nut_certificate nut_result_certificate(nut_result *, const nut_options *,
                                       nut_sink *, void *context);
/* It is in this file now: reports that are made later tell of it.  The name must
** live as long as the result. */
void nut_result_certificate_is_in(nut_result *, const char *file);

/* A statement of a process type, as SPIN knows it. */
typedef struct nut_statement {
  const char *process_type;
  nut_place at; /* where it begins */
  const char *text;
  int32_t number; /* in its process type, from 1; -1: not known */
  int32_t all;    /* numbers that the process type has */
} nut_statement;

/* Statements that no process ever came to, as SPIN lists them: one that was
** reached and never could be executed is not among them.  By process type and
** number, after a complete search; none otherwise.  They belong to the result. */
const nut_statement *nut_unreached(nut_result *, size_t *count);

/* How often the walk over the states executed a statement: with the option
** 'coverage', in a reduced search the steps that were needed.  In an incomplete
** search 0 says nothing. */
typedef struct nut_coverage {
  const char *process_type;
  nut_place at;
  const char *text;
  uint64_t count;
} nut_coverage;

/* By process type and place; none when nothing was counted.  They belong to the
** result. */
const nut_coverage *nut_result_coverage(nut_result *, size_t *count);
/* The source with these counts: NUT_TEXT, NUT_JSON, NUT_LCOV.  False: nothing
** was counted, no memory, or the format does not apply. */
bool nut_coverage_text(const nut_result *, nut_format, nut_sink *,
                       void *context);
/* The process types of the model that a run can have, and how many statements
** they have as SPIN counts them; NULL after the last. */
const char *nut_model_process_type(const nut_model *, size_t index,
                                   int32_t *statements);

/* ---- traces ------------------------------------------------------------- */

/* Something that a step changed. */
typedef struct nut_change {
  const char *name;   /* "x", "a[2].f", "q", "P(2):x", "P(2)" */
  const char *before; /* "0", "[1, ack(2)]"; "" for a process that starts */
  const char *after;  /* "" for a process that ends */
} nut_change;

typedef struct nut_step {
  uint32_t process;         /* number of the process that moved */
  const char *process_type; /* its name */
  const char *file;
  uint32_t line, column; /* of the statement; 0: not known */
  const char *text;      /* the statement */
  const char *output;    /* what it printed, or NULL */
  size_t change_count;   /* ask nut_trace_change for each */
  bool inner;            /* inside the d_step of an earlier step */
  bool shown;            /* in reports; jumps are not */
  bool answers;          /* it is the second half of a rendezvous */
  int32_t number;        /* as in 'nut_statement', in the process type */
  bool folded;           /* explained: it does not matter */
  const char *written;   /* the statement in the user's words */
} nut_step;

size_t nut_trace_length(const nut_trace *);
nut_step nut_trace_step(const nut_trace *, size_t index);
nut_change nut_trace_change(const nut_trace *, size_t step, size_t index);
/* The statement of a step, from its first byte to its end. */
nut_place nut_trace_place(const nut_trace *, size_t index);
/* Index of the first step of the loop; the number of steps when the run stays
** for ever where they lead to; -1: the trace has no loop. */
long nut_trace_loop(const nut_trace *);
/* What is wrong at the end: "assertion violated". */
const char *nut_trace_ending(const nut_trace *);

/* What explains the counterexample of a property, with the option 'explain'. */
typedef struct nut_explanation {
  bool explained;
  /* Steps that reports number which are folded: without them the error happens
  ** as well, and they can come after it.  That was tried. */
  size_t folded;
  const char *not_folded; /* why none could be looked for; NULL: they were */
  /* Numbers of steps: after the first some complete run (a fair one, if fairness
  ** was asked for) avoids the error, after the second none does.  -1: none ever
  ** does; 0 is the initial state. */
  long avoidable_until, unavoidable_after;
  const char *not_known; /* why that could not be found out; NULL: it was */
} nut_explanation;

nut_explanation nut_result_explanation(const nut_result *, size_t property);

/* Why an answer says less than it seems, one of its remarks; docs/why.md has the
** kinds. */
typedef struct nut_vacuous {
  const char *kind;    /* "left-side", "part", "influence"; NULL: no more */
  const char *part;    /* of the formula, or NULL */
  const char *instead; /* "part": the constant that would do; otherwise NULL */
} nut_vacuous;

nut_vacuous nut_result_vacuous(const nut_result *, size_t property,
                               size_t index);
/* The index-th place where an atomic sequence can block in its middle, and whose
** it is; the file is NULL after the last. */
nut_place nut_result_atomic_block(const nut_result *, size_t index,
                                  const char **process_type);

/* ---- whole reports as text ---------------------------------------------- */

/* Written texts belong to the caller, who gives them to 'nut_text_free'.
** NULL: no memory, or the format does not apply. */
char *nut_result_write(const nut_result *, nut_format);
char *nut_trace_write(const nut_trace *, nut_format);
void nut_text_free(char *);

/* How texts for people look. */
typedef struct nut_style {
  bool color;   /* escape sequences for colours */
  bool verbose; /* nothing is shortened; charts have local steps, too */
  bool quiet;   /* the verdict only */
} nut_style;

/* The same texts in any style, written to a sink when they are complete; a trace
** from its step 'first' on, where that is told for people.  False: no memory, or
** the format does not apply; then nothing is written. */
bool nut_result_text(const nut_result *, nut_format, nut_style, nut_sink *,
                     void *context);
bool nut_trace_text(const nut_trace *, nut_format, size_t first, nut_style,
                    nut_sink *, void *context);
/* One step in one line. */
bool nut_trace_step_text(const nut_trace *, size_t index, nut_style, nut_sink *,
                         void *context);

/* A part of a trace. */
typedef struct nut_selection {
  /* Steps of these processes ("P(1)", or all of type "P"), and steps that change
  ** or talk over these variables and channels ("c", "a[2]", "P(1):x"); none:
  ** all. */
  const char *const *only;
  size_t only_count;
  size_t from, to; /* numbers of steps, from 1; 0: no limit */
  bool states;     /* and the whole state after each of them */
} nut_selection;

/* Indices of its steps, which belong to the caller, who gives them to
** 'nut_selected_free'.  NULL: '*unknown' is a name that the model does not have;
** or, when that is NULL, there is no memory. */
size_t *nut_trace_select(const nut_trace *, const nut_selection *,
                         size_t *count, const char **unknown);
void nut_selected_free(size_t *, size_t count); /* NULL is fine */
/* The part as text for people.  False as above. */
bool nut_trace_part_text(const nut_trace *, const nut_selection *, nut_style,
                         nut_sink *, void *context, const char **unknown);

/* All traces of a property: the first one, for pairs of states the second, and
** the branches of a formula of branching time; NULL after the last. */
const nut_trace *nut_result_trace(const nut_result *, size_t property,
                                  size_t index);
/* What it shows: "csc", "csc-other", "ctl-branch-1"; NULL: nothing special. */
const char *nut_trace_name(const nut_trace *);
/* Reports tell that the trace was saved there. */
bool nut_trace_saved(nut_result *, const nut_trace *, const char *file);

/* ---- the workspace ------------------------------------------------------ */

/* A model with all that can be asked of it.  What is for people stands on it:
** a command line, an editor, a page.
**
**   nut_workspace *w = nut_open_file("peterson.pml", NULL);
**   nut_check(nut_workspace_model(w), &options)     everything above
**   nut_state s = nut_initial(w);
**   const nut_move *list = nut_moves(w, s, &count); and where they lead
**   const nut_blocked *not = nut_not_enabled(w, s, &count);
**   nut_walk *walk = nut_walk_start(w);             a run, step by step
**   nut_close(w);
**
** Lists belong to the workspace and live until the same function is called
** again.  What cannot be done gives NULL, 0 or false, and 'nut_problem' knows
** why.  One thread may use a workspace at a time, all that comes from it
** included; only 'nut_cancel' is for all threads and for signal handlers.  Who
** walks while a check is under way opens two. */
typedef struct nut_workspace nut_workspace;

/* As 'nut_load_file' and 'nut_load_text'.  NULL: no memory. */
nut_workspace *nut_open_file(const char *path, const nut_load *);
nut_workspace *nut_open_text(const char *name, const char *text, size_t length,
                             const nut_load *);
void nut_close(nut_workspace *); /* NULL is fine; results and walks go before */
nut_model *nut_workspace_model(nut_workspace *); /* belongs to the workspace */

/* What is under way stops; so does what is begun later, until 'nut_resume'.
** Where loading was given an 'interrupt', that counts instead. */
void nut_cancel(nut_workspace *);
/* The limits of loading begin again. */
void nut_resume(nut_workspace *);
/* Whether time is up, or somebody has cancelled. */
bool nut_is_due(const nut_workspace *);
/* Why the last call did not do what it was asked for, one line; "": it did.
** Where the model itself is to blame, 'nut_model_messages' tells. */
const char *nut_problem(const nut_workspace *);
/* What can be done about it, or what is to be noted all the same; or "". */
const char *nut_hint(const nut_workspace *);
/* NUT_HOLDS, NUT_ERROR, NUT_UNKNOWN (a limit): how the last call went. */
nut_verdict nut_outcome(const nut_workspace *);

/* ---- diagnostics and questions as data ---------------------------------- */

typedef enum nut_severity {
  NUT_SEVERITY_ERROR,
  NUT_SEVERITY_WARNING,
  NUT_SEVERITY_NOTE /* about the one before */
} nut_severity;

typedef struct nut_diagnostic {
  nut_severity severity;
  nut_place at;
  const char *message;
} nut_diagnostic;

const nut_diagnostic *nut_diagnostics(nut_workspace *, size_t *count);

/* A property that a check of the model decides; 'nut_property' is the answer. */
typedef struct nut_question {
  const char *name, *kind; /* "mutex", "ltl" */
  const char *formula;     /* or NULL */
  bool infinite;           /* it is about infinite runs */
  nut_place at;            /* nowhere for what every model is asked */
} nut_question;

const nut_question *nut_questions(nut_workspace *, size_t *count);

/* ---- states ------------------------------------------------------------- */

/* A number, from 1: the same state has the same number, as long as the workspace
** is there.  0 is no state.  A state is one in which the search rests: not
** inside an atomic sequence, unless that is blocked. */
typedef uint32_t nut_state;

/* A value that does not fit its type is an error, as with 'check_overflow'.  To
** be said before the first state is asked for. */
void nut_check_overflow(nut_workspace *, bool);
nut_state nut_initial(nut_workspace *); /* 0: it fails */
/* States seen so far: 1 .. that many. */
size_t nut_state_count(const nut_workspace *);

typedef struct nut_value {
  const char *name; /* "x", "a[2].f", "P(1):x", "q" */
  int32_t process;  /* whose; -1: everybody's */
  const char *type; /* "byte", "mtype", ...; "channel" */
  const char *text; /* "3", "ack", "[1, 2]" */
  int32_t number;   /* of a channel: how many messages */
} nut_value;

const nut_value *nut_values(nut_workspace *, nut_state, size_t *count);

typedef struct nut_process {
  uint32_t number;
  const char *type;
  int32_t location;  /* its number */
  const char *label; /* or NULL */
  bool end;          /* a valid place to be when nothing can happen */
  nut_place at;
} nut_process;

const nut_process *nut_processes(nut_workspace *, nut_state, size_t *count);

/* The value of an expression of the model's language over the global names. */
bool nut_evaluate(nut_workspace *, nut_state, const char *expression,
                  int32_t *value);
/* The name that the state has for ever, 32 digits: docs/model.md.  It lives until
** the next one is asked for. */
const char *nut_state_name(nut_workspace *, nut_state);
/* The values, a line each. */
bool nut_state_text(nut_workspace *, nut_state, nut_style, nut_sink *,
                    void *context);

/* A step that can be made: the first statement executed, and where it leads.  A
** rendezvous or an atomic sequence is one step. */
typedef struct nut_move {
  uint32_t process, edge; /* who begins; number of the statement */
  const char *process_type;
  nut_place at;
  const char *text;
  const char *fault; /* what goes wrong on the way; NULL: nothing */
  nut_state target;  /* 0: the fault ends it; of a walk: not asked for */
} nut_move;

const nut_move *nut_moves(nut_workspace *, nut_state, size_t *count);

/* Why a statement cannot be executed. */
typedef enum nut_why {
  NUT_BLOCKED_GUARD,     /* "guard": a condition is false */
  NUT_BLOCKED_TIMEOUT,   /* "timeout": something else can happen */
  NUT_BLOCKED_EMPTY,     /* "empty": there is no message in the channel */
  NUT_BLOCKED_MESSAGE,   /* "message": there is none that fits */
  NUT_BLOCKED_FULL,      /* "full": the channel has no room */
  NUT_BLOCKED_PARTNER,   /* "partner": nobody is there to meet */
  NUT_BLOCKED_ELSE,      /* "else": another statement can be executed */
  NUT_BLOCKED_UNLESS,    /* "unless": an escape goes first */
  NUT_BLOCKED_PROVIDED,  /* "provided": the process may not move */
  NUT_BLOCKED_PRIORITY,  /* "priority": one of higher priority can move */
  NUT_BLOCKED_COMMITTED, /* "committed": others go first */
  NUT_BLOCKED_YOUNGER,   /* "younger": younger processes must end first */
  NUT_BLOCKED_OTHERS,    /* "others": all move at once, and one cannot */
  NUT_BLOCKED_ENDLESS    /* "endless": an atomic sequence without end */
} nut_why;

/* A statement at which a process is and that is not executable; each of them is
** either here or takes part in a move, first or in answer. */
typedef struct nut_blocked {
  uint32_t process, edge;
  const char *process_type;
  nut_place at;
  const char *text;
  nut_why why;
  const char *word;    /* for 'why': "guard" */
  const char *cause;   /* the condition, the channel, or the process; or "" */
  const char *values;  /* what they are worth: "x = 3, turn = 1"; or "" */
  const char *because; /* the same in words: "x is 3, turn is 1" */
} nut_blocked;

const nut_blocked *nut_not_enabled(nut_workspace *, nut_state, size_t *count);

/* ---- walks -------------------------------------------------------------- */

/* A run under way: a trace that can be made longer, or was replayed. */
typedef struct nut_walk nut_walk;

nut_walk *nut_walk_start(nut_workspace *); /* at the initial state */
/* Does again what a trace in JSON or a trail of SPIN says, as far as the model
** can.  Where that is not all, 'nut_outcome' is NUT_VIOLATED, and 'nut_problem'
** tells which step cannot be made, or differs.  'name' is what it calls the text.
** NULL: that is no trace of the model. */
nut_walk *nut_walk_replay(nut_workspace *, const char *name, const char *text,
                          size_t length);
/* Likewise the trace of a result. */
nut_walk *nut_walk_follow(nut_workspace *, const nut_trace *);
/* A shortest run to the state whose name begins so, found by a search.  NULL:
** there is none (NUT_VIOLATED), there are several (NUT_ERROR), or a limit was
** reached before (NUT_UNKNOWN).  When it is not known to be the only one of a
** shortened name, the outcome is NUT_UNKNOWN beside the run. */
nut_walk *nut_walk_find(nut_workspace *, const char *beginning);
/* The first steps of a run, as far as they lead to a state, as a run of its own
** that can go on. */
nut_walk *nut_walk_continue(nut_walk *, size_t steps);
void nut_walk_free(nut_walk *); /* NULL is fine */

/* Goes on by a shortest way to a state in which the expression is true, found by
** a search; one where it cannot be evaluated is none.  False, with nothing done:
** there is none (NUT_VIOLATED), a limit was reached (NUT_UNKNOWN), or it is no
** expression (NUT_ERROR).  Not for a run that was replayed. */
bool nut_walk_reach(nut_walk *, const char *expression);

/* Steps so far, those inside of atomic sequences included. */
size_t nut_walk_length(const nut_walk *);
/* How it was so far, until the run changes.  NULL: no memory. */
const nut_trace *nut_walk_trace(nut_walk *);
/* Its steps that a report numbers, also those that were forgotten. */
size_t nut_walk_steps(const nut_walk *);
/* The state after so many steps; 0 inside of an atomic sequence. */
nut_state nut_walk_state(nut_walk *, size_t steps);

/* What is there after so many steps, wherever that is. */
const nut_value *nut_walk_values(nut_walk *, size_t steps, size_t *count);
const nut_process *nut_walk_processes(nut_walk *, size_t steps, size_t *count);
/* The choices by which 'nut_walk_take' makes this run from the initial state, as
** long as it does not change.  NULL: one of its steps cannot be chosen. */
const uint32_t *nut_walk_path(nut_walk *, size_t *count);
/* The values after so many steps, a line each, wherever that is. */
bool nut_walk_state_text(nut_walk *, size_t steps, nut_style, nut_sink *,
                         void *context);

size_t nut_walk_choices(const nut_walk *); /* what can be next; 0: it is over */
nut_move nut_walk_choice(nut_walk *, size_t index);
/* Makes a step; one that fails is the last. */
bool nut_walk_take(nut_walk *, size_t index);
bool nut_walk_undo(nut_walk *); /* false: there is nothing to undo */
/* Leaves only the last state, so that the run may go on for ever. */
void nut_walk_forget(nut_walk *);
/* Whether the last step is shown in reports; jumps are not. */
bool nut_walk_is_shown(const nut_walk *);
/* NUT_VIOLATED: a step failed, or nothing can happen and should.  NUT_HOLDS: it
** came to a good end.  NUT_UNKNOWN: it can go on. */
nut_verdict nut_walk_verdict(const nut_walk *);
/* The same in words: "assertion violated", "the run can go on". */
const char *nut_walk_ending(const nut_walk *);

/* ---- where the states come from ----------------------------------------- */

/* States, transitions and new values by statement and by variable, and what
** would save states; docs/why.md says how they are found. */
typedef struct nut_profile nut_profile;

/* Looks at so many states; 0: all.  NULL: the model cannot be used, or no memory;
** see 'nut_problem'.  It must be freed before the workspace is closed. */
nut_profile *nut_profile_states(nut_workspace *, uint64_t states);
void nut_profile_free(nut_profile *); /* NULL is fine */
/* NUT_UNKNOWN: a limit was reached before all states that were to be looked at
** had been. */
nut_verdict nut_profile_verdict(const nut_profile *);

/* A variable, or the messages of a channel, the greatest factor first. */
typedef struct nut_profiled {
  const char *name;     /* NULL: no more */
  double factor, error; /* by which it multiplies the states, and 95% of it */
  uint64_t values, changes, states;
} nut_profiled;

nut_profiled nut_profile_variable(nut_profile *, size_t index);
/* NUT_TEXT or NUT_JSON. */
bool nut_profile_text(nut_profile *, nut_format, nut_style, nut_sink *,
                      void *context);

/* ---- two versions ------------------------------------------------------- */

/* Whether two models behave alike, seen through some of their variables and
** channels; docs/why.md says what is compared. */
typedef struct nut_diff nut_diff;

typedef struct nut_diff_options {
  /* Names of global variables and channels of both; none: all that have the same
  ** name and type. */
  const char *const *observe;
  size_t observe_count;
  bool spec; /* only whether the second does nothing that the first does not */
} nut_diff_options;

/* NULL: no memory.  It must be freed before the workspaces are closed; the limits
** are those of the first. */
nut_diff *nut_compare(nut_workspace *old, nut_workspace *newer,
                      const nut_diff_options *);
void nut_diff_free(nut_diff *); /* NULL is fine */

/* NUT_HOLDS: the same; NUT_VIOLATED: different; NUT_UNKNOWN, NUT_ERROR: see the
** reason. */
nut_verdict nut_diff_verdict(const nut_diff *);
const char *nut_diff_reason(const nut_diff *); /* or NULL */
const char *nut_diff_observed(const nut_diff *,
                              size_t index); /* NULL: no more */
/* A run that only one of them has, which was executed again; NULL: there is
** none.  '*only': 0 the first, 1 the second.  '*kind' is "start", "change",
** "ends" or "diverges"; '*changes' how often what is observed has changed. */
const nut_trace *nut_diff_trace(const nut_diff *, int *only, const char **kind,
                                size_t *changes);
/* NUT_TEXT or NUT_JSON. */
bool nut_diff_text(const nut_diff *, nut_format, nut_style, nut_sink *,
                   void *context);

/* ---- drawings, conversions, automata ------------------------------------ */

typedef enum nut_drawing {
  NUT_DRAW_PROCESSES, /* their automata */
  NUT_DRAW_STATES,    /* all states, when they are not many */
  NUT_DRAW_STORE      /* the diagram that a store keeps the states in */
} nut_drawing;

/* In DOT.  Of the options, 'store' and 'order' count; NULL: the default. */
bool nut_draw(nut_workspace *, nut_drawing, const nut_options *, nut_sink *,
              void *context);
/* The same of processes or states, with a run marked in it. */
bool nut_draw_run(nut_walk *, nut_drawing, nut_sink *, void *context);
/* The model in another language: NUT_PROMELA, NUT_DVE, NUT_PNML; NUT_DOT is the
** drawing of its processes, NUT_TEXT the model as it was understood.  When the
** hint is not "", it is the graph of its states that was written. */
bool nut_convert(nut_workspace *, nut_format, nut_sink *, void *context);
/* Whether the certificate in these bytes speaks of the model that was loaded;
** otherwise 'nut_problem' tells what is different. */
bool nut_certificate_matches(nut_workspace *, const char *bytes, size_t length);

/* A formula of linear time as a Buchi automaton: NUT_NEVER, NUT_HOA, NUT_DOT.
** NUT_ERROR: '*messages' tells what is wrong, for 'nut_text_free'.  NUT_UNKNOWN:
** the automaton is too large. */
nut_verdict nut_automaton(const char *formula, bool negated, bool generalised,
                          nut_format, nut_sink *, void *context,
                          char **messages);

/* ---- stores ------------------------------------------------------------- */

typedef struct nut_store {
  const char *codec, *set; /* together, with a '+', its name; NULL: no more */
  const char *summary;
  bool exact; /* never loses a state */
} nut_store;

nut_store nut_store_at(size_t index);
/* Whether there is one of this name; '*why', if it has a special reason why not,
** or NULL. */
bool nut_store_exists(const char *name, const char **why);

#ifdef __cplusplus
}
#endif

#endif
