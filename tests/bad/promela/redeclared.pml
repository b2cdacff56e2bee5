int x;
proctype P() { byte x; skip }
init { skip }
/*
expect: 2:21: error: 'x' is already declared
expect: 1:5: note: declared here
*/
