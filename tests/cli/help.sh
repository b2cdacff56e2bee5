nutshell --help
nutshell --version
nutshell help check
nutshell help simulate
for topic in fairness ltl messages reduction stores verdicts; do
  nutshell help $topic
done
nutshell stores --help
nutshell help --bash-completion | bash -n && echo 'completion is bash'
nutshell help --man | head -20
