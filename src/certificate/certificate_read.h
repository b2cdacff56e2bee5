/* What is in the file of a certificate, as far as Nutshell itself asks. */

#ifndef NUT_CERTIFICATE_CERTIFICATE_READ_H
#define NUT_CERTIFICATE_CERTIFICATE_READ_H

#include "base/text/text.h"

/* The text of its model.  Answers NULL, or what is wrong with the file. */
const char *certificate_model(const char *bytes, size_t length, text *out);

#endif
