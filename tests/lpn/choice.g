# expect end-states, persistency: violated; states 3; transitions 2
# expect persistency: violated; says invariant violated: a+ disables b+
.inputs a
.outputs b
.graph
p a+ b+
.marking {p}
.end
