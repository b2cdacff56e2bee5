/* expect: 3:2: error: a condition is missing
*/
#if
#endif
init { skip }
