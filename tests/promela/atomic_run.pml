/* run inside an atomic sequence: the new process waits for its end. */
/* expect: holds; states 77; transitions 109 */
byte order, flag;

proctype first() { order = order * 2 + 1; flag = 1 }
proctype second() { atomic { order = order * 3; run first(); order++ } }

init {
  atomic {
    run second();
    order = 5;
    run first();
    flag == 1;
    order = order + 100
  }
}
