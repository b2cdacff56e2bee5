/* Three counters that go round, 27,000 states; a fourth that only grows with
** ENDLESS. */
#ifndef M
#define M 30
#endif
byte a, b, c, d;
int n;

active proctype A() { do :: a = (a + 1) % M od }
active proctype B() { do :: b = (b + 1) % M od }
active proctype C() { do :: c = (c + 1) % M od }
#if M > 100
active proctype E() { do :: d = (d + 1) % M od }
#endif
#ifdef ENDLESS
active proctype D() { do :: n++ od }
#endif
