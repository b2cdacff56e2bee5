.inputs a
.outputs b
.graph
p a+ b+
.marking {p}
.end
# says: persistency: invariant violated: a+ disables b+
