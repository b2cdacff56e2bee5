/* expect: 5:8: error: proctype 'P' has 2 parameters, this 'run' has 1 argument
** expect: 4:10: note: defined here
*/
proctype P(int a; byte b) { skip }
init { run P(1) }
