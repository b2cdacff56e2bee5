/* expect: 5:15: error: '##' does not make one token of '=' and '>'
*/
#define join(a, b) a ## b
byte x;
init { x join(=, >) 3 }
