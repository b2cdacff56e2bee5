/* The subcommands, one list: name, what follows it, one line, and what
** `nutshell help NAME` adds.  Dispatch, help, manual page and completion come
** from it.  Alphabetical, but for 'help', which comes last. */

#ifndef NUT_CLI_COMMANDS_H
#define NUT_CLI_COMMANDS_H

#include "base/verdict.h"

/* clang-format off */
#define COMMANDS(COMMAND)                                                      \
  COMMAND(automaton, "FORMULA", "translate an LTL formula into an automaton",  \
    "Prints a Buchi automaton that accepts exactly the infinite words which\n" \
    "satisfy the formula of linear temporal logic.  Operators: [] <> U W V X\n"\
    "&& || ! -> <-> as in SPIN, the letters G F R M, and words such as\n"      \
    "always, eventually, until.  SVG needs Graphviz (the program 'dot').\n")   \
  COMMAND(certificate, "X FILE", "compare certificate X with a model",          \
    "Says whether the certificate X of 'check --certificate' speaks of\n"\
    "this model: the model in it must be the one that FILE means.  Whether the\n"\
    "certificate proves what it claims is for 'nutshell-certify' to say.\n")   \
  COMMAND(check, "FILE...", "check everything a model asks for",               \
    "Walks all reachable states of the model and reports one row for each\n"   \
    "property: assertions, invalid end states, array bounds, and what the\n"   \
    "options add.  A violated property comes with a counterexample.  Several\n"\
    "models are checked one after the other, and of a folder all that are in\n"\
    "it; nets (.lpn, .g) that are named together are parts of one system.\n")  \
  COMMAND(convert, "FILE", "write a model in another language",                \
    "Writes the model as Promela, DVE or PNML, with the same states and\n"     \
    "transitions: one process makes all steps of the system.  What the\n"      \
    "other language cannot express is refused, with the reason.\n")            \
  COMMAND(count, "FILE...", "count the reachable states, errors not stopping", \
    "Walks the whole reachable space, without reduction, past every error,\n"  \
    "and prints how many states, transitions, deadlocks and errors there\n"    \
    "are.  Never claims and ltl blocks are ignored.\n")                        \
  COMMAND(dap, "", "show a counterexample in an editor's debugger",            \
    "Reads and writes messages of the Debug Adapter Protocol on the standard\n"\
    "input and output; an editor starts it.  It steps through a counterexample,\n"\
    "forwards and backwards, with the values at each step.\n")                 \
  COMMAND(diff, "OLD NEW", "compare the behaviour of two versions of a model",  \
    "Says whether both models can show the same sequences of changes of what\n"\
    "is observed: --observe, or all global variables and channels of the same\n"\
    "name and type.  The status is 0 when they are the same, 1 when not, with a\n"\
    "shortest run that only one of them has, and 3 when that is not known.\n"  \
    "--spec asks only whether NEW does nothing that OLD does not.\n")          \
  COMMAND(draw, "FILE", "draw process automata or a small state graph",        \
    "Writes a drawing to the standard output: the automaton of each process\n" \
    "type, or the graph of all states of a small model.  SVG needs Graphviz\n" \
    "(the program 'dot').\n")                                                  \
  COMMAND(explore, "FILE...", "show a model on a page in the browser",          \
    "Serves a page on this computer, prints its address and opens the browser:\n"\
    "read the model, walk through its states, check it, and see why.  The\n"    \
    "address holds a secret; nobody without it gets an answer.  --time and\n"   \
    "--memory are the limits of each check.  docs/page.md shows the page, and\n"\
    "docs/http.md is for other programs.  Ctrl-C ends it.\n")                  \
  COMMAND(lsp, "", "serve an editor, by the Language Server Protocol",          \
    "Reads and writes messages of the protocol on the standard input and\n"    \
    "output; an editor starts it.  Diagnostics, hover, definition, references,\n"\
    "rename, symbols, completion, formatting, and a lens that checks the model.\n"\
    "Only files of the workspace are opened, and no C of a model is run.\n")   \
  COMMAND(mcp, "[FOLDER]", "serve an assistant, by the Model Context Protocol", \
    "Reads and writes messages of the protocol on the standard input and\n"    \
    "output.  Its tools load, check, explain, step and replay; each call has a\n"\
    "limit of time.  Only files of FOLDER (the current one) are opened, nothing\n"\
    "is written, no C of a model is run, and no plug-in is loaded.\n")         \
  COMMAND(profile, "FILE", "tell where the states of a model come from",        \
    "Walks over the states and shows the source with how many states,\n"       \
    "transitions and new values each line brings, by which factor each\n"      \
    "variable multiplies the states, and three changes that save most, tried.\n")\
  COMMAND(properties, "FILE", "list what a check of a model decides",           \
    "Lists the properties of the model, one line each: the name that --property\n"\
    "takes, the kind, where it is declared, and the formula.\n")               \
  COMMAND(replay, "FILE TRACE", "execute a trace again and show it",           \
    "Executes TRACE step by step on the model: a JSON trace written by\n"      \
    "--trace, or a .trail of Nutshell or SPIN.  Says which step does not\n"    \
    "match the model, if one does not.  --only, --from and --to show a part of\n"\
    "it, --state the whole state after each step.\n")                          \
  COMMAND(resume, "FILE", "go on with a check or count from its checkpoint",    \
    "Goes on from the newest whole one of FILE.0 and FILE.1, which --checkpoint\n"\
    "has written, and reports what the run would have reported.  The model and\n"\
    "the options that decide the answer are in the file; threads, limits and\n"\
    "what is printed may be others.  It is kept in FILE.0 and FILE.1 as before.\n")\
  COMMAND(simulate, "FILE", "run a model, by chance or step by step",          \
    "Executes one run of the model and shows each step.  With --interactive\n" \
    "you choose each step: a number takes a step, 'u' undoes one, 's' shows\n" \
    "the state, 'w' what cannot be executed and why ('w 12': in line 12),\n"   \
    "'q' or the end of the input quits.\n")                                    \
  COMMAND(spin, "ARGUMENTS", "do what SPIN does, with its command line",       \
    "Takes the arguments of SPIN 6.5.2 and prints what scripts expect of it:\n"\
    "-search and -run, -a (writes a pan.c that starts Nutshell), -t with -p -g\n"\
    "-l -r -s -c -k -j, simulation with -n -u -i, -f, -I.  The exit status is\n"\
    "SPIN's: 0 also when there are errors.  What cannot be done is refused.\n" \
    "C in the model is run only after '--allow-c'.\n")                         \
  COMMAND(state, "FILE [NAME]", "look for a state by its name",                 \
    "Searches the states of the model, nearest first, for the one whose name\n"\
    "is NAME or begins with it (10 digits or more), and shows it: its values,\n"\
    "and with --trace a shortest run to it.  Without NAME it shows the initial\n"\
    "state.  The status is 1 when no state is called so, 3 when a limit was\n"  \
    "reached before.  docs/model.md says what names are made of.\n")           \
  COMMAND(stores, "", "list the stores, one line each",                        \
    "Lists the names --store accepts: how a state is encoded (codec) and\n"    \
    "where it is kept (set), whether the store is exact, and its idea.\n")     \
  COMMAND(test, "FILE...", "compare models with what they expect",             \
    "Tries every model that says what is expected of it, in a comment such as\n"\
    "'expect: holds; states 38', and prints a line for each expectation.  Of\n"\
    "a folder all models are tried, several at a time.  The status is 0 when\n"\
    "all is as expected, 1 when not, 2 when a model cannot be read, and 3 when\n"\
    "one is unknown though it is expected to be something else.\n")            \
  COMMAND(help, "[COMMAND|TOPIC]", "explain a command or a topic",             \
    "Explains a command and its options, or one of the topics that 'nutshell\n"\
    "--help' lists.  --man and --bash-completion print what packages\n"        \
    "install.\n")
/* clang-format on */

typedef enum {
#define COMMAND(name, usage, summary, text) COMMAND_##name,
  COMMANDS(COMMAND)
#undef COMMAND
      COMMAND_COUNT_
} command_id;

typedef struct options options;

typedef struct command {
  const char *name, *usage, *summary, *text;
  unsigned mask;               /* 1 << id, as in the table of options */
  int (*run)(const options *); /* returns an exit status */
} command;

extern const command commands[COMMAND_COUNT_];
const command *command_find(const char *name); /* NULL: there is none */
int command_unknown(const char *word); /* complains; returns the status */

#define COMMAND(name, usage, summary, text) int command_##name(const options *);
COMMANDS(COMMAND)
#undef COMMAND

/* Exit statuses are the numbers of verdicts: which, name, meaning. */
/* clang-format off */
#define EXITS(EXIT)                                                            \
  EXIT(VERDICT_HOLDS, HOLDS, "every property holds (or the command did its work)")      \
  EXIT(VERDICT_VIOLATED, VIOLATED, "a property is violated (replay: the trace does not fit)") \
  EXIT(VERDICT_ERROR, BAD, "bad usage, bad input, or a file could not be written")    \
  EXIT(VERDICT_UNKNOWN, UNKNOWN, "no answer: a limit was reached, the store is lossy, or a property cannot be checked yet")
/* clang-format on */

enum {
#define EXIT(number, name, text) STATUS_##name = number,
  EXITS(EXIT)
#undef EXIT
};

#endif
