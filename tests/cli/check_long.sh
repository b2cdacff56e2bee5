nutshell check models/long.pml
