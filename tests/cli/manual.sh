# The manual names every option, every command and no other option.
for c in $(nutshell --help | sed -n "/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p"); do
  nutshell help $c
done | grep -o '^  --[a-z-]*' | tr -d ' ' | sort -u > have
grep -o -e '--[a-z][a-z-]*' "$DOCS/manual.md" | sort -u > named
comm -23 have named | sed 's/^/not in the manual: /'
comm -13 have named | sed 's/^/not an option: /'
for c in $(nutshell --help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  grep -q "^| \`$c" "$DOCS/manual.md" || echo "not in the manual: $c"
done
