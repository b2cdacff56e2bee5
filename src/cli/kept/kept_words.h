/* The words of a command line that a checkpoint keeps: the command, the options
** that decide the answer, and the files.  What is printed and written where, and
** limits, are for whoever goes on to say; and nothing that a file says lets code
** of a model run. */

#ifndef NUT_CLI_KEPT_KEPT_WORDS_H
#define NUT_CLI_KEPT_KEPT_WORDS_H

#include "base/arena.h"
#include "cli/options.h"

typedef VEC(const char *) word_list;

/* An option as a word of a command line. */
const char *kept_word_of(arena *, const given_option *);
/* Adds them, in the arena. */
void kept_words_of(const options *, arena *, word_list *);
/* The words by which a run goes on, ended by NULL: those that were kept, and,
** unless it is NULL, those of 'resume'.  False: they are none of ours. */
bool kept_words_join(const nut_checkpoint *, const options *resume, arena *,
                     word_list *);
/* Whether all options, of the words that were kept, are such that are. */
bool kept_words_are_good(const options *);

#endif
