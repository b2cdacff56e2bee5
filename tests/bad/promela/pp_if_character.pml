/* expect: 3:5: error: a character is missing between the quotes
*/
#if ''
#endif
init { skip }
