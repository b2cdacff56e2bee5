f=models/safe.pml
try nutshell check --stor raw+table $f
try nutshell check --xyzzy $f
try nutshell check -x $f
try nutshell check -qq $f
try nutshell check --quiet=yes $f
try nutshell check --depth
try nutshell check --depth deep $f
try nutshell check --depth -1 $f
try nutshell check --depth 4294967296 $f
try nutshell check --time soon $f
try nutshell check --memory lots $f
try nutshell check --memory 4X $f
try nutshell check --search up $f
try nutshell check --threads 257 $f
try nutshell check --threads many $f
try nutshell check --engine fast $f
try nutshell check --store raw+nothing $f
try nutshell check --property asertions $f
try nutshell check --property xyzzy $f
try nutshell check --property= $f
try nutshell check -D
try nutshell count --ltl '[] p' $f
try nutshell simulate --seed x $f
try nutshell simulate --json $f
try nutshell draw --format png $f
try nutshell check --msc chart.png $f
