proctype Worker() { skip }
init { run Wroker() }
/*
expect: 2:8: error: there is no proctype 'Wroker'
expect: 1:10: note: the nearest name is 'Worker'
*/
