try nutshell check -q models/misfits.pml
