/* Answers in the output format of the Model Checking Contest. */

#ifndef NUT_CLI_MCC_H
#define NUT_CLI_MCC_H

#include "cli/options.h"
#include "nutshell.h"

void mcc_answer(const options *, const nut_result *);

#endif
