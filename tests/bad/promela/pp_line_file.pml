/* expect: 3:9: error: expected the name of a file in quotes
*/
#line 3 x
init { skip }
