/* Expat's events as a tree; what it cannot read becomes a diagnostic. */

#include "lang/pnml/xml.h"

#include "base/text/text.h"
#include <ctype.h>
#include <expat.h>
#include <string.h>
#include <strings.h>

/* Expat takes the length of a piece as an int. */
enum { PIECE = 1 << 20 };

typedef struct reading {
  arena *arena;
  names *names;
  diags *diags;
  uint32_t file;
  const char *left_out;
  XML_Parser parser;
  text text;           /* since the last tag */
  uint32_t text_start; /* of its first byte in the file */
  uint32_t skipped;    /* elements open, from the one left out on */
  uint32_t depth;
  xml_element *root;
  xml_element *open[XML_DEPTH_MAX];
  xml_element *last[XML_DEPTH_MAX]; /* child of 'open' */
} reading;

static span span_of_event(const reading *r)
{
  return (span){r->file, (uint32_t)XML_GetCurrentByteIndex(r->parser),
                (uint32_t)XML_GetCurrentByteCount(r->parser)};
}

static void give_up(reading *r, const char *why)
{
  diag_error(r->diags, span_of_event(r), "%s", why);
  XML_StopParser(r->parser, XML_FALSE);
}

static const char *local_name(const char *name)
{
  const char *colon = strrchr(name, ':');
  return colon ? colon + 1 : name;
}

/* ---- what Expat calls -------------------------------------------------- */

static void keep_attributes(reading *r, xml_element *e, const char **list)
{
  uint32_t n = 0;
  while (list[2 * n])
    n++;
  xml_attribute *kept = ARENA_ARRAY(r->arena, xml_attribute, n ? n : 1);
  for (uint32_t i = 0; i < n; i++)
    kept[i] = (xml_attribute){name_of(r->names, local_name(list[2 * i])),
                              name_of(r->names, list[2 * i + 1])};
  e->attributes = kept;
  e->attribute_count = n;
}

static void XMLCALL on_start(void *context, const char *name,
                             const char **attributes)
{
  reading *r = context;
  name = local_name(name);
  text_clear(&r->text);
  if (r->skipped || (r->left_out && !strcmp(name, r->left_out))) {
    r->skipped++;
    return;
  }
  if (r->depth == XML_DEPTH_MAX) {
    give_up(r, "elements are nested too deep (more than 1000)");
    return;
  }
  xml_element *e = ARENA_NEW(r->arena, xml_element);
  e->name = name_of(r->names, name);
  e->text = "";
  e->where = e->text_where = span_of_event(r);
  keep_attributes(r, e, attributes);
  if (!r->depth) {
    r->root = e;
  } else {
    xml_element *before = r->last[r->depth - 1];
    if (before)
      before->next = e;
    else
      r->open[r->depth - 1]->children = e;
    r->last[r->depth - 1] = e;
  }
  r->open[r->depth] = e;
  r->last[r->depth++] = NULL;
}

static void XMLCALL on_text(void *context, const char *bytes, int length)
{
  reading *r = context;
  if (r->skipped)
    return;
  while (!r->text.len && length && isspace((unsigned char)*bytes))
    bytes++, length--;
  if (!length)
    return;
  if (!r->text.len) {
    /* The text of an event is as the file has it, but for line ends. */
    span event = span_of_event(r);
    r->text_start = event.start;
    if (event.length >= (uint32_t)length)
      r->text_start += event.length - (uint32_t)length;
  }
  text_add_bytes(&r->text, bytes, (size_t)length);
}

static void XMLCALL on_end(void *context, const char *name)
{
  reading *r = context;
  (void)name;
  if (r->skipped) {
    r->skipped--;
    return;
  }
  xml_element *e = r->open[--r->depth];
  size_t n = r->text.len;
  while (n && isspace((unsigned char)r->text.data[n - 1]))
    n--;
  if (n) {
    e->text = arena_copy(r->arena, r->text.data, n);
    e->text_where = (span){r->file, r->text_start, (uint32_t)n};
  }
  text_clear(&r->text);
}

/* Entities that stand for others grow without bound, and no net needs any. */
static void XMLCALL on_entity(void *context, const char *name, int parameter,
                              const char *value, int length, const char *base,
                              const char *system, const char *public,
                              const char *notation)
{
  (void)name, (void)parameter, (void)value, (void)length, (void)base;
  (void)system, (void)public, (void)notation;
  give_up(context, "declarations of entities are not accepted");
}

/* Alphabets of one byte for each character that Expat does not know.  What we
** look at is ASCII in all of them; other letters may look strange in names, but
** stay different from each other. */
static int XMLCALL on_encoding(void *context, const char *name,
                               XML_Encoding *to)
{
  static const char *const known[] = {"windows-125", "cp125", "iso-8859-"};
  (void)context;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (!strncasecmp(name, known[i], strlen(known[i]))) {
      *to = (XML_Encoding){.data = NULL};
      for (int c = 0; c < 256; c++)
        to->map[c] = c;
      return XML_STATUS_OK;
    }
  return XML_STATUS_ERROR;
}

/* ---- whole files ------------------------------------------------------- */

static void set_handlers(reading *r)
{
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, on_start, on_end);
  XML_SetCharacterDataHandler(r->parser, on_text);
  XML_SetEntityDeclHandler(r->parser, on_entity);
  XML_SetUnknownEncodingHandler(r->parser, on_encoding, NULL);
}

static bool parse(reading *r, const char *content, size_t length)
{
  for (size_t at = 0;;) {
    size_t n = length - at < PIECE ? length - at : PIECE;
    bool last = at + n == length;
    if (XML_Parse(r->parser, content + at, (int)n, last) == XML_STATUS_ERROR)
      return false;
    if (last)
      return true;
    at += n;
  }
}

static void report_failure(reading *r, size_t length)
{
  enum XML_Error why = XML_GetErrorCode(r->parser);
  span where = span_of_event(r);
  if (why == XML_ERROR_NO_MEMORY)
    mem_give_up();
  if (why == XML_ERROR_ABORTED)
    return; /* reported by who gave up */
  if (where.start > length)
    where.start = (uint32_t)length;
  if (!where.length)
    where.length = 1;
  diag_error(r->diags, where, "this is not XML: %s", XML_ErrorString(why));
  if (r->depth)
    diag_note(r->diags, r->open[r->depth - 1]->where, "inside of <%s>",
              r->open[r->depth - 1]->name);
}

typedef struct reading_job {
  reading *reading;
  const char *content;
  size_t length;
  bool good;
} reading_job;

static void do_read(void *job)
{
  reading_job *j = job;
  set_handlers(j->reading);
  j->good = parse(j->reading, j->content, j->length);
  if (!j->good)
    report_failure(j->reading, j->length);
}

/* What Expat holds must be given back when memory runs out in a handler. */
static void tidy_reading(void *job)
{
  reading_job *j = job;
  XML_ParserFree(j->reading->parser);
  text_free(&j->reading->text);
}

xml_element *xml_read(arena *a, names *n, sources *s, diags *d, uint32_t file,
                      const char *left_out)
{
  size_t length;
  const char *content = source_text(s, file, &length);
  reading *const r = ARENA_NEW(a, reading);
  *r = (reading){a, n, d, file, left_out, .parser = XML_ParserCreate(NULL)};
  if (!r->parser)
    mem_give_up();
  reading_job job = {r, content, length, false};
  mem_protect_tidy(do_read, tidy_reading, &job);
  return job.good ? r->root : NULL;
}

const char *xml_value(const xml_element *e, const char *attribute)
{
  for (uint32_t i = 0; i < e->attribute_count; i++)
    if (!strcmp(e->attributes[i].name, attribute))
      return e->attributes[i].value;
  return NULL;
}

const xml_element *xml_child(const xml_element *e, const char *name)
{
  for (const xml_element *c = e->children; c; c = c->next)
    if (!strcmp(c->name, name))
      return c;
  return NULL;
}
