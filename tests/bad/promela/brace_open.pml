init {
  skip;
  { skip; skip
/*
expect: 4:1: error: expected '}', found the end of the file
expect: 3:3: note: to close what was opened here
*/
