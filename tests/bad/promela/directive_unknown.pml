/* expect: 4:2: error: preprocessor: invalid preprocessing directive #nonsense
*/
#if 1
#nonsense
#endif
init { skip }
