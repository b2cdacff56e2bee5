int x;
never { x = 1 }
init { skip }
/*
expect: 2:9: warning: a never claim should not have side effects
*/
