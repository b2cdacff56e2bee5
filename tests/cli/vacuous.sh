# True, or false, for no good reason: said in one line each.  What is said of
# parts is so: the formula with the part replaced has the same answer.
try nutshell check models/vacuous.pml --invariant 'asked -> x == 7' \
  --invariant 'served -> x < 4'
nutshell check models/vacuous.pml --json | sed -n '/"vacuous"/,/\]/p'
nutshell check models/vacuous.pml --json | sed -n '/"atomic_blocks"/,/\]/p'
nutshell check models/vacuous.pml -q --property ltl --property ltl-2 \
  --ltl '[] (asked -> <> false)' --ltl '[] (x > 0 || false)'
nutshell check models/vacuous.pml -q \
  --ltl '<> (true && y > 3)' --ltl '<> (served && true)' --property ltl \
  --property ltl-2
nutshell check models/vacuous.pml --property ltl \
  --ltl '[] ((served && x > 0) -> X (x > 0 U (x > 0 || y > 9)))'
nutshell check models/vacuous.pml --property ltl --ltl '(x == 1) <-> ! broken'
# Of a run that violates, what is true in its states counts.
nutshell check models/vacuous.pml --property ltl --ltl '[] (x > 0) && <> (y > 3)'
