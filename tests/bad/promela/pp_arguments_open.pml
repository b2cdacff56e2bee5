/* expect: 5:12: error: the arguments of macro 'f' do not end
*/
#define f(x, y) (x + y)
byte a;
init { a = f(1, 2 }
