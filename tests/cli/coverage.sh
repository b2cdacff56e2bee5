# Counts per statement: of all steps, of a search that stopped, of what happens
# in atomic sequences, in d_steps and in a rendezvous; as text, JSON and lcov.
try nutshell check models/unreached.pml --coverage
try nutshell check models/mutex.pml -q --coverage
try nutshell count models/steps.pml -q --coverage=-
try nutshell count models/safe.pml -q --coverage c.json
cat c.json
try nutshell check models/unreached.pml -q --coverage=c.info
cat c.info
try nutshell check models/mutex.pml -q --coverage=d.info
head -1 d.info
nutshell check models/unreached.pml --json --coverage |
  sed -n '/"coverage"/,/"text"/p'
try nutshell check models/safe.pml -q --symbolic --coverage
try nutshell check models/safe.pml -q --coverage=/nowhere/x
for more in '--threads 2' '--store raw+table' '--search bfs'; do
  nutshell count models/steps.pml -q --coverage=x.json $more >/dev/null
  nutshell count models/steps.pml -q --coverage=y.json >/dev/null
  cmp x.json y.json && echo same
done
