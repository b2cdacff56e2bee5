/* expect: 7:1: error: expected '}', found the end of the file
** expect: 6:7: note: to close what was opened here
*/
int x;
init { skip }
ltl p { [] x
