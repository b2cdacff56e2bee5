int P;
proctype P() { skip }
init { skip }
/*
expect: 2:10: error: 'P' is already declared
expect: 1:5: note: declared here
*/
