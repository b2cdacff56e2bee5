/* expect: 4:10: error: expected '@' or ':' after the name of a proctype, found '=='
*/
proctype P() { skip }
init { P == 1 }
