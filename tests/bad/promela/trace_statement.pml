int x;
trace { x = 1 }
init { skip }
/*
expect: 2:9: error: only sends, receives and control flow may be used in a trace
*/
