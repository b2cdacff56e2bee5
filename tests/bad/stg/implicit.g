.outputs a b
.graph
a+ b+
b+ a+
.marking {<b+,a->}
.end
# expect: 5:12: error: there is no place '<b+,a->'
