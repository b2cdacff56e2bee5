cat > good.txt <<'END'
# What the model promises.
invariant one: inside <= 1
reach two: inside == 2

ltl served: []<> busy
ctl free: AG EF
   !busy
ctl: AF busy
fair: inside == 1
END
try nutshell check -q --properties good.txt models/safe.pml
try nutshell check --max-errors 0 --symbolic --properties good.txt models/safe.pml
cat > bad.txt <<'END'
ltl served: []<> bussy
ctl free: AG EF
   (busy && outside)
ctl free: AF (inside == 3
invariant small inside <= 3
reach small:
always x: y
reach twice: busy
reach twice: busy
END
try nutshell check --properties bad.txt models/safe.pml
try nutshell check --properties none.txt models/safe.pml
