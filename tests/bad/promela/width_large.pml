/* expect: 3:14: error: the width of an unsigned is 1 to 31 bits
*/
unsigned u : 32;
init { skip }
