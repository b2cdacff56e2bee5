/* The functions of a process type: one that makes all its moves, one for its
** answers to rendezvous, one for its joins of multicasts; each a switch on the
** location, a block per edge. */

#include "program/emit/emit_internal.h"

/* ---- questions --------------------------------------------------------- */

bool emit_has_instances(const emitter *e, uint32_t kind)
{
  const process_type *t = e->model->processes.data[kind];
  if (t->kind != PROCESS_NORMAL && t->kind != PROCESS_INIT)
    return false;
  if (!e->fixed)
    return true;
  for (uint32_t i = 0; i < e->shape->processes; i++)
    if (e->shape->process_type[i] == kind)
      return true;
  return false;
}

/* An edge that can answer a rendezvous. */
static bool edge_answers(const emitter *e, const cprocess *p, const cedge *arc)
{
  if (arc->flags & EDGE_ELSE)
    return false;
  if (!(arc->flags & EDGE_DSTEP))
    return arc->comm && emit_may_answer(e, arc->comm);
  const clocation *at = &p->locations[arc->block];
  for (uint32_t i = 0; i < at->count; i++)
    if (edge_answers(e, p, &e->code->edges[at->first + i]))
      return true;
  return false;
}

bool emit_type_answers(const emitter *e, uint32_t kind)
{
  const cprocess *p = &e->code->processes[kind];
  for (size_t i = 0; i < p->source->locations.len; i++)
    for (uint32_t k = 0; k < p->locations[i].count; k++)
      if (edge_answers(e, p, &e->code->edges[p->locations[i].first + k]))
        return true;
  return false;
}

bool emit_type_joins(const emitter *e, uint32_t kind)
{
  const cprocess *p = &e->code->processes[kind];
  for (size_t i = 0; i < p->source->locations.len && e->gathers; i++)
    for (uint32_t k = 0; k < p->locations[i].count; k++)
      if (emit_joins(&e->code->edges[p->locations[i].first + k]))
        return true;
  return false;
}

/* ---- functions -------------------------------------------------------- */

/* "x, s, length, 3, 40, mine": the same for calls and for the declaration. */
static void function_head(emitter *e, const char *verb, uint32_t kind)
{
  emit_line(e, "static __attribute__((noinline)) int");
  emit_line(e, "%s_%s(nut_run *x, const uint8_t *restrict s, %s", verb,
            e->types[kind], e->fixed ? "" : "uint32_t length,");
  emit_open(e, "      uint32_t pid, uint32_t self, uint64_t mine) {");
  emit_line(e, "const uint8_t *restrict p = s + self;");
  if (e->answering)
    emit_line(e, "const uint8_t *g = x->before, *h = g + self;");
  emit_line(e, "uint8_t *d;");
  emit_line(e, "uint64_t changed;");
  emit_line(e, "uint32_t n, made, turns;");
  emit_line(e, "int r, moved = 0;");
}

static void function_end(emitter *e)
{
  emit_line(e, "return 0;");
  emit_line(e, "bail: return NUT_BAIL;");
  emit_line(e, "room: return NUT_ROOM;");
  emit_close(e);
  emit_line(e, "%s", "");
}

/* ---- parts ------------------------------------------------------------- */

/* The function of a large type is cut into several, because compilers need far
** more than twice the time for a function of twice the length.  Part i has the
** edges of some locations in a switch of its own; the function itself only
** knows which parts a location is in. */
enum { PART_EDGES = 256, PART_BYTES = 1 << 15 };

typedef struct parts {
  const char *verb;
  uint32_t kind;
  uint32_t count;         /* so far; the last is being written */
  size_t start;           /* of its text */
  uint32_t *first, *last; /* by location: the parts it is in, from 1; or 0 */
} parts;

static void open_switch(emitter *e, uint32_t kind)
{
  text *where = emit_text(e);
  emit_location(e, "s", "self", kind, where);
  emit_open(e, "switch (%s) {", text_string(where));
  emit_done(e, where);
}

static void close_part(emitter *e)
{
  emit_close(e);
  function_end(e);
}

static void next_part(emitter *e, parts *p)
{
  text *verb = emit_text(e);
  if (p->count)
    close_part(e);
  p->start = e->out->len;
  text_printf(verb, "part%u_%s", ++p->count, p->verb);
  function_head(e, text_string(verb), p->kind);
  open_switch(e, p->kind);
  emit_done(e, verb);
}

static bool part_is_full(const emitter *e, const parts *p)
{
  return e->out->len - p->start > PART_BYTES;
}

/* ---- locations --------------------------------------------------------- */

/* Whether it matters that an edge before was executed. */
static bool needs_moved(const emitter *e, const clocation *at)
{
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *arc = &e->code->edges[at->first + i];
    if (arc->flags & EDGE_ELSE || arc->rank != e->code->edges[at->first].rank)
      return true;
  }
  return false;
}

/* Tests in front of edges that share a lead, and their ends; see
** leading_guards.c.  'ends' holds the edge behind each test that is open. */
static void open_leads(emitter *e, const cedge *arc, uint32_t at,
                       uint32_t ends[2])
{
  if (e->answering)
    return;
  if (arc->word_count) {
    emit_open(e, "if (nut_any(s + %u)) {", arc->lead & ~7u);
    ends[0] = at + arc->word_count;
  }
  if (arc->lead_count) {
    emit_open(e, "if (s[%u]) {", arc->lead);
    ends[1] = at + arc->lead_count;
  }
}

static void close_leads(emitter *e, uint32_t next, uint32_t ends[2])
{
  for (int i = 2; i-- > 0;)
    if (ends[i] == next) {
      emit_close(e);
      ends[i] = 0;
    }
}

static void open_case(emitter *e, size_t number, parts *p)
{
  const location *from = &e->process->source->locations.data[number];
  emit_open(e, "case %zu: /* %d */", number, from->number);
  if (!e->answering)
    emit_touches(e, &e->process->locations[number]);
  if (p && !p->first[number])
    p->first[number] = p->count;
  if (p)
    p->last[number] = p->count;
}

static void close_case(emitter *e)
{
  emit_line(e, "break;");
  e->depth--;
}

/* With parts, the edges may be spread over several, unless what was executed
** before matters. */
static void one_location(emitter *e, const clocation *at, size_t number,
                         parts *p)
{
  uint32_t ends[2] = {0, 0};
  uint32_t rank = at->count ? e->code->edges[at->first].rank : 0;
  bool any = false;
  if (at->flags & LOC_DSTEP)
    return;
  for (uint32_t i = 0; i < at->count; i++) {
    const cedge *arc = &e->code->edges[at->first + i];
    if (e->answering &&
        !(e->joining ? emit_joins(arc) : edge_answers(e, e->process, arc)))
      continue;
    if (p && part_is_full(e, p) && !ends[0] && !ends[1] &&
        !(any && e->wants_moved)) {
      if (any)
        close_case(e);
      next_part(e, p);
      any = false;
    }
    if (!any)
      open_case(e, number, p);
    any = true;
    if (arc->rank != rank)
      emit_line(e, "if (moved) break;");
    rank = arc->rank;
    open_leads(e, arc, i, ends);
    emit_edge(e, arc);
    close_leads(e, i + 1, ends);
  }
  if (any)
    close_case(e);
}

static void all_locations(emitter *e, parts *p)
{
  const cprocess *process = e->process;
  for (size_t i = 0; i < process->source->locations.len; i++) {
    e->wants_moved = needs_moved(e, &process->locations[i]);
    one_location(e, &process->locations[i], i, p);
  }
}

/* ---- a type ------------------------------------------------------------ */

static const char *const deeds[] = {"moves", "answers", "joins"};

static bool is_large(const emitter *e)
{
  size_t edges = 0;
  for (size_t i = 0; i < e->process->source->locations.len; i++)
    edges += e->process->locations[i].count;
  return edges > PART_EDGES;
}

static void write_parts(emitter *e, parts *p)
{
  size_t locations = e->process->source->locations.len;
  p->first = ARENA_ARRAY(e->memory, uint32_t, locations);
  p->last = ARENA_ARRAY(e->memory, uint32_t, locations);
  next_part(e, p);
  all_locations(e, p);
  close_part(e);
}

/* For each location, its parts one after the other. */
static void call_parts(emitter *e, const parts *p)
{
  for (size_t i = 0; i < e->process->source->locations.len; i++) {
    if (!p->first[i])
      continue;
    emit_open(e, "case %zu:", i);
    for (uint32_t k = p->first[i]; k <= p->last[i]; k++) {
      emit_line(e, "r = part%u_%s_%s(x, s, %spid, self, mine);", k, p->verb,
                e->types[p->kind], e->fixed ? "" : "length, ");
      emit_line(e, "if (NUT_RARE(r < 0)) return r;");
    }
    close_case(e);
  }
}

void emit_type(emitter *e, uint32_t kind, emit_deed what)
{
  const cprocess *process = &e->code->processes[kind];
  text *where = emit_text(e), *provided = emit_text(e);
  parts p = {.verb = deeds[what], .kind = kind};
  e->process = process;
  e->answering = what != MOVES;
  e->joining = what == JOINS;
  e->mode = FROM_SOURCE;
  bool large = is_large(e);
  if (large)
    write_parts(e, &p);
  function_head(e, deeds[what], kind);
  if (process->provided) {
    emit_value(e, process->provided, provided);
    emit_line(e, "if (!(%s)) return 0;", text_string(provided));
  }
  emit_location(e, "s", "self", kind, where);
  if (e->model->flags & MODEL_HAS_COMMITTED)
    emit_line(e, "if (x->committed && !committed_%u[%s]) return 0;", kind,
              text_string(where));
  open_switch(e, kind);
  if (large)
    call_parts(e, &p);
  else
    all_locations(e, NULL);
  emit_close(e);
  function_end(e);
  emit_done(e, where);
  emit_done(e, provided);
}
