# A process that stays inside an atomic sequence.
try nutshell check models/atomic_loop.pml
# As much time as this machine needs to get inside.
for seconds in 0.3 3 30 300; do
  nutshell check --time $seconds models/atomic_endless.pml > t.txt
  status=$?
  grep -q 'has not left' t.txt && break
done
cat t.txt
echo "status $status"
for seconds in 0.3 3 30 300; do
  nutshell count --time $seconds --json models/atomic_endless.pml > t.json
  grep hint t.json && break
done
# Without a limit of time memory ends it, and the report says where.
try nutshell check --memory 40M --engine interpreted models/atomic_endless.pml
