# expect: holds; states 4; transitions 4
# expect: holds; states 4; transitions 4; with --property csc --property usc
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
