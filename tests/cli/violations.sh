cat >two.pml <<'END'
byte x, a[3];
active proctype P() {
  do
  :: x < 4 -> x++; assert(x != 2)
  :: x == 3 -> assert(x == 4); break
  :: x == 4 -> a[x] = 1
  od
}
END
try nutshell check --max-errors 0 two.pml
try nutshell check --max-errors 0 --json --trace t.json two.pml | sed -n '/properties/,/end-states/p'
ls
try nutshell count two.pml
try nutshell check --max-errors 2 -q two.pml
try nutshell check --json two.pml | grep -A12 violations
