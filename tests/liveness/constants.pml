/* Formulas that are true or false whatever happens. */
/* expect: truth holds */
/* expect: falsity violated */
byte x;

active proctype P() {
  do
  :: x = 1 - x
  od
}

ltl truth { 1 }
ltl falsity { 0 }
