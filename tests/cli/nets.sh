cp "$DOCS/../examples/pnml/mutex.pnml" .
# A run of a net names its transitions, not who makes them nor where they stand
# in the XML; so does the graph of its states.
try nutshell check --reach 'busy1 == 1' mutex.pnml
try nutshell draw --graph states mutex.pnml
# Of a rendezvous both are named.
cat > meet.pml << 'END'
chan c = [0] of { byte };
active proctype A() { c!1 }
active proctype B() { byte n; c?n }
END
try nutshell draw --graph states meet.pml
# A name that is nearly right, and one that is a part of the right one.
try nutshell check --examination Deadlock mutex.pnml
try nutshell check --examination OneSave mutex.pnml
# Tokens that need more room, and a formula of branching time: each property is told
# once, with the run that was found.
cat > loans.pnml << 'END'
<pnml><net id="loans" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g"><transition id="lend"/><transition id="back"/>
<place id="queue"><initialMarking><text>3000</text></initialMarking></place>
<place id="shelf"><initialMarking><text>2</text></initialMarking></place>
<place id="lent"/><place id="gone"/>
<arc id="a" source="queue" target="lend"/><arc id="b" source="shelf" target="lend"/>
<arc id="c" source="lend" target="lent"/><arc id="d" source="lent" target="back"/>
<arc id="e" source="back" target="shelf"/><arc id="f" source="back" target="gone"/>
</page></net></pnml>
END
try nutshell check loans.pnml --invariant 'lent <= 1' --reach 'fireable(back)' \
  --ctl 'AG EF gone >= 4' --ctl 'EF gone == 2999'
