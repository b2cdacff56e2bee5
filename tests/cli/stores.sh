nutshell stores | grep -o '^raw+table *exact'
nutshell stores --quiet | grep -x 'raw+table'
nutshell check -q --store raw+table models/safe.pml
