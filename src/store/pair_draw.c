/* A picture of the set with names: what an element is, and what its values mean,
** is found by decoding tuples that differ in this element alone. */

#include "base/alloc.h"
#include "base/vec.h"
#include "store/pair.h"

#include <stdlib.h>
#include <string.h>

/* A value that occurs at a place. */
typedef struct seen {
  uint32_t place, value;
} seen;

typedef struct names {
  const pair *pair;
  const state_teller *teller;
  uint32_t *tuple; /* as the codec has it, 'tuple_length' */
  uint8_t *state;
  VEC(seen) values;
  /* By place and line, whether the line differs with the value. */
  VEC(uint8_t) varies;
  uint32_t lines;
  text first, second;
} names;

/* ---- which values there are ---------------------------------------------- */

static void skip_level(void *context, uint32_t place, text *out)
{
  (void)context, (void)place, (void)out;
}

static void note_value(void *context, uint32_t place, uint32_t value, text *out)
{
  names *n = context;
  (void)out;
  vec_push(&n->values, ((seen){place, value}));
}

static int compare_seen(const void *a, const void *b)
{
  const seen *x = a, *y = b;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

/* ---- what they mean -------------------------------------------------------- */

/* The lines of a state whose element at this place has this value. */
static void tell(names *n, uint32_t place, uint32_t value, text *out)
{
  const pair *p = n->pair;
  uint32_t element = place < p->order_count ? p->order[place] : place;
  uint32_t before = n->tuple[element];
  n->tuple[element] = value;
  uint32_t length =
      p->codec_class->from_tuple(p->codec, n->tuple, p->tuple_length, n->state);
  n->tuple[element] = before;
  text_clear(out);
  n->teller->tell(n->teller->context, n->state, length, out);
}

/* The next line of a text, without its end; NULL: there is none. */
static const char *next_line(const char **rest, size_t *length)
{
  const char *line = *rest;
  if (!*line)
    return NULL;
  *length = strcspn(line, "\n");
  *rest = line + *length + (line[*length] != 0);
  return line;
}

static void mark_differences(names *n, uint32_t place)
{
  const char *a = text_string(&n->first), *b = text_string(&n->second);
  for (uint32_t line = 0; line < n->lines; line++) {
    size_t la = 0, lb = 0;
    const char *x = next_line(&a, &la), *y = next_line(&b, &lb);
    if (!x || !y)
      return;
    if (la != lb || memcmp(x, y, la) != 0)
      n->varies.data[place * n->lines + line] = 1;
  }
}

static uint32_t count_lines(const char *told)
{
  uint32_t count = 0;
  for (size_t length; next_line(&told, &length);)
    count++;
  return count;
}

/* Of a diagram over bits no values are told.  What is not compressed has a
** meaning for any value. */
static void guess_values(names *n)
{
  const pair *p = n->pair;
  if (n->values.len || p->codec_class != &codec_raw)
    return;
  for (uint32_t i = 0; i < p->tuple_length; i++) {
    vec_push(&n->values, ((seen){i, p->tuple[i]}));
    vec_push(&n->values, ((seen){i, p->tuple[i] ^ 1}));
  }
}

static void find_meaning(names *n)
{
  qsort(n->values.data, n->values.len, sizeof *n->values.data, compare_seen);
  if (!n->values.len)
    return;
  tell(n, n->values.data[0].place, n->values.data[0].value, &n->first);
  n->lines = count_lines(text_string(&n->first));
  vec_resize(&n->varies, (size_t)n->lines * n->pair->tuple_length);
  for (size_t i = 0; i < n->values.len; i++) {
    const seen *v = &n->values.data[i];
    bool is_first = !i || v[-1].place != v->place;
    tell(n, v->place, v->value, is_first ? &n->first : &n->second);
    if (!is_first)
      mark_differences(n, v->place);
  }
}

/* ---- labels ---------------------------------------------------------------- */

/* Where the name ends in "x = 3", "c: [1]" and "P(0) at line 7", and where the
** value begins. */
static size_t name_length(const char *line, size_t length, size_t *value)
{
  static const char *const between[] = {" = ", ": ", " at "};
  for (size_t i = 0; i < length; i++)
    for (size_t k = 0; k < sizeof between / sizeof *between; k++)
      if (!strncmp(line + i, between[k], strlen(between[k]))) {
        *value = i + strlen(between[k]);
        return i;
      }
  *value = 0;
  return length;
}

static uint32_t count_varying(const names *n, uint32_t place)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->lines; i++)
    count += n->varies.data[place * n->lines + i];
  return count;
}

/* Adds of each line that varies the name, the value or, when there are several,
** all of it. */
static void add_lines(names *n, uint32_t place, bool is_level, text *out)
{
  const char *rest = text_string(&n->first), *comma = "";
  bool is_alone = count_varying(n, place) == 1;
  for (uint32_t i = 0; i < n->lines; i++) {
    size_t length = 0, value;
    const char *line = next_line(&rest, &length);
    if (!line || !n->varies.data[place * n->lines + i])
      continue;
    size_t name = name_length(line, length, &value);
    text_add(out, comma);
    comma = ", ";
    if (is_level)
      text_add_bytes(out, line, name);
    else if (is_alone)
      text_add_bytes(out, line + value, length - value);
    else
      text_add_bytes(out, line, length);
  }
}

static const seen *first_at(const names *n, uint32_t place)
{
  for (size_t i = 0; i < n->values.len; i++)
    if (n->values.data[i].place == place)
      return &n->values.data[i];
  return NULL;
}

static void add_level(void *context, uint32_t place, text *out)
{
  names *n = context;
  const seen *v = first_at(n, place);
  if (!v || !count_varying(n, place)) {
    text_add(out, "always the same");
    return;
  }
  tell(n, place, v->value, &n->first);
  add_lines(n, place, true, out);
}

static void add_value(void *context, uint32_t place, uint32_t value, text *out)
{
  names *n = context;
  if (!count_varying(n, place))
    return;
  tell(n, place, value, &n->first);
  add_lines(n, place, false, out);
}

/* ---- the picture ------------------------------------------------------------ */

static bool names_create(names *n)
{
  const pair *p = n->pair;
  n->tuple = mem_try_alloc((p->tuple_length + 1) * sizeof *n->tuple);
  n->state = mem_try_alloc(p->longest + CODEC_SLACK);
  for (uint32_t i = 0; n->tuple && i < p->tuple_length; i++)
    n->tuple[i < p->order_count ? p->order[i] : i] = p->tuple[i];
  return n->tuple && n->state;
}

static void names_free(names *n)
{
  const pair *p = n->pair;
  mem_free(n->tuple, (p->tuple_length + 1) * sizeof *n->tuple);
  mem_free(n->state, p->longest + CODEC_SLACK);
  vec_free(&n->values);
  vec_free(&n->varies);
  text_free(&n->first);
  text_free(&n->second);
}

bool pair_draw(const store *base, const state_teller *teller, text *dot)
{
  const pair *p = (const pair *)base;
  if (!p->set_class->draw)
    return false;
  names n = {.pair = p, .teller = teller};
  bool is_known = teller && p->is_fixed && p->tuple_length &&
                  p->tuple_length != CODEC_FULL && names_create(&n);
  if (is_known) {
    text scratch = {0};
    diagram_labels look = {&n, skip_level, note_value};
    p->set_class->draw(p->set, &look, &scratch);
    text_free(&scratch);
    guess_values(&n);
    find_meaning(&n);
  }
  diagram_labels labels = {&n, add_level, add_value};
  p->set_class->draw(p->set, is_known ? &labels : NULL, dot);
  names_free(&n);
  return true;
}
