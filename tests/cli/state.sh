# States have names that stay; a name is searched for, and with it a way there.
cat >counter.pml <<'END'
byte x;
chan q = [1] of { byte };
active proctype count() { do :: x < 3 -> x++ od }
active proctype other() { q!x }
END
nutshell state counter.pml
nutshell state -q counter.pml
nutshell state counter.pml "$(nutshell state -q counter.pml | cut -c1-10)" --json
try nutshell state counter.pml 0123456789
try nutshell state counter.pml 012345678
try nutshell state counter.pml 0123456789ABCDEF
nutshell check -q --no-deadlock --invariant 'x < 2' --trace t.json counter.pml
nutshell replay counter.pml t.json --json --from 2 --only x
