int done;
init {
  skip;
  done: skip;
  goto done
}
/*
expect: 4:3: error: 'done' cannot be a label: it is a variable
expect: 1:5: note: declared here
expect: 5:3: error: 'done' cannot be a label: it is a variable
expect: 1:5: note: declared here
*/
