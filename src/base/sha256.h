/* SHA-256, as FIPS 180-4 defines it: which text a result is about, as
** 'sha256sum' tells it, too. */

#ifndef NUT_BASE_SHA256_H
#define NUT_BASE_SHA256_H

#include <stddef.h>

enum { SHA256_TEXT = 65 };

/* The digest of 'n' bytes in hexadecimal, ended by a 0. */
void sha256_text(const char *bytes, size_t n, char out[SHA256_TEXT]);

#endif
