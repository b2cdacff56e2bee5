/* expect: 5:10: error: 'P' is already declared
** expect: 4:5: note: declared here
*/
int P;
proctype P() { skip }
init { skip }
