/* XML as a tree: the elements of a file with their attributes and text, each
** with its place in the source.  Expat does the reading.
**
** Names lose their prefix ("pnml:net" is "net") and are interned, as are the
** values of attributes.  Of the text between tags only that before an end tag
** is kept, without the blanks around it: what matters to us is in leaves.
**
** Hostile files: entities cannot be declared, elements nest at most
** XML_DEPTH_MAX deep, nothing outside of the file is read. */

#ifndef NUT_LANG_PNML_XML_H
#define NUT_LANG_PNML_XML_H

#include "base/arena.h"
#include "base/source/intern.h"
#include "base/source/source.h"

enum { XML_DEPTH_MAX = 1000 };

typedef struct xml_attribute {
  const char *name, *value;
} xml_attribute;

typedef struct xml_element {
  const char *name;
  const char *text; /* "" when there is none */
  const xml_attribute *attributes;
  uint32_t attribute_count;
  span where;      /* the start tag */
  span text_where; /* the text, or the start tag when there is none */
  struct xml_element *children, *next;
} xml_element;

/* The outermost element of the source 'file', in the arena; NULL with a
** diagnostic.  Elements called 'left_out' (or NULL) and all in them are not
** part of the tree. */
xml_element *xml_read(arena *, names *, sources *, diags *, uint32_t file,
                      const char *left_out);

/* The value of an attribute, or NULL. */
const char *xml_value(const xml_element *, const char *attribute);
/* The first child of that name, or NULL. */
const xml_element *xml_child(const xml_element *, const char *name);

#endif
