/* expect: 6:2: error: '#else' after '#else'
** expect: 4:2: note: of the condition that begins here
*/
#if 1
#else
#else
#endif
init { skip }
