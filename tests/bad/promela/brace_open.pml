/* expect: 7:1: error: expected '}', found the end of the file
** expect: 6:3: note: to close what was opened here
*/
init {
  skip;
  { skip; skip
