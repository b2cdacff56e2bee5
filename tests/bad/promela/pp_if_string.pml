/* expect: 3:5: error: expected a value in this condition
*/
#if "x" == 1
#endif
init { skip }
