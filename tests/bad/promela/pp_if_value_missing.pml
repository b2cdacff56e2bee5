/* expect: 3:8: error: expected a value in this condition
*/
#if 1 +
#endif
init { skip }
