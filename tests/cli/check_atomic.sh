# A process that stays inside an atomic sequence.
try nutshell check models/atomic_loop.pml
try nutshell check --time 0.3 models/atomic_endless.pml
try nutshell count --time 0.3 --json models/atomic_endless.pml > t.json
grep hint t.json
