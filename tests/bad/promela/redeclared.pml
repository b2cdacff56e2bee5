/* expect: 5:21: error: 'x' is already declared
** expect: 4:5: note: declared here
*/
int x;
proctype P() { byte x; skip }
init { skip }
