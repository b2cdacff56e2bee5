# expect: holds; states 6; transitions 6
# expect csc: violated; states 6; transitions 6; with --property csc
# expect usc: violated; states 6; transitions 6; with --property usc
# A handshake in which x pulses before and after a: the code r !a !x says
# neither whether x is to rise nor whether a is.
.model csc
.inputs r
.outputs a x
.graph
r+ x+
x+ x-
x- a+
a+ r-
r- a-
a- r+
.marking {<a-,r+>}
.end
