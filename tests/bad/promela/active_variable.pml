/* expect: 4:9: error: 'n' has no constant initial value
*/
byte n = _nr_pr;
active [n] proctype P() { skip }
init { skip }
