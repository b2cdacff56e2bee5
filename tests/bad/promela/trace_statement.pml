/* expect: 4:9: error: only sends, receives and control flow may be used in a trace
*/
int x;
trace { x = 1 }
init { skip }
