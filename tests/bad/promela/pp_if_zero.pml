/* expect: 3:7: error: division by zero in this condition
*/
#if 1 / 0
#endif
init { skip }
