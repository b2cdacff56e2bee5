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
