/* A receive that stores a value by which the place of the next one is found, in
 * the eyes of another: P[0]:v is the v just received, whoever asks.
 *
 * expect: holds; states 9; transitions 10
 */
byte w[4], x[4];
chan q = [1] of { byte, byte };
chan r = [0] of { byte, byte };

active proctype P()
{
  byte v;
  q!1,2;
  q?v,w[P[0]:v];
  assert(w[1] == 2);
  r?v,x[P[0]:v];
  assert(x[3] == 1)
}

active proctype S()
{
  r!3,1
}
