# expect usc: violated; states 6; transitions 6; with --property csc --property usc
# Only the environment knows which of the two handshakes comes next: the codes
# are not unique, but the circuit need not tell the states apart.
.model usc
.inputs r s
.outputs a
.graph
r+ a+
a+ r-
r- a-
a- s+
s+ s-
s- r+
.marking {<s-,r+>}
.end
