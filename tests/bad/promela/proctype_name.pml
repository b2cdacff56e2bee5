/* expect: 3:10: error: expected the name of the proctype, found a constant
*/
proctype 3 () { skip }
init { skip }
