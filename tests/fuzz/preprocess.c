/* Fuzz target: the built-in preprocessor of Promela.
**
** The input is a text; what follows a byte 1, if there is one, is a formula
** that the macros of the text are used in.  Beside crashes it looks for broken
** promises: memory not given back, diagnostics missing, pieces of the made text
** that do not lie in their files. */

#include "lang/promela/preprocess/preprocess.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "demand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FAILING_MAX = 500, /* allocations before memory runs out */
  PLACES_MAX = 500   /* that are looked at */
};

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

typedef struct reading {
  const char *bytes;
  size_t length, mark; /* the formula begins behind 'mark' */
  arena *mem;
  sources *sources;
  diags *diags;
  pml_macros *macros;
  text out;
} reading;

/* Bytes of the text have a place in a file, and so have pairs of them. */
static void check_places(const reading *r, uint32_t made)
{
  size_t length, size;
  source_text(r->sources, made, &length);
  uint32_t step = 1 + (uint32_t)(length / PLACES_MAX);
  for (uint32_t i = 0; i <= length; i += step) {
    span where = {made, i, i + 2 <= length ? 2 : 0};
    span places[] = {source_written(r->sources, where),
                     source_origin(r->sources, where)};
    for (int k = 0; k < 2; k++) {
      DEMAND(places[k].file && places[k].file != made);
      source_text(r->sources, places[k].file, &size);
      DEMAND(source_is_label(r->sources, places[k].file) ||
             (uint64_t)places[k].start + places[k].length <= size);
    }
    source_position(r->sources, where);
  }
}

static void expand(reading *r, const char *bytes, size_t length)
{
  uint32_t file = source_add(r->sources, "input.pml", bytes, length);
  pml_preprocessing how = {file, NULL, 0, "", &r->macros};
  size_t before = diags_errors(r->diags);
  uint32_t made = pml_expand(r->mem, r->sources, r->diags, &how);
  DEMAND(!made == (diags_errors(r->diags) > before));
  if (made)
    check_places(r, made);
}

static void read_input(void *with)
{
  reading *r = with;
  r->mem = arena_create();
  r->sources = sources_create();
  r->diags = diags_create(r->sources);
  expand(r, r->bytes, r->mark);
  if (r->mark < r->length)
    expand(r, r->bytes + r->mark + 1, r->length - r->mark - 1);
  diags_print(r->diags, &r->out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *mark = size ? memchr(data, 1, size) : NULL;
  uint64_t chance = hash_bytes(data, size);
  size_t before = mem_live();
  reading r = {.bytes = (const char *)data, .length = size, .mark = size};
  if (mark)
    r.mark = (size_t)(mark - r.bytes);
  bool failing = chance % 8 == 0;
  if (failing)
    mem_fail_at(1 + (chance >> 3) % FAILING_MAX);
  bool done = mem_protect(read_input, &r);
  mem_fail_at(0);
  DEMAND(done || failing);
  text_free(&r.out);
  diags_destroy(r.diags);
  sources_destroy(r.sources);
  arena_destroy(r.mem);
  DEMAND(mem_live() == before);
  return 0;
}
