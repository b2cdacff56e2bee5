nutshell check -q --trace t.json --trail=t.trail models/mutex.pml
try nutshell replay models/mutex.pml t.json
try nutshell replay models/mutex.pml t.trail
try nutshell replay -q models/mutex.pml t.json
# A trace of another model, one with a step taken out, one with a wrong value.
try nutshell replay models/safe.pml t.json
try nutshell replay models/safe.pml t.trail
sed -i 2d t.trail
try nutshell replay -q models/mutex.pml t.trail
sed -i 's/"after": 2/"after": 3/' t.json
try nutshell replay -q models/mutex.pml t.json
