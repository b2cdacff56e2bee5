try nutshell check --search bfs --verbose models/written.pml
try nutshell check --quiet --search bfs --trace t.json models/written.pml
grep '"text"' t.json
try nutshell draw models/written.pml | grep 'x++'
# In an inline its arguments stand for its parameters.
try nutshell simulate --seed 1 models/inlines.pml
