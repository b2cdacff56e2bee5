# A handshake: every state has a code of its own.
.model coded
.inputs r
.outputs a
.graph
r+ a+
a+ r-
r- a-
a- r+
.marking {<a-,r+>}
.end
