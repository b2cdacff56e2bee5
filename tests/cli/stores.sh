nutshell stores | grep -o '^raw+table *exact'
nutshell stores --quiet | grep -x 'raw+table'
nutshell check -q --store raw+table models/safe.pml
try nutshell count -q --store pack+bitstate models/safe.pml
try nutshell check -q --store raw+bitstate --hashes 2 models/safe.pml
try nutshell check -q --store raw+hashcompact models/safe.pml
try nutshell count -q --store pack+mdd --order learned models/safe.pml
nutshell draw --graph store --store collapse+mdd models/safe.pml | head -n 1
try nutshell draw --graph store --store raw+table models/safe.pml
