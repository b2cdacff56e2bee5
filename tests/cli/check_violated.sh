nutshell check models/mutex.pml
