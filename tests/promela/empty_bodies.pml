/* Processes that do nothing, statements that do nothing, and blocks that
 * hold just one skip. */
/* expect end-states: violated; states 436; transitions 1245 */
byte n;

proctype nothing() { skip }
proctype truth() { true; 1; (1 == 1) }
proctype blocks() { { skip }; { { n++ } }; atomic { skip }; d_step { skip } }

active [2] proctype only_decl() { byte unused = 3; int more; skip }

init {
  run nothing();
  run truth();
  run blocks();
  (_nr_pr == 1) -> n++
}
