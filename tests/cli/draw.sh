try nutshell draw models/steps.pml
try nutshell draw --graph states models/overflow.pml
try nutshell draw --graph states models/large.pml
try sh -c 'nutshell draw --format svg models/safe.pml | grep -c "<svg"'
here=$(dirname "$(command -v nutshell)")
without_dot() { PATH=$here "$@"; }
try without_dot nutshell draw --format svg models/safe.pml
# A net as a net, a graph of signals by its signals; a process without what
# cannot be reached, and without a step that ends it.
cat >net.pnml <<'END'
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><name><text>full</text></name>
<initialMarking><text>2</text></initialMarking></place><place id="q"/>
<transition id="t"/>
<arc id="a" source="p" target="t"><inscription><text>2</text></inscription></arc>
<arc id="b" source="t" target="q"/></page></net></pnml>
END
try nutshell draw net.pnml
printf '.model x\n.inputs a\n.outputs b\n.graph\na+ b+\nb+ a-\na- p\np b-\nb- a+\n.marking { <b-,a+> }\n.end\n' >c.g
try nutshell draw c.g
cat >dead.pml <<'END'
active proctype P() { do :: skip od; assert(false) }
active proctype Q() { skip }
END
try nutshell draw dead.pml
# The diagram of a store names variables and their values.
for store in raw+mdd collapse+mdd pack+sharing raw+obdd; do
  try nutshell draw --graph store --store $store models/safe.pml
done
# Several loops are a box; a d_step that comes back is the way through its inside.
cat > loops.pml << 'END'
byte x;
active proctype P()
{
  do
  :: x = 1
  :: x = 2
  :: d_step { x = 3; x = 4 }
  :: d_step { x = 5; x = 6 }
  od
}
END
try nutshell draw loops.pml
# Transitions between named states do not name them again.
cat > two.dve << 'END'
byte x;
process P {
  state a, b;
  init a;
  trans a -> b { guard x == 0; effect x = 1; }, b -> a {}, b -> b { guard x < 5; effect x = x + 1; };
}
system async;
END
try nutshell draw two.dve
# Its states by their names, not by the line they share.
try nutshell draw --graph states two.dve
# Where processes come and go the diagram of a store has no names, and says why.
cat > grows.pml << 'END'
proctype Q() { skip }
init { run Q(); run Q() }
END
nutshell draw --graph store grows.pml | tail -n 2
# A labelled net with its conditions and assignments; a condition that is always
# true is none.
cat > labels.lpn << 'END'
.name follow
.inputs a
.outputs b x
.dummy up dn
#@.variables x
#@.init_state [00]
#@.init_vals {<x=0>}
p0 up
up p1
p1 dn
dn p0
.marking{p0}
#@.enablings {<up=[a & (x < 2 | ~b)]><dn=[true]>}
#@.assignments {<up=[x:=x+1]><dn=[x:=uniform(0,1)]>}
#@.boolean_assignments {<up=[b:=true]>}
.end
END
try nutshell draw labels.lpn
# A large graph shows numbers, and what changed to who points at a state.
cat > many.pml << 'END'
byte x, y;
active proctype P() { do :: x < 19 -> x++ :: else -> break od }
active proctype Q() { do :: y < 19 -> y++ :: else -> break od }
END
nutshell draw --graph states many.pml | grep -E 'points at|^  s[02] \['
