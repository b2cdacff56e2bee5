try nutshell
try nutshell chekc models/safe.pml
try nutshell frobnicate
try nutshell models/safe.pml
try nutshell check
try nutshell simulate --seed 1 models/safe.pml models/mutex.pml
try nutshell replay models/safe.pml
try nutshell stores models/safe.pml
try nutshell help chekc
try nutshell help fairnes
try nutshell help check count
