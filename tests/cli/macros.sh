try nutshell count models/macro.pml
try nutshell count -D N=7 models/macro.pml
try nutshell count -DN=7 -UN models/macro.pml
try nutshell count --define N=4 models/macro.pml
