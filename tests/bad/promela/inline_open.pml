/* expect: 3:12: error: the body of this inline does not end
*/
inline f() { skip
