/* expect: 3:7: error: expected the number of a line
*/
#line x
init { skip }
