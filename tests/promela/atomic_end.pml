/* An atomic sequence at the end of a body: the last step of the process
 * is its death, and when that comes. */
/* expect: holds; states 71; transitions 86 */
byte x;

proctype child(byte k) { atomic { x = x + k; x = x * 2 } }

init {
  atomic {
    run child(1);
    run child(2)
  };
  atomic { x > 2 -> x--; _nr_pr < 3 -> x = x + 10 };
  atomic { run child(3); x++ }
}
