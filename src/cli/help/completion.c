/* Completion for bash, zsh and fish, made from the lists of commands and
** options. */

#include "cli/help/help.h"
#include <string.h>

/* ---- bash --------------------------------------------------------------- */

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
                "2>/dev/null)\" ;;\n"
                "    --property) words=\"$(_nutshell_properties)\" ;;\n");
}

/* Properties of the models that stand in the line.  Names that a shell could
** take for more than a name are not offered: they come from the model. */
static const char bash_properties[] =
    "_nutshell_properties()\n{\n"
    "  local file\n"
    "  for file in \"${COMP_WORDS[@]:2}\"; do\n"
    "    [ -f \"$file\" ] && nutshell properties --quiet --time 5s -- "
    "\"$file\" "
    "2>/dev/null\n"
    "  done | grep -x '[A-Za-z0-9_.-]*'\n"
    "}\n";

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
  text_add(out, "# bash completion for nutshell\n");
  text_add(out, bash_properties);
  text_add(out, "_nutshell()\n{\n"
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

/* ---- zsh ---------------------------------------------------------------- */

/* Text between single quotes; in descriptions of options brackets, too, would
** end something. */
static void add_quoted(text *out, const char *string, bool brackets)
{
  for (; *string; string++) {
    if (*string == '\'') {
      text_add(out, "'\\''");
      continue;
    }
    if (brackets && strchr("[]:\\", *string))
      text_add_char(out, '\\');
    text_add_char(out, *string);
  }
}

/* The words that an option takes: "(dfs bfs)"; files where nothing is known. */
static void add_zsh_values(text *out, const option_entry *o)
{
  text_printf(out, ":%s:", o->name);
  if (o->kind == KIND_PICK || o->kind == KIND_SWITCH) {
    text_add_char(out, '(');
    for (const char *c = o->argument; *c; c++)
      text_add_char(out, *c == '|' ? ' ' : *c);
    text_add_char(out, ')');
  } else if (!strcmp(o->name, "store")) {
    text_add(out, "{compadd -- $(nutshell stores --quiet 2>/dev/null)}");
  } else if (!strcmp(o->name, "property")) {
    text_add(out, "_nutshell_properties");
  } else {
    text_add(out, "_files");
  }
}

static bool takes_value(const option_entry *o)
{
  return *o->argument && o->kind != KIND_OPTIONAL;
}

static void add_zsh_command(text *out, const command *c)
{
  text_printf(out, "  %s)\n    _arguments", c->name);
  for (size_t i = 0; i < option_count; i++) {
    const option_entry *o = &option_table[i];
    if (!(o->on & c->mask))
      continue;
    text_printf(out, " \\\n      '%s--%s%s[",
                o->kind == KIND_LIST || o->kind == KIND_MACRO ? "*" : "",
                o->name, takes_value(o) ? "=" : "");
    add_quoted(out, o->help, true);
    text_add_char(out, ']');
    if (takes_value(o))
      add_zsh_values(out, o);
    text_add_char(out, '\'');
  }
  text_add(out, " \\\n      '*:file:_files' ;;\n");
}

static const char zsh_properties[] =
    "_nutshell_properties()\n{\n"
    "  local file\n  local -a names\n"
    "  for file in $words; do\n"
    "    [[ -f $file ]] && names+=(${(f)\"$(nutshell properties --quiet "
    "--time 5s -- $file 2>/dev/null)\"})\n"
    "  done\n"
    "  compadd -- $names\n"
    "}\n";

void help_zsh_completion(text *out)
{
  text_add(out, "#compdef nutshell\n");
  text_add(out, zsh_properties);
  text_add(out, "_nutshell()\n{\n"
                "  local -a commands\n  commands=(\n");
  for (size_t i = 0; i < COMMAND_COUNT_; i++) {
    text_printf(out, "    '%s:", commands[i].name);
    add_quoted(out, commands[i].summary, false);
    text_add(out, "'\n");
  }
  text_add(out, "  )\n  if (( CURRENT == 2 )); then\n"
                "    _describe command commands\n    return\n  fi\n"
                "  local command=$words[2]\n  shift words\n"
                "  (( CURRENT-- ))\n  case $command in\n");
  for (size_t i = 0; i < COMMAND_COUNT_; i++)
    add_zsh_command(out, &commands[i]);
  text_add(out, "  esac\n}\n_nutshell \"$@\"\n");
}

/* ---- fish --------------------------------------------------------------- */

/* Between single quotes fish knows two escapes. */
static void add_fish_text(text *out, const char *string)
{
  for (; *string; string++) {
    if (*string == '\'' || *string == '\\')
      text_add_char(out, '\\');
    text_add_char(out, *string);
  }
}

static const char fish_properties[] =
    "function __nutshell_properties\n"
    "  for file in (commandline -opc)\n"
    "    test -f \"$file\"; and nutshell properties --quiet --time 5s -- $file "
    "2>/dev/null\n"
    "  end\n"
    "end\n";

static void add_fish_option(text *out, const command *c, const option_entry *o)
{
  text_printf(out,
              "complete -c nutshell -n '__fish_seen_subcommand_from %s' "
              "-l %s",
              c->name, o->name);
  if (o->kind == KIND_PICK || o->kind == KIND_SWITCH) {
    text_add(out, " -x -a '");
    for (const char *p = o->argument; *p; p++)
      text_add_char(out, *p == '|' ? ' ' : *p);
    text_add_char(out, '\'');
  } else if (!strcmp(o->name, "store")) {
    text_add(out, " -x -a '(nutshell stores --quiet 2>/dev/null)'");
  } else if (!strcmp(o->name, "property")) {
    text_add(out, " -x -a '(__nutshell_properties)'");
  } else if (takes_value(o)) {
    text_add(out, " -r");
  }
  text_add(out, " -d '");
  add_fish_text(out, o->help);
  text_add(out, "'\n");
}

void help_fish_completion(text *out)
{
  text_add(out, "# fish completion for nutshell\n");
  text_add(out, fish_properties);
  for (size_t i = 0; i < COMMAND_COUNT_; i++) {
    const command *c = &commands[i];
    text_printf(out,
                "complete -c nutshell -n __fish_use_subcommand -f -a %s "
                "-d '",
                c->name);
    add_fish_text(out, c->summary);
    text_add(out, "'\n");
    for (size_t k = 0; k < option_count; k++)
      if (option_table[k].on & c->mask)
        add_fish_option(out, c, &option_table[k]);
  }
}
