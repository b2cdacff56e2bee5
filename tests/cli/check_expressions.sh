try nutshell check --invariant 'inside <= 1' models/safe.pml
try nutshell check --property assertions --invariant 'inside < 1' models/safe.pml
try nutshell check --reach 'inside == 1' models/safe.pml
try nutshell check --reach 'inside == 2' --invariant 'inside < 9' --invariant 'busy || !inside' models/safe.pml
# Hidden variables are no part of a state: who reads one sees every order.
cat > hidden.pml <<'EOF'
byte g; hidden byte h;
active proctype P() { h = 1; g = 1 }
active proctype Q() { byte x; x = 1 }
EOF
try nutshell check --invariant 'h < 2' hidden.pml
try nutshell check --invariant 'g < 2' hidden.pml
