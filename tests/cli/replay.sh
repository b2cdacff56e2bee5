nutshell check -q --trace t.json --trail=t.trail models/mutex.pml
try nutshell replay models/mutex.pml t.json
try nutshell replay models/mutex.pml t.trail
try nutshell replay -q models/mutex.pml t.json
# A trace of another model, one with a step taken out, one with a wrong value.
try nutshell replay models/safe.pml t.json
try nutshell replay models/safe.pml t.trail
sed -i 2d t.trail
try nutshell replay -q models/mutex.pml t.trail
sed -i 's/"after": 2/"after": 3/' t.json
try nutshell replay -q models/mutex.pml t.json
# A loop is marked and must close; so in SPIN's way of writing it.
cat >amb.pml <<'END'
bool a, b; byte n;
active proctype A() { do :: a = !a od }
active proctype B() { n++; do :: b = !b od }
ltl p { []<> a }
END
nutshell check -q --property p --trace l.json --trail=l.trail amb.pml
try nutshell replay amb.pml l.json
try nutshell replay amb.pml l.trail
sed 's/"loop": [0-9]*/"loop": 0/' l.json >open.json
try nutshell replay -q amb.pml open.json
sed '/-1:-1:-1/d; 1i -1:-1:-1' l.trail >open.trail
try nutshell replay -q amb.pml open.trail
# A run that stays where it ended.
cat >end.pml <<'END'
bool a; active proctype A() { a = false } ltl p { <> a }
END
nutshell check -q --property p --trace e.json --trail=e.trail end.pml
try nutshell replay end.pml e.json
try nutshell replay -q end.pml e.trail
