try nutshell check -q --invariant 'x = 4' models/safe.pml
try nutshell check -q -DBITSTATE -DN=3 -D VECTORSZ=2048 models/safe.pml
cat >mtype.pml <<'END'
mtype = { red, green, yelow };
mtype m; byte x; bool want;
chan c = [1] of { mtype, byte };
chan d = [1] of { chan };
chan e = [1] of { byte };
active proctype P() {
  c!5,3;
  c?red,x;
  d!red;
  e!c;
  m = 5;
  do
  :: want = true -> x++
  :: x > 3 -> break
  od
}
END
try nutshell draw -q mtype.pml >draw.dot
sed -i 's/m = 5/m = yellow/' mtype.pml
try nutshell draw mtype.pml
printf '.model x\n.inputs a\n.outputs b\n.graph\na+ b+\nb+ a-\na- b-\nb- a+\n.end\n' >n.g
try nutshell check -q n.g
cat >net.pnml <<'END'
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="Eat_0"/><transition id="go"/></page></net></pnml>
END
try nutshell check -q net.pnml --invariant 'eat_0 == 0'
# Twenty errors are told, and that there may be more.
for i in $(seq 21); do echo "active proctype P$i() { y$i = 1 }"; done >many.pml
try nutshell check many.pml 2>&1 | tail -2
# In the order of the source, though found in another.
cat >order.pml <<'END'
active proctype P() {
  goto nowhere;
  y = 1
}
END
try nutshell check order.pml
