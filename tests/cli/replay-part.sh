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
# As JSON, with what is blocked after a step, and why.
nutshell check -q --trace e.json models/explore.pml > /dev/null
nutshell replay models/explore.pml e.json --from 3 --to 4 --state --json > part.json
python3 - <<'END'
import json
for step in json.load(open("part.json"))["steps"]:
    print(step["text"], step["values"])
    for one in step["blocked"]:
        print("  ", one["process_type"], one["text"], one["why"], "-", one["because"])
END
