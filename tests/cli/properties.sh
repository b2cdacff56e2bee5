# What a check of a model decides.
nutshell properties models/several.pml
nutshell properties -q models/safe.pml
try nutshell properties nothing.pml
try nutshell properties
