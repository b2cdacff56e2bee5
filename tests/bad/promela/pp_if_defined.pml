/* expect: 3:13: error: expected a name after 'defined'
*/
#if defined 3
#endif
init { skip }
