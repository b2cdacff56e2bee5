nutshell check models/unreached.pml
