try nutshell check --invariant 'inside <= 1' models/safe.pml
try nutshell check --property assertions --invariant 'inside < 1' models/safe.pml
try nutshell check --reach 'inside == 1' models/safe.pml
try nutshell check --reach 'inside == 2' --invariant 'inside < 9' --invariant 'busy || !inside' models/safe.pml
