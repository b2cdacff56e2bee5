nutshell check --json models/mutex.pml
nutshell count --json models/safe.pml
nutshell check --json models/liveness.pml
nutshell check -q models/safe.pml --json out.json --trace t.json
head -5 out.json
