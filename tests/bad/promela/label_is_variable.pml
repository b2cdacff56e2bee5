/* expect: 9:3: error: 'done' cannot be a label: it is a variable
** expect: 6:5: note: declared here
** expect: 10:3: error: 'done' cannot be a label: it is a variable
** expect: 6:5: note: declared here
*/
int done;
init {
  skip;
  done: skip;
  goto done
}
