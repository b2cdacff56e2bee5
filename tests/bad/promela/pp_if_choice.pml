/* expect: 3:10: error: expected ':' in this condition
*/
#if 1 ? 2
#endif
init { skip }
