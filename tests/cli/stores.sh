nutshell stores | grep -o '^raw+table *exact'
nutshell stores --quiet | grep -x 'raw+table'
nutshell check -q --store raw+table models/safe.pml
try nutshell count -q --store pack+bitstate models/safe.pml
try nutshell check -q --store raw+bitstate --hashes 2 models/safe.pml
try nutshell check -q --store raw+hashcompact models/safe.pml
try nutshell count -q --store pack+mdd --order learned models/safe.pml
nutshell draw --graph store --store collapse+mdd models/safe.pml | head -n 1
try nutshell draw --graph store --store raw+table models/safe.pml
# The growth of a store: a heading, and at the end all states.
try nutshell count -q --growth g.csv --store raw+obdd --search bfs --depth 40 \
  models/large.pml
head -n 1 g.csv
awk -F, 'NR > 2 && $1 < last { print "states shrink" } { last = $1 } END {
  print (NR > 3), $1, ($4 > 0), ($6 > 0) }' g.csv
try nutshell count -q --growth none/g.csv models/safe.pml
