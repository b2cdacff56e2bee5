# expect consistency: violated; states 5; transitions 5
# expect consistency: violated; says invariant violated: a+/1 is enabled, and the signal has that value already
.outputs a b
.graph
a+ a+/1
a+/1 b+
b+ a-
a- b-
b- a+
.marking {<b-,a+>}
.end
