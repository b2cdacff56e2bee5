# Formulas as automata, in every format, and what is wrong with formulas.
nutshell automaton '[] (p -> <> q)' --negate
nutshell automaton 'always eventually p' --format hoa
nutshell automaton 'G F p && G F q' --format hoa --generalised
nutshell automaton 'p U (x > 3 || "U")' --format dot
nutshell automaton 'false'
nutshell automaton 'F p || !F p'
nutshell automaton 'F p' --format svg | grep -c '<svg'
try nutshell automaton 'p U q U r' --format hoa
try nutshell automaton '[] (p -> '
try nutshell automaton '[] (p -> <> q))'
try nutshell automaton 'p q'
try nutshell automaton 'p && U q'
try nutshell automaton 'p [] q'
try nutshell automaton 'p[3 U q'
try nutshell automaton '"p'
try nutshell automaton ''
try nutshell automaton 'p' --generalised
try nutshell automaton
try nutshell draw models/peterson.pml --format hoa
