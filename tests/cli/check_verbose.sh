nutshell check --verbose models/long.pml
