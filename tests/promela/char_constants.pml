/* Character constants are numbers. */
/* expect end-states: violated; states 735; transitions 1175 */
byte c = 'a', n;

active proctype P() {
  do
  :: c <= 'd' -> c++; n = n * 2 + (c == 'c')
  :: c > 'b' -> c = c - '\n'; break
  od;
  n = c + '0'
}

active proctype Q() { c == 'c' -> c = 'Z'; n = '\t' }
