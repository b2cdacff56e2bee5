/* expect: 3:5: error: '1.5' is not an integer
*/
#if 1.5
#endif
init { skip }
