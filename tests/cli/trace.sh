nutshell check -q --shortest --trace t.json models/mutex.pml
cat t.json
nutshell check -q --trace - models/steps.pml
