# A model from a pipe, in any language, and times with units.
try nutshell check -q - <models/mutex.pml
try nutshell check -q - --trail <models/mutex.pml
ls
try nutshell count -q --language dve --time 90s - <models/many.dve
try nutshell check --language cobol - </dev/null
try nutshell check -q - <<<'init { asert(true) }'
try nutshell convert --to dve --time 5m - <<<'byte x; init { x = 1 }'
try nutshell simulate --interactive - <models/mutex.pml
try nutshell check --time 5d models/mutex.pml
try nutshell check --time 1mm models/mutex.pml
try nutshell check -q --time 2h models/mutex.pml
# A file of that name.
cp models/mutex.pml ./-
try nutshell check -q ./-
