/* Texts made from the lists of commands, options and exit statuses. */

#ifndef NUT_CLI_HELP_HELP_H
#define NUT_CLI_HELP_HELP_H

#include "base/text/text.h"
#include "cli/options.h"

void help_overview(text *out);
void help_command(const command *, text *out);
void help_version(text *out);
void help_man_page(text *out);
void help_bash_completion(text *out);
void help_zsh_completion(text *out);
void help_fish_completion(text *out);

/* How an option is written with its argument: "--search dfs|bfs". */
void help_spelling(const option_entry *, text *out);

#endif
