/* What comes after a mistake in an inline is looked for in the file.
expect: 6:16: error: expected a statement, found 'fi'
expect: 8:37: error: expected an expression, found '}'
*/
byte x;
inline f() { { fi } inline g() { skip } }
init { f() }
active proctype P() { f2: skip; x = }
