#include "cli/help/help.h"
#include "nutshell.h"
#include <string.h>

/* Adds text with what troff would take for its own made harmless. */
static void add_quoted(text *out, const char *string)
{
  bool line_start = true;
  for (; *string; string++) {
    if (line_start && (*string == '.' || *string == '\''))
      text_add(out, "\\&");
    if (*string == '-')
      text_add(out, "\\-");
    else if (*string == '\\')
      text_add(out, "\\e");
    else
      text_add_char(out, *string);
    line_start = *string == '\n';
  }
}

static void add_option(text *out, const option_entry *o)
{
  text_add(out, ".TP\n.B ");
  text spelling = {0};
  help_spelling(o, &spelling);
  add_quoted(out, text_string(&spelling));
  text_free(&spelling);
  text_add_char(out, '\n');
  add_quoted(out, o->help);
  text_add(out, ".\n");
}

static void add_command(text *out, const command *c)
{
  text_printf(out, ".SS nutshell %s [OPTION]... %s\n", c->name, c->usage);
  add_quoted(out, c->text);
  for (size_t i = 0; i < option_count; i++)
    if (option_table[i].on & c->mask && strcmp(option_table[i].name, "help") &&
        strcmp(option_table[i].name, "version"))
      add_option(out, &option_table[i]);
}

void help_man_page(text *out)
{
  text_printf(out, ".TH NUTSHELL 1 \"\" \"Nutshell %s\" \"User Commands\"\n",
              nut_version());
  text_add(out, ".SH NAME\nnutshell \\- a model checker\n.SH SYNOPSIS\n"
                ".B nutshell\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]\n"
                ".SH DESCRIPTION\nNutshell answers questions about concurrent "
                "systems by walking all their\nreachable states.  It reads "
                "Promela,\nDVE, GASTON, labelled Petri nets, signal transition "
                "graphs and PNML."
                "\n.SH COMMANDS\n");
  for (size_t i = 0; i < COMMAND_COUNT_; i++)
    add_command(out, &commands[i]);
  text_add(out, ".SH EXIT STATUS\n");
#define EXIT(number, name, meaning)                                            \
  text_printf(out, ".TP\n.B %d\n", number);                                    \
  add_quoted(out, meaning);                                                    \
  text_add(out, ".\n");
  EXITS(EXIT)
#undef EXIT
  text_add(out, ".SH SEE ALSO\n.BR nutshell\\-certify (1),\n.BR spin (1)\n");
}
