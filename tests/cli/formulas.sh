# With -v a formula is shown as it was understood.
cat >f.pml <<'END'
byte x; bool p, q;
active proctype P() { x = 3; p = true }
ltl a { ([] p) U (x == 3) }
ltl b { [] ((p -> (<> (x == 3)) && p) || !p) }
END
try nutshell check -v f.pml --ltl 'p -> F q || G !q' --no-deadlock | grep -B2 'read as'
