try nutshell check models/stuck.pml
try nutshell check --trace t.json models/server.pml
try nutshell replay models/server.pml t.json
try nutshell simulate --seed 1 models/server.pml
nutshell check --json models/stuck.pml | sed -n '/"blocked"/,/^      \]/p'
sed -n '/"blocked"/,$p' t.json
printf 'w\nw 6\nw 9\nw 1\n1\nw 6\n1\n1\n1\nw\nu\nw\nq\n' |
  try nutshell simulate --interactive models/server.pml
nutshell check models/many.dve | sed -n '/^Counter/,/more/p'
nutshell check -v models/many.dve | sed -n '/^Counter/,/^$/p'
