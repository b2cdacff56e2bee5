nutshell --help
nutshell --version
nutshell help check
nutshell help simulate
nutshell stores --help
nutshell help --bash-completion | bash -n && echo 'completion is bash'
nutshell help --man | head -20
