try nutshell check --quiet models/safe.pml
try nutshell check -q models/mutex.pml
try nutshell check -q --depth 3 models/safe.pml
