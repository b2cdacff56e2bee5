try nutshell check models/mutex.pml
try nutshell check --verbose models/mutex.pml
try nutshell check models/many.dve
try nutshell check --json models/many.dve | grep -B4 -A1 by_definition
try nutshell check --store raw+bitstate models/safe.pml
try nutshell count models/safe.pml
# The memory of the store, and of the stack.
cat >deep.pml <<'END'
int n; active proctype P() { do :: n < 50000000 -> n++ :: else -> break od }
END
try nutshell check --search dfs --engine interpreted --memory 64M deep.pml | sed -n '2s/ is .*: / is #: /;2s/: .*//p'
# Which part is the largest depends on the build; the stack outgrows the store.
nutshell check --search dfs --engine interpreted --memory 64M --json deep.pml |
  awk '/"search_bytes"/ { stack = $2 + 0 } /^    "bytes"/ { store = $2 + 0 }
       END { print (stack > store && store > 0) ? "stack" : "store" }'
