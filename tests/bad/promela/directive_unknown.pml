#if 1
#nonsense
#endif
init { skip }
/*
expect: 2:2: error: preprocessor: invalid preprocessing directive #nonsense
*/
