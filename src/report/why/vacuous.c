/* One line for each remark. */

#include "report/why/vacuous.h"
#include "report/json.h"
#include "verify/vacuity/vacuity.h"

enum { FEW_BLOCKS = 3 };

size_t vacuous_count(const answer *a)
{
  return a->vacuity ? a->vacuity->list.len : 0;
}

void vacuous_add(const answer *a, size_t index, text *out)
{
  const vacuous *v = &a->vacuity->list.data[index];
  switch (v->kind) {
  case VACUITY_LEFT_SIDE:
    text_printf(out, "its left side never happens: %s", v->part);
    break;
  case VACUITY_PART:
    text_printf(out, "a part makes no difference, it could be %s: %s",
                v->instead, v->part);
    break;
  case VACUITY_INFLUENCE:
    text_add(out, "no statement that is ever executed can change its value");
    break;
  }
}

static void put(json_t *j, const char *key, json_t *value)
{
  json_object_set_new(j, key, value);
}

json_t *vacuous_array(const answer *a)
{
  json_t *list = vacuous_count(a) ? json_array() : NULL;
  for (size_t i = 0; i < vacuous_count(a); i++) {
    const vacuous *v = &a->vacuity->list.data[i];
    json_t *j = json_object();
    text line = {0};
    vacuous_add(a, i, &line);
    put(j, "kind", json_text(vacuity_kind_name(v->kind)));
    put(j, "part", json_text(v->part));
    put(j, "instead", json_text(v->kind == VACUITY_PART ? v->instead : NULL));
    put(j, "message", json_text(text_string(&line)));
    text_free(&line);
    json_array_append_new(list, j);
  }
  return list;
}

/* ---- atomic sequences --------------------------------------------------- */

static size_t blocks_of(const outcome *o)
{
  return o->atomic_blocks ? o->atomic_blocks->list.len : 0;
}

void atomic_blocks_print(const outcome *o, plain_style style, text *out)
{
  size_t all = blocks_of(o);
  size_t shown = style.verbose || all <= FEW_BLOCKS ? all : FEW_BLOCKS;
  for (size_t i = 0; i < shown; i++) {
    const atomic_block *b = &o->atomic_blocks->list.data[i];
    position at = source_position(o->model->sources, b->where);
    text_printf(out,
                "  note: %s:%u: an atomic sequence of %s can block here, and "
                "others then move in its middle\n",
                at.name ? at.name : "?", at.line, b->process->name);
  }
  if (shown < all)
    text_printf(out, "  note: and %zu more: --verbose shows all\n",
                all - shown);
}

json_t *atomic_blocks_array(const outcome *o)
{
  json_t *list = blocks_of(o) ? json_array() : NULL;
  for (size_t i = 0; i < blocks_of(o); i++) {
    const atomic_block *b = &o->atomic_blocks->list.data[i];
    position at = source_position(o->model->sources, b->where);
    json_t *j = json_object();
    put(j, "process_type", json_text(b->process->name));
    put(j, "file", json_text(at.name));
    put(j, "line", json_integer(at.line));
    put(j, "column", json_integer(at.column));
    json_array_append_new(list, j);
  }
  return list;
}
