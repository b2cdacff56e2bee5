/* for over the messages of a channel: each message is received and sent
 * back, while another process changes the channel. */
/* expect: holds; states 1594; transitions 2573 */
typedef msg { byte a; bit b }
chan c = [4] of { msg };
byte sum, n;

active proctype P() {
  msg m;
  m.a = 1; c ! m;
  m.a = 2; m.b = 1; c ! m;
  m.a = 3; c ! m;
  for (m in c) {
    n++;
    sum = sum + m.a * (m.b + 1)
  }
  n = 0;
  for (m in c) {
    if
    :: m.a == 2 -> break
    :: else -> n++
    fi
  }
}

active proctype Q() {
  msg q;
  c ? q;
  q.b = !q.b;
  if
  :: q.a = q.a + 10; c ! q
  :: skip
  fi
}
