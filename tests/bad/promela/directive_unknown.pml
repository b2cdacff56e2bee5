/* expect: 4:2: error: there is no directive '#nonsense'
*/
#if 1
#nonsense
#endif
init { skip }
