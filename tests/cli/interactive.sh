try nutshell simulate --interactive models/steps.pml < /dev/null
printf '1\ns\nx\n99\nu\nu\n1\n\nq\n' | try nutshell simulate --interactive models/steps.pml
