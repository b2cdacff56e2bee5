/* expect: 4:22: error: proctype 'P' has no variable 'y'
*/
proctype P() { int x; x = 1 }
init { run P(); P[1]:y == 1 }
