/* expect: 4:8: error: 'run' must stand alone here, or be assigned to a variable
*/
proctype P() { skip }
init { run P() > 1 }
