nutshell check models/safe.pml
