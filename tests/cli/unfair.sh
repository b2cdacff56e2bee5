cat >amb.pml <<'END'
bool a, b;
active proctype A() { do :: a = !a od }
active proctype B() { do :: b = !b od }
ltl p { []<> a }
END
try nutshell check --property p amb.pml
try nutshell check --property p --fair weak -q amb.pml
try nutshell check --property p --json amb.pml | sed -n '/unfair/,$p'
cat >strong.pml <<'END'
byte lock = 1; bool in;
active proctype A() { do :: lock == 1 -> lock = 0; lock = 1 od }
active proctype B() { lock == 1 -> in = true }
ltl p { <> in }
END
try nutshell check --property p --fair weak strong.pml
try nutshell check --property p --fair strong -q strong.pml
