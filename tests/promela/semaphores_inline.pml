/* A bounded buffer from counting semaphores made of inlines over arrays. */
/* expect: holds; states 331; transitions 651 */
#define SIZE 2
byte sem[3];
byte buf[SIZE], head, tail, sum;

inline down(k) { atomic { sem[k] > 0 -> sem[k]-- } }
inline up(k) { sem[k]++ }

active [2] proctype producer() {
  sem[0] < 9;
  down(0);
  down(2);
  buf[head] = _pid + 1;
  head = (head + 1) % SIZE;
  up(2);
  up(1)
}

active proctype consumer() {
  byte i;
  d_step { sem[0] = SIZE; sem[2] = 1 };
  for (i : 1 .. 2) {
    down(1);
    down(2);
    sum = sum * 3 + buf[tail];
    tail = (tail + 1) % SIZE;
    up(2);
    up(0)
  }
  assert(sum == 5 || sum == 7)
}
