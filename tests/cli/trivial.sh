# Formulas that say nothing about a model.
cat >trivial.pml <<'END'
byte x; active proctype P() { do :: x = 1 - x od }
#define p (x == 1)
ltl one { [] p || <> !p }
ltl two { <> (p && !p) }
ltl three { [] <> p }
END
try nutshell check trivial.pml
try nutshell check --json trivial.pml | grep -A6 '"name": "\(one\|two\|three\)"' | grep -E 'name|trivial'
