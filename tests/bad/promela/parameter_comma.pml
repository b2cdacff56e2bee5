/* Parameters as in C.
expect: 5:19: error: expected a name (or ';' before another type), found 'int'
expect: 6:10: error: expected a name without a type, found 'int'
*/
proctype P(int a, int b) { skip }
inline f(int x) { skip }
init { skip }
