try nutshell check --depth 5 models/safe.pml
try nutshell check --depth 5 models/mutex.pml
try nutshell count -q --memory 1M models/large.pml
try nutshell count -q --time 0.001 models/large.pml
try nutshell count -q --depth 10 models/large.pml
try nutshell check -q --por on models/safe.pml
