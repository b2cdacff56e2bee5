/* Sources with something beside each line. */

#ifndef NUT_REPORT_COVER_LISTING_H
#define NUT_REPORT_COVER_LISTING_H

#include "base/source/source.h"

/* Adds what stands beside a line; it is asked for lines in their order. */
typedef void listing_margin(void *context, uint32_t line, text *out);

/* A file that may be shown. */
void listing_source(const sources *, uint32_t file, size_t width,
                    listing_margin *, void *context, text *out);
/* One line; without its text, its number. */
void listing_line(size_t width, const text *margin, uint32_t number,
                  const char *line, size_t length, text *out);

#endif
