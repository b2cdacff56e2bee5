/* The greatest values of all fields, at the last few looks. */

#include "search/levels/growing.h"

#include "base/alloc.h"
#include "base/components.h"
#include "base/fields.h"
#include <string.h>

enum {
  LOOKS = 8, /* 1.1 to the 8th is about 2 */
  RISES = 4, /* of them, at least */
  LEAST = 16 /* smaller values are no matter */
};

typedef struct peaks {
  uint32_t most[LOOKS]; /* at the last looks, the newest first */
} peaks;

struct growing {
  const component_map *map;
  const field_map *fields;
  uint32_t kinds;   /* the globals, and each tag */
  uint32_t *starts; /* of the records of a kind, and the end */
  peaks *records;
};

static field_list list_of(const growing *g, uint32_t kind)
{
  return kind ? g->fields->by_tag[kind - 1] : g->fields->globals;
}

growing *growing_create(program *p)
{
  growing *g = mem_alloc(sizeof *g);
  g->map = program_map(p);
  g->fields = program_fields(p);
  g->kinds = g->fields ? 1 + g->map->tags : 0;
  g->starts = mem_alloc((g->kinds + 1) * sizeof *g->starts);
  for (uint32_t k = 0; k < g->kinds; k++)
    g->starts[k + 1] = g->starts[k] + list_of(g, k).count;
  g->records = mem_alloc((g->starts[g->kinds] + 1) * sizeof *g->records);
  return g;
}

void growing_destroy(growing *g)
{
  if (!g)
    return;
  mem_free(g->records, (g->starts[g->kinds] + 1) * sizeof *g->records);
  mem_free(g->starts, (g->kinds + 1) * sizeof *g->starts);
  mem_free(g, sizeof *g);
}

/* How far from 0 it is. */
static uint32_t size_of(const state_field *f, const uint8_t *at)
{
  uint32_t value = 0;
  for (uint32_t i = 0; i < f->bytes; i++)
    value |= (uint32_t)at[i] << 8 * i;
  uint32_t sign = UINT32_C(1) << (8 * f->bytes - 1);
  return f->is_signed && value & sign ? (~value + 1) & (2 * sign - 1) : value;
}

static void see_kind(growing *g, uint32_t kind, const uint8_t *at,
                     uint32_t length)
{
  field_list fields = list_of(g, kind);
  for (uint32_t i = 0; i < fields.count; i++) {
    const state_field *f = &fields.list[i];
    if (f->bytes < 2 || f->offset + f->bytes > length)
      continue;
    uint32_t size = size_of(f, at + f->offset);
    uint32_t *most = &g->records[g->starts[kind] + i].most[0];
    if (*most < size)
      *most = size;
  }
}

static uint32_t kind_of(const growing *g, uint32_t component, const uint8_t *at)
{
  if (g->map->fixed)
    return 1 + g->fields->tags[component - g->map->slices];
  return 1 + (g->map->tag_bytes == 2 ? at[0] | (uint32_t)at[1] << 8 : at[0]);
}

void growing_see(growing *g, const uint8_t *state, uint32_t length)
{
  uint32_t offsets[COMPONENTS_LIMIT + 1];
  if (!g->kinds)
    return;
  uint32_t count = components_split(g->map, state, length, offsets);
  see_kind(g, 0, state, g->map->globals_bytes);
  for (uint32_t i = g->map->slices; i < count; i++) {
    const uint8_t *at = state + offsets[i];
    see_kind(g, kind_of(g, i, at), at, offsets[i + 1] - offsets[i]);
  }
}

/* A value that later levels do not reach again stays. */
void growing_next(growing *g)
{
  for (uint32_t i = 0; i < g->starts[g->kinds]; i++) {
    uint32_t *most = g->records[i].most;
    memmove(most + 1, most, (LOOKS - 1) * sizeof *most);
  }
}

static bool is_growing(const uint32_t *most)
{
  uint64_t before = most[LOOKS - 1];
  uint32_t rises = 0;
  for (uint32_t i = 0; i + 1 < LOOKS; i++)
    rises += most[i] > most[i + 1];
  return rises >= RISES && most[0] >= LEAST && most[0] >= before + before / 2;
}

bool growing_found(const growing *g)
{
  for (uint32_t i = 0; i < g->starts[g->kinds]; i++)
    if (is_growing(g->records[i].most))
      return true;
  return false;
}
