try nutshell check -q --invariant 'x = 4' models/safe.pml
try nutshell check -q -DBITSTATE -DN=3 -D VECTORSZ=2048 models/safe.pml
