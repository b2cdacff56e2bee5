/* Names, each stored once: equal names are equal pointers.  A name lives as
** long as its table.  Any bytes but 0 are allowed. */

#ifndef NUT_BASE_SOURCE_INTERN_H
#define NUT_BASE_SOURCE_INTERN_H

#include <stddef.h>

typedef struct names names;

names *names_create(void);
void names_destroy(names *);
const char *name_intern(names *, const char *text, size_t length);
const char *name_of(names *, const char *string);
size_t names_count(const names *);

#endif
