/* expect: 4:9: error: 'n' has no constant initial value
*/
byte n = _pid;
active [n] proctype P() { skip }
init { skip }
