nutshell --help
nutshell --version
nutshell help check
nutshell help simulate
for topic in fairness ltl messages reduction stores verdicts; do
  nutshell help $topic
done
nutshell stores --help
nutshell help --bash-completion | bash -n && echo 'completion is bash'
nutshell help --zsh-completion | sed -n '1,2p'
nutshell help --fish-completion | grep -c -e '-l store .*stores --quiet'
nutshell help --man | head -20
