# A run marked in the graph of states, and in the automata; charts with all steps.
nutshell check models/mutex.pml --shortest --trace t.json --msc a.svg -q
nutshell draw models/mutex.pml --graph states --trace t.json > g.dot
grep -c 'penwidth=2.2' g.dot
grep -E '"[^"]*(1  user|6  user|red lines)' g.dot
nutshell draw models/mutex.pml --trace t.json | grep -E 'penwidth|red:'
try nutshell draw models/ring.pml --graph states --trace t.json
try nutshell draw models/ring.pml --graph store --trace t.json
try nutshell draw models/mutex.pml --trace nothing.json
nutshell check models/ring.pml -v --msc b.mmd >/dev/null
cat b.mmd
nutshell check models/ring.pml --msc c.svg >/dev/null
grep -o '<path class="arrow"[^>]*d="[^"]*"' c.svg
