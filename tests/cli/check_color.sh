nutshell check --color always models/mutex.pml
