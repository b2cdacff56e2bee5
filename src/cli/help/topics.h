/* What 'nutshell help TOPIC' explains besides commands: name, one line, text.
** Overview, help and the test of the manual come from this list. */

#ifndef NUT_CLI_HELP_TOPICS_H
#define NUT_CLI_HELP_TOPICS_H

/* clang-format off */
#define TOPICS(TOPIC)                                                          \
  TOPIC("fairness", "which infinite runs count",                               \
    "An infinite run may be one in which the scheduler forgets a process for\n"\
    "ever.  Often that is not what was meant:\n\n"                             \
    "  --fair none     every infinite run counts (default)\n"                  \
    "  --fair weak     those in which each process that could always move,\n"  \
    "                  from some point on, moves again and again\n"            \
    "  --fair strong   those in which each process that can move again and\n"  \
    "                  again does move again and again\n\n"                    \
    "When the loop of a counterexample leaves a process alone that could\n"    \
    "always move, the report says so: with --fair weak such runs do not\n"     \
    "count.  Fairness concerns ltl formulas, never claims, acceptance and\n"   \
    "non-progress, not assertions or invalid end states.  For conditions of\n" \
    "your own in branching time there is --ctl-fair.\n")                       \
  TOPIC("ltl", "formulas of linear temporal logic",                            \
    "  [] f, G f           always f\n"                                         \
    "  <> f, F f           eventually f\n"                                     \
    "  f U g               f until g, and g comes\n"                           \
    "  f W g               f until g, or f for ever\n"                         \
    "  f V g, f R g        g up to and with f, or for ever\n"                  \
    "  X f                 f in the next state\n"                              \
    "  ! && || -> <->      logic; also not, and, or\n\n"                       \
    "G, F and R are for --ltl; an ltl block of Promela has [], <> and V, and\n"\
    "the words always, eventually, until, weakuntil, release, next.\n\n"       \
    "Usual forms:\n"                                                           \
    "  [] !(a && b)        never both\n"                                       \
    "  [] (p -> <> q)      every p is answered by a q\n"                       \
    "  [] <> p             p again and again\n"                                \
    "  <> [] p             p for ever, from some point on\n"                   \
    "  !q U p              no q before the first p\n\n"                        \
    "Parentheses make sure what is meant; 'check -v' shows each formula with\n"\
    "all of them.  A formula is checked on all runs: 'violated' comes with a\n"\
    "run on which it is false.  'nutshell automaton FORMULA' shows the automaton.\n")          \
  TOPIC("messages", "what is said about a model, and how to read it",          \
    "  ring.pml:3:10: error: 'trun' is not declared\n"                         \
    "      3 |   turn = trun;\n"                                               \
    "        |          ^~~~\n"                                                \
    "  ring.pml:1:6: note: the nearest name is 'turn'\n\n"                     \
    "File, line and column; what is wrong; the line, with a mark below it.\n"  \
    "  error     the model cannot be used; exit status 2\n"                    \
    "  warning   it can, but probably it does not mean what was meant\n"       \
    "  note      what helps to understand the message before it\n\n"           \
    "Messages come in the order of the source.  After twenty errors the rest\n"\
    "is left out, and a line says so.  docs/messages.md has an index of all\n" \
    "messages, with an example of each.\n")                                    \
  TOPIC("reduction", "why not all orders of steps are explored",               \
    "Steps of different processes that do not touch the same things can be\n"  \
    "made in either order, with the same result; then one order is enough.\n"  \
    "'check' leaves out the others (--por on), and so may store far\n"         \
    "fewer states than there are.  No verdict changes by it: what a property\n"\
    "looks at is never left out.  Where a reduction is not possible, it is\n"  \
    "not made, and -v says why.\n\n"                                           \
    "  --por off                   every order\n"                              \
    "  --por ample|stubborn        one kind of it; 'on' takes the stronger\n"  \
    "  --merge off                 a state after every step\n"                 \
    "  --reset-dead off            keep values that are not read again\n\n"    \
    "'count' counts all states, without any reduction.\n")                     \
  TOPIC("stores", "how the states seen so far are kept",                       \
    "A store is a codec (how a state becomes bytes or numbers) and a set\n"    \
    "(where they are kept): --store collapse+tree is the default, and needs\n" \
    "a few bytes for each state, whatever its length.\n\n"                     \
    "  collapse+tree    small and fast: nearly always the right one\n"         \
    "  pack+table       fast, for short states\n"                              \
    "  collapse+hybrid  the smallest for many regular models, slower\n"        \
    "  raw+bitstate     loses states: finds errors in what does not fit,\n"    \
    "                   but its answer can only be 'violated' or 'unknown'\n\n"\
    "'nutshell stores' lists all of them.  --symbolic keeps sets of states\n"  \
    "in decision diagrams instead: for nets and other regular models.\n")      \
  TOPIC("verdicts", "what an answer means",                                    \
    "  holds      everything reachable was explored, in a store that loses\n"  \
    "             nothing, and nothing violates the property\n"                \
    "  violated   a run that violates it was found, and replayed by the\n"     \
    "             interpreter before it was reported\n"                        \
    "  unknown    neither; the reason stands beside it\n\n"                    \
    "The whole is violated if one property is, otherwise unknown if one is,\n" \
    "otherwise it holds.  Every model is asked for\n\n"                        \
    "  assertions   assert, xr, xs and trace\n"                                \
    "  end-states   no state in which nothing can happen, while some process\n"\
    "               is neither at its end nor at an 'end' label\n"             \
    "  bounds       no index outside its array, no division by zero, no\n"     \
    "               channel that is not there; see the manual\n\n"             \
    "and for what it says itself: ltl blocks, never claims, accept and\n"      \
    "progress labels.\n")
/* clang-format on */

#endif
