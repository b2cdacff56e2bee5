/* expect: 5:8: error: there is no proctype 'Wroker'
** expect: 4:10: note: the nearest name is 'Worker'
*/
proctype Worker() { skip }
init { run Wroker() }
