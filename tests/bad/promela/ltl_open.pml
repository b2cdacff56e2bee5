int x;
init { skip }
ltl p { [] x
/*
expect: 4:1: error: expected '}', found the end of the file
expect: 3:7: note: to close what was opened here
*/
