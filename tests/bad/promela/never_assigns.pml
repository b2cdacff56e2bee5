/* expect: 4:9: warning: a never claim should not have side effects
*/
int x;
never { x = 1 }
init { skip }
