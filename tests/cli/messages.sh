# The index of messages is that of the models in tests/bad.
"$DOCS/../tools/messages" | cmp - "$DOCS/messages.md" && echo 'the index is up to date'
