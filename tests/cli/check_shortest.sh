try nutshell check --shortest models/mutex.pml
try nutshell check --search bfs models/ring.pml
# A lasso: the nested search goes far before it comes back.
cat >far.pml <<'END'
byte n; bool p;
active proctype A() { do :: n < 50 -> n++ :: n > 0 -> n-- od }
ltl f { []<> p }
END
try nutshell check --property f --shortest far.pml
try nutshell check --property f -q far.pml | tail -1
