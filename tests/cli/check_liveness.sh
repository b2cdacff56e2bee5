try nutshell check models/liveness.pml
try nutshell check --no-liveness models/liveness.pml
try nutshell check --property shines models/liveness.pml
try nutshell check --property assertions models/liveness.pml
try nutshell check -q --ltl '[] !on' models/safe.pml
try nutshell check --max-errors 0 --ltl '<> [] on' models/liveness.pml
try nutshell check --ctl 'AG !busy' models/safe.pml
try nutshell check models/several.pml
