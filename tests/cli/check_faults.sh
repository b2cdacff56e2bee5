try nutshell check models/bounds.pml
try nutshell check models/overflow.pml
try nutshell check --check-overflow models/overflow.pml
