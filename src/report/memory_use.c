#include "report/memory_use.h"

typedef enum { PART_STORE, PART_SEARCH, PART_REST, PARTS } part;

typedef struct parts {
  uint64_t bytes[PARTS];
} parts;

/* What is neither store nor stack is the program with its tables. */
static parts parts_of(const outcome *o)
{
  const statistics *s = &o->result.stats;
  uint64_t known = s->store_bytes + s->search_bytes;
  parts p = {{s->store_bytes, s->search_bytes,
              s->memory_bytes > known ? s->memory_bytes - known : 0}};
  return p;
}

static const char *part_name(const outcome *o, part which)
{
  switch (which) {
  case PART_STORE:
    return "store";
  case PART_SEARCH:
    return o->result.order == NUT_BFS ? "frontier" : "stack";
  case PART_REST:
  case PARTS:
    break;
  }
  return "the rest";
}

void memory_print(const outcome *o, text *out)
{
  parts p = parts_of(o);
  text_add(out, "  memory: ");
  for (part i = 0; i < PARTS; i++) {
    text_printf(out, "%s%s ", i ? ", " : "", part_name(o, i));
    text_add_size(out, p.bytes[i]);
  }
  text_add_char(out, '\n');
}

static const char *advice(const outcome *o, part largest)
{
  switch (largest) {
  case PART_STORE:
    if (o->result.store->spilling && !o->result.disk.is_used)
      return "--disk DIR goes on with files";
    return o->result.store->exact
               ? "fewer or smaller variables, or --store raw+bitstate, which "
                 "finds errors but proves nothing"
               : "a larger --memory";
  case PART_SEARCH:
    return o->result.order == NUT_BFS ? "--search dfs may take less"
                                      : "--search bfs may take less";
  case PART_REST:
  case PARTS:
    break;
  }
  return "a larger --memory";
}

void memory_add_advice(const outcome *o, text *out)
{
  parts p = parts_of(o);
  part largest = PART_STORE;
  reason why = o->result.reason;
  if (!o->result.store || o->symbolic ||
      (why != REASON_MEMORY_LIMIT && why != REASON_OUT_OF_MEMORY))
    return;
  for (part i = 0; i < PARTS; i++)
    if (p.bytes[i] > p.bytes[largest])
      largest = i;
  text_printf(
      out, "most of the memory is %s%s, ", largest == PART_REST ? "" : "the ",
      largest == PART_REST ? "the program's own" : part_name(o, largest));
  text_add_size(out, p.bytes[largest]);
  text_printf(out, ": %s", advice(o, largest));
}
