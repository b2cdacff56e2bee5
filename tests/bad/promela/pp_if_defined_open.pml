/* expect: 3:15: error: expected ')' after the name
*/
#if defined (X
#endif
init { skip }
