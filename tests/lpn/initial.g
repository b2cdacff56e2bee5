# expect consistency: violated; states 6; transitions 6
# The file says that b is 1 at the start, but b+ comes first.
.inputs a
.outputs b
.initial state !a b !forgotten
.mode SELFTIMED
.graph
a+ b+
b+ a-
a- b-
b- a+
.marking { <b-, a+> }
.end
