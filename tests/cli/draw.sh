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
