/* Labels: what nodes and arcs say in elements of their own, as many editors
** write it.
**
**   <initialMarking><text>3</text></initialMarking>      the standard
**   <initialMarking><value>3</value></initialMarking>    files before it
**   <initialMarking><value>Default,3</value>...          PIPE: kind, number
**   <initialMarking>3</initialMarking>                   by hand
**   <place initialMarking="3">                           TAPAAL */

#include "lang/pnml/pnml_net.h"

#include <string.h>

const xml_element *pnml_label(const xml_element *e, const char *name)
{
  const xml_element *outer = xml_child(e, name);
  if (!outer)
    return NULL;
  const xml_element *inner = xml_child(outer, "text");
  if (!inner)
    inner = xml_child(outer, "value");
  return !inner && *outer->text ? outer : inner;
}

const xml_element *pnml_said(const xml_element *e, const char *name, arena *a)
{
  const xml_element *found = pnml_label(e, name);
  const char *value = xml_value(e, name);
  if (found || !value)
    return found;
  xml_element *made = ARENA_NEW(a, xml_element);
  *made = (xml_element){
      .name = name, .text = value, .where = e->where, .text_where = e->where};
  return made;
}

/* Reads digits from '*at' on; a number too great is one more than the most. */
static int64_t digits(const char **at)
{
  int64_t n = 0;
  for (; **at >= '0' && **at <= '9'; ++*at)
    n = n > PNML_TOKENS_MAX ? n : 10 * n + (**at - '0');
  return n > PNML_TOKENS_MAX ? (int64_t)PNML_TOKENS_MAX + 1 : n;
}

static bool too_great(const xml_element *e, diags *d, int64_t n,
                      const char *what)
{
  if (n <= PNML_TOKENS_MAX)
    return false;
  diag_error(d, e->text_where, "%s is greater than %d", what, PNML_TOKENS_MAX);
  return true;
}

bool pnml_number(const xml_element *e, diags *d, int32_t least,
                 const char *what, int32_t *value)
{
  const char *s = e->text;
  int64_t n = digits(&s);
  if (too_great(e, d, n, what))
    return false;
  if (*s || s == e->text || n < least) {
    diag_error(d, e->text_where,
               "expected %s, a whole number from %d on, found '%s'", what,
               least, e->text);
    return false;
  }
  *value = (int32_t)n;
  return true;
}

/* Reads a kind and its number, "Default,2", at '*at', and the comma behind it
** when another kind follows.  The number, or -1. */
static int64_t one_kind(const char **at, const char **kind, size_t *length)
{
  *kind = *at + strspn(*at, " ");
  *length = strcspn(*kind, ",");
  *at = *kind + *length;
  if (!*length || !**at)
    return -1;
  *at += 1 + strspn(*at + 1, " ");
  const char *start = *at;
  int64_t n = digits(at);
  if (*at == start)
    return -1;
  *at += strspn(*at, " ");
  if (**at && **at != ',')
    return -1;
  *at += **at == ',';
  return n;
}

bool pnml_tokens_of(const xml_element *e, names *all, diags *d,
                    const char **kind, const char *what, int32_t *value)
{
  const char *s = e->text, *name;
  size_t length;
  if (!strchr(s, ','))
    return pnml_number(e, d, 0, what, value);
  *value = 0;
  while (*s) {
    int64_t n = one_kind(&s, &name, &length);
    if (n < 0) {
      diag_error(d, e->text_where,
                 "expected %s, a whole number or a kind of token with a "
                 "number, found '%s'",
                 what, e->text);
      return false;
    }
    if (too_great(e, d, n, what))
      return false;
    if (!n)
      continue;
    name = name_intern(all, name, length);
    if (*kind && *kind != name) {
      diag_error(d, e->text_where,
                 "there are tokens of several kinds, '%s' and '%s'; only "
                 "place/transition nets are supported",
                 *kind, name);
      return false;
    }
    *kind = name;
    *value = (int32_t)n;
  }
  return true;
}
