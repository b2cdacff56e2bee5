/* Formulas that are true or false whatever happens. */
/* expect truth: holds */
/* expect truth: holds; with --fair weak */
/* expect truth: holds; with --fair strong */
/* expect falsity: violated */
/* expect falsity: violated; with --fair weak */
/* expect falsity: violated; with --fair strong */
byte x;

active proctype P() {
  do
  :: x = 1 - x
  od
}

ltl truth { 1 }
ltl falsity { 0 }
