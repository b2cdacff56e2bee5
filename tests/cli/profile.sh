# Where the states come from; what would save some, and by how much.
try nutshell profile models/profiled.pml
try nutshell profile models/mutex.pml --json
try nutshell profile models/profiled.pml --states 100 -q
try nutshell profile models/profiled.pml --states 100 --json=p.json
grep -E '"(complete|reason|states)"' p.json | head -3
try nutshell profile models/broken.pml
