try nutshell check --shortest models/mutex.pml
try nutshell check --search bfs models/ring.pml
