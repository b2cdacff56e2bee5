proctype P() { skip }
init { run P() > 1 }
/*
expect: 2:8: error: 'run' must stand alone here, or be assigned to a variable
*/
