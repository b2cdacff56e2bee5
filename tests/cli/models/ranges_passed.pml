/* A message and a parameter can be out of range, too. */
chan q = [1] of { value 3 };
chan r = [0] of { value 3 };
byte n;
active proctype P() { do :: n < 3 -> q!n; n++; q?_ :: r!n :: n == 3 -> q!n od }
active proctype Q(value 2 i) { byte z; end: do :: r?z od }
init { n == 3 -> run Q(n) }
