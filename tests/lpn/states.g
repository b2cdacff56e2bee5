# expect: holds; states 5; transitions 7
# expect: holds; states 5; transitions 7; with --property consistency
# A state graph: arcs between states, labelled with events that occur again.
.model states
.inputs a
.internals b
.dummy quiet
.state graph
s0 a+ s1
s1 b+ s2
s1 quiet s3
s3 b+ s2
s2 a- s4
s4 b- s0
s2 quiet s2
.marking {s0}
.end
Text that is nobody's.
