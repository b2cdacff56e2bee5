# A model in another language, a reason why not, and nothing written then.
cat > two.gst <<'END'
type Colour = (red, green);
port p (Colour): A, B;
var c: Colour;
var n: 0..2;
process A begin do n < 2, p ! green, n := n + 1 od end;
process B var d: Colour; begin end_b: do forever p ? d, c := d od end;
invariant few: n <= 2;
END
try nutshell convert two.gst --to promela
try nutshell convert two.gst --to dve
try nutshell convert two.gst --to pnml
cat > large.pml <<'END'
byte a, b;
active proctype P() { do :: a++ :: b++ :: timeout od }
END
try nutshell convert large.pml --to pnml -o none.pnml
try test -e none.pnml
try nutshell convert two.gst --to dot -o two.dot
try grep -c digraph two.dot
try nutshell convert two.gst -o two.gst
try nutshell convert two.gst --to latin
try nutshell convert large.pml -o none.pml
try nutshell convert models/safe.pml --to pnml -o safe.pnml
try nutshell count models/safe.pml --json=a.json
try nutshell count safe.pnml --json=b.json
try grep -o '"states": [0-9]*' a.json b.json
# What only a formula reads does not keep the steps from being written.
cat > formula.pml <<'EOF'
byte g;
active proctype P() { do :: g = 1 - g od }
ltl p { [] (_last == 0 && !timeout) }
EOF
try nutshell convert formula.pml --to dve
