/* expect: 3:10: error: an unsigned needs a width: unsigned x : 5
*/
unsigned u;
init { skip }
