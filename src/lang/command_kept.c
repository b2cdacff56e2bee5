/* What a filter wrote is kept with the sources, and may be there already. */

#include "base/hash.h"
#include "lang/command.h"
#include <inttypes.h>
#include <stdio.h>

/* What is asked of the program, as a name: options are the same whenever the
** sources are, but for folders, which may have moved. */
static void name_question(const filter_command *c, char name[64])
{
  uint64_t hash = hash_bytes(c->input ? c->input : "", c->input_length);
  snprintf(name, 64, "%.20s %016" PRIx64, c->arguments[0], hash);
}

/* The output of a preprocessor that was content. */
static command_result take_kept(const sources *s, filter_command *c,
                                const char *name)
{
  const kept_text *output = source_taken(s, KEPT_OUTPUT, name);
  const kept_text *messages = source_taken(s, KEPT_MESSAGES, name);
  if (!output || !messages)
    return COMMAND_MISSING;
  text_add_bytes(&c->output, output->text, output->length);
  text_add_bytes(&c->messages, messages->text, messages->length);
  return COMMAND_DONE;
}

command_result command_run_for(sources *s, filter_command *c)
{
  char name[64];
  name_question(c, name);
  if (sources_are_taken(s))
    return take_kept(s, c, name);
  command_result result = command_run(c);
  if (result != COMMAND_DONE || c->status)
    return result;
  source_keep(s, KEPT_OUTPUT, name, text_string(&c->output), c->output.len);
  source_keep(s, KEPT_MESSAGES, name, text_string(&c->messages),
              c->messages.len);
  return result;
}
