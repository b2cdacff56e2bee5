/* expect: 3:2: error: expected the name of a macro
*/
#ifdef
#endif
init { skip }
