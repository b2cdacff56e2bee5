# SPIN calls blocks without a name ltl_0, ltl_1, ...; we call a single one ltl.
cat > one.pml <<'END'
byte x;
ltl named { [] (x < 2) }
ltl { <> (x == 1) }
init { x = 1 }
END
sed '2s/ named//' one.pml > two.pml
try nutshell check --property ltl_0 one.pml
try nutshell check --property ltl one.pml
try nutshell check --property ltl_1 one.pml
try nutshell check --property ltl_0 --property ltl_1 two.pml
try nutshell check --property ltl two.pml
# Names that options give are names.
try nutshell check --ltl '[] (x < 2)' --ltl '<> (x == 2)' --property ltl-3 one.pml
try nutshell check --invariant 'x < 2' --property invariant one.pml
printf 'ltl live: <> (x == 1)\nreach far: x == 9\n' >props
try nutshell check --properties props --property live one.pml
try nutshell check --properties props --property lve one.pml
