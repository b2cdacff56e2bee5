/* expect: 5:25: error: 'for (x in y)' takes plain names
*/
typedef T { byte a[2] };
T t;
init { int i; for (i in t.a) { skip } }
