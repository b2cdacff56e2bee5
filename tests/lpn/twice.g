.outputs a b
.graph
a+ a+/1
a+/1 b+
b+ a-
a- b-
b- a+
.marking {<b-,a+>}
.end
# says: consistency: invariant violated: a+/1 is enabled, and the signal has that value already
