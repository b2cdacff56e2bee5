/* expect: 3:11: error: expected ')' in this condition
*/
#if (1 + 2
#endif
init { skip }
