nutshell check models/steps.pml
