# Parts of a run: of processes, channels, variables; by numbers; with states.
nutshell check models/ring.pml --reach 'total >= 2' --trace t.json -q
nutshell replay models/ring.pml t.json
try nutshell replay models/ring.pml t.json --only 'client(0)'
try nutshell replay models/ring.pml t.json --only 'request,total'
try nutshell replay models/ring.pml t.json --only 'server' --from 4
try nutshell replay models/ring.pml t.json --from 2 --to 3 --state
try nutshell replay models/ring.pml t.json --only 'server(1):n'
try nutshell replay models/ring.pml t.json --from 99
try nutshell replay models/ring.pml t.json --only nobody
try nutshell replay models/ring.pml t.json --to x
