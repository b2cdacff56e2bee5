try nutshell simulate --seed 3 --steps 12 models/mutex.pml
try nutshell simulate models/steps.pml
try nutshell simulate models/ring.pml
try nutshell simulate -q models/macro.pml
