try nutshell draw models/steps.pml
try nutshell draw --graph states models/overflow.pml
try nutshell draw --graph states models/large.pml
try sh -c 'nutshell draw --format svg models/safe.pml | grep -c "<svg"'
here=$(dirname "$(command -v nutshell)")
without_dot() { PATH=$here "$@"; }
try without_dot nutshell draw --format svg models/safe.pml
