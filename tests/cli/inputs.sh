try nutshell check models/nothing.pml
try nutshell draw models
try nutshell check models/broken.pml
try nutshell check models/embedded.pml
try nutshell check --allow-c models/embedded.pml
try nutshell check --invariant 'inside <' models/safe.pml
try nutshell check --invariant 'insid < 2' models/safe.pml
try nutshell replay models/safe.pml models/nothing.json
try nutshell replay models/safe.pml models/safe.pml
echo '{ "steps": 3 }' > t.json
try nutshell replay models/safe.pml t.json
echo '{ "steps": [ { "process": 0, "edge": 999999 } ] }' > t.json
try nutshell replay models/safe.pml t.json
echo '{ "steps"' > t.json
try nutshell replay models/safe.pml t.json
echo '1:0:99999:' > t.trail
try nutshell replay models/safe.pml t.trail
# An empty trail ends where it begins.
printf '' > t.trail
try nutshell replay models/safe.pml t.trail
echo '-6:1:1' > t.trail
try nutshell replay models/safe.pml t.trail
