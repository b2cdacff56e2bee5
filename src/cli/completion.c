#include "cli/help.h"
#include <string.h>

/* The words after an option: file names, or those to choose from. */
static void add_values(text *out)
{
  for (size_t i = 0; i < option_count; i++) {
    const option_entry *o = &option_table[i];
    if (o->kind != KIND_PICK && o->kind != KIND_SWITCH)
      continue;
    text_printf(out, "    --%s) words=\"", o->name);
    for (const char *c = o->argument; *c; c++)
      text_add_char(out, *c == '|' ? ' ' : *c);
    text_add(out, "\" ;;\n");
  }
  text_add(out, "    --store) words=\"$(nutshell stores --quiet "
                "2>/dev/null)\" ;;\n");
}

static void add_options_of(text *out, const command *c)
{
  text_printf(out, "    %s) words=\"", c->name);
  const char *blank = "";
  for (size_t i = 0; i < option_count; i++)
    if (option_table[i].on & c->mask) {
      text_printf(out, "%s--%s", blank, option_table[i].name);
      blank = " ";
    }
  text_add(out, "\" ;;\n");
}

void help_bash_completion(text *out)
{
  text_add(out, "# bash completion for nutshell\n"
                "_nutshell()\n{\n"
                "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                "  local last=${COMP_WORDS[COMP_CWORD-1]}\n"
                "  COMPREPLY=()\n"
                "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=\"");
  for (size_t i = 0; i < COMMAND_COUNT_; i++)
    text_printf(out, "%s ", commands[i].name);
  text_add(out, "--help --version\"\n  else\n    case $last in\n");
  add_values(out);
  text_add(out, "    esac\n  fi\n"
                "  if [ -z \"$words\" ] && [[ $word == -* ]]; then\n"
                "    case ${COMP_WORDS[1]} in\n");
  for (size_t i = 0; i < COMMAND_COUNT_; i++)
    add_options_of(out, &commands[i]);
  text_add(out, "    esac\n  fi\n"
                "  if [ -n \"$words\" ]; then\n"
                "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                "  else\n"
                "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
                "  fi\n}\n"
                "complete -o filenames -F _nutshell nutshell\n");
}
