/* expect: 3:8: error: a declaration cannot have a label
*/
init { L: int x; skip }
