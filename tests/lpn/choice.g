.inputs a
.outputs b
.graph
p a+ b+
.marking {p}
.end
