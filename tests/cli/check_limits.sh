try nutshell check --depth 5 models/safe.pml
try nutshell check --depth 5 models/mutex.pml
try nutshell count -q --memory 1M models/large.pml
# As much time as this machine needs to load it.
for seconds in 0.1 1 10 100; do
  nutshell count -q --time $seconds models/large.pml > t.txt
  status=$?
  grep -q 'large.pml: unknown' t.txt && break
done
cat t.txt
echo "status $status"
try nutshell count -q --depth 10 models/large.pml
try nutshell check -q --por on models/safe.pml
