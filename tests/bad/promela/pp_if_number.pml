/* expect: 3:5: error: '3x' is not an integer
*/
#if 3x
#endif
init { skip }
