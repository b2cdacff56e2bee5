# The trail is written beside the model, and an old one does not stay.
cp -L models/mutex.pml models/safe.pml .
nutshell check -q --trail mutex.pml
cat mutex.pml.trail
touch safe.pml.trail
nutshell check -q safe.pml --trail
ls
