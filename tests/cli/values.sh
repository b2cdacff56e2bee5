for seed in 1 10 11 12
do try nutshell simulate --seed $seed models/values.pml
done
try nutshell check --invariant 'x < 5 && b < 255' models/values.pml
nutshell check --json models/values.pml | grep '"note"'
nutshell simulate -q --seed 10 --trace t.json models/values.pml
grep '"note"' t.json
try nutshell replay models/values.pml t.json
echo 'byte x = 4, n; active proctype P() { x = x / (n * 2) }' > division.pml
try nutshell simulate --seed 1 division.pml
