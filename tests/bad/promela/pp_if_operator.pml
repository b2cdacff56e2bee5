/* expect: 3:7: error: expected an operator in this condition
*/
#if 1 2
#endif
init { skip }
