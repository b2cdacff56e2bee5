/* expect: 5:10: error: proctype 'P' is defined twice
** expect: 4:10: note: the first definition
*/
proctype P() { skip }
proctype P() { skip }
init { skip }
