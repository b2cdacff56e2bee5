.inputs a
.graph
a+ a-
a- a+
.marking {<a-,a+>}
.end
.inputs b
.graph
b+ b-
b- b+
.marking {<b-,b+>}
.end
# expect: 8:1: error: there is more than one net in this file
