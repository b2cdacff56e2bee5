/* The emitted file as a whole. */

#include "program/emit/emit.h"
#include "base/alloc.h"
#include "program/emit/emit_internal.h"
#include "runtime-text.h" /* made by tools/embed from runtime/ */

/* ---- writing ---------------------------------------------------------- */

static void indent(emitter *e)
{
  for (uint32_t i = 0; i < e->depth; i++)
    text_add(e->out, "  ");
}

void emit_line(emitter *e, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  indent(e);
  text_vprintf(e->out, format, args);
  text_add_char(e->out, '\n');
  va_end(args);
}

void emit_open(emitter *e, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  indent(e);
  text_vprintf(e->out, format, args);
  text_add_char(e->out, '\n');
  e->depth++;
  va_end(args);
}

void emit_close(emitter *e)
{
  e->depth--;
  emit_line(e, "}");
}

/* The places for it are made first, so that nothing is lost between them. */
text *emit_text(emitter *e)
{
  if (!e->at_hand.len) {
    vec_grow(&e->texts, 1);
    vec_grow(&e->at_hand, e->texts.len + 1);
    text *t = mem_alloc(sizeof *t);
    vec_push(&e->texts, t);
    vec_push(&e->at_hand, t);
  }
  return vec_pop(&e->at_hand);
}

void emit_done(emitter *e, text *t)
{
  text_clear(t);
  vec_push(&e->at_hand, t);
}

void emit_comment_text(text *out, const char *from)
{
  for (const char *c = from; *c; c++) {
    bool plain = *c >= ' ' && *c < 127 && *c != '\\';
    bool ends = *c == '/' && c > from && c[-1] == '*';
    text_add_char(out, !plain || ends ? ' ' : *c);
  }
}

/* ---- names of tables and numbers -------------------------------------- */

/* clang-format off */
#define TABLES(TABLE)                                                          \
  TABLE(process_offset) TABLE(process_type)                                    \
  TABLE(channel_offset) TABLE(channel_type) TABLE(channel_bit)
/* clang-format on */

const char *emit_table(const emitter *e, const char *name)
{
#define TABLE(known)                                                           \
  if (!strcmp(name, #known))                                                   \
    return e->fixed ? "model_" #known : "x->" #known;
  TABLES(TABLE)
#undef TABLE
  return name;
}

const char *emit_length(const emitter *e)
{
  return e->fixed ? "MODEL_LENGTH" : "length";
}

const char *emit_processes(const emitter *e)
{
  return e->fixed ? "MODEL_PROCESSES" : "x->processes";
}

const char *emit_channels(const emitter *e)
{
  return e->fixed ? "MODEL_CHANNELS" : "x->channels";
}

void emit_location(const emitter *e, const char *state, const char *offset,
                   uint32_t kind, text *out)
{
  const char *name = e->locations[kind];
  if (e->layout->processes[kind].location_bytes == 1)
    text_printf(out, "%s[%s + %s]", state, offset, name);
  else
    text_printf(out, "nut_u16(%s + %s + %s)", state, offset, name);
}

/* ---- tables ----------------------------------------------------------- */

/* The length of every state of a fixed layout. */
static uint32_t fixed_length(const emitter *e)
{
  const shape *s = e->shape;
  uint32_t end = e->layout->globals_end;
  for (uint32_t i = 0; i < s->processes; i++)
    end += e->layout->processes[s->process_type[i]].size;
  for (uint32_t i = 1; i <= s->channels; i++)
    end += e->layout->channels[s->channel_type[i]].size;
  return end;
}

/* Where things are in a fixed layout; otherwise 'model_walk' finds out. */
static void fixed_tables(emitter *e)
{
  const shape *s = e->shape;
  text *offsets = emit_text(e), *types = emit_text(e), *bits = emit_text(e);
  emit_line(e, "enum { MODEL_LENGTH = %u, MODEL_PROCESSES = %u,",
            fixed_length(e), s->processes);
  emit_line(e, "  MODEL_CHANNELS = %u };\n", s->channels);
  for (uint32_t i = 0; i < s->processes; i++) {
    text_printf(offsets, "%u, ", s->process_offset[i]);
    text_printf(types, "%u, ", s->process_type[i]);
  }
  emit_line(e, "static const uint32_t model_process_offset[] = {%s0};",
            text_string(offsets));
  emit_line(e, "static const uint16_t model_process_type[] = {%s0};",
            text_string(types));
  text_clear(offsets);
  text_clear(types);
  for (uint32_t i = 1; i <= s->channels; i++) {
    text_printf(offsets, ", %u", s->channel_offset[i]);
    text_printf(types, ", %u", s->channel_type[i]);
    text_printf(bits, ", UINT64_C(0x%llx)",
                (unsigned long long)component_bit(s->channel_component[i]));
  }
  emit_line(e, "static const uint32_t model_channel_offset[] = {0%s};",
            text_string(offsets));
  emit_line(e, "static const uint16_t model_channel_type[] = {0%s};",
            text_string(types));
  emit_line(e, "static const uint64_t model_channel_bit[] = {0%s};\n",
            text_string(bits));
  emit_done(e, offsets);
  emit_done(e, types);
  emit_done(e, bits);
}

static void dynamic_tables(emitter *e)
{
  const layout *l = e->layout;
  text *sizes = emit_text(e);
  for (uint32_t i = 0; i < l->process_types; i++)
    text_printf(sizes, "%u, ", l->processes[i].size);
  for (uint32_t i = 0; i < l->channel_types; i++)
    text_printf(sizes, "%u, ", l->channels[i].size);
  emit_line(e, "static const uint32_t model_sizes[] = {%s0};\n",
            text_string(sizes));
  emit_done(e, sizes);
}

static void tables(emitter *e)
{
  const layout *l = e->layout;
  text *capacities = emit_text(e);
  emit_line(e, "enum { MODEL_TIMEOUT = %d };",
            !!(e->model->flags & MODEL_HAS_TIMEOUT));
  for (uint32_t i = 0; i < l->channel_types; i++)
    text_printf(capacities, "%u, ", l->channels[i].capacity);
  emit_line(e, "static const uint32_t model_capacity[] = {%s0};",
            text_string(capacities));
  emit_done(e, capacities);
  if (e->fixed)
    fixed_tables(e);
  else
    dynamic_tables(e);
}

/* ---- all processes ---------------------------------------------------- */

/* The call for process 'i' of a fixed layout. */
static void fixed_call(emitter *e, const char *verb, uint32_t i)
{
  const shape *s = e->shape;
  emit_line(e, "r = %s_%s(x, s, %u, %u, UINT64_C(0x%llx));", verb,
            e->types[s->process_type[i]], i, s->process_offset[i],
            (unsigned long long)component_bit(s->process_component[i]));
}

/* The functions by process type; those that have none are 0. */
static void function_table(emitter *e, const char *verb, bool answering)
{
  emit_line(e, "static int (*const all_%s[])(nut_run *, const uint8_t *,",
            verb);
  emit_open(e, "    uint32_t, uint32_t, uint32_t, uint64_t) = {");
  for (uint32_t i = 0; i < e->layout->process_types; i++)
    if (emit_has_instances(e, i) && (!answering || emit_type_answers(e, i)))
      emit_line(e, "%s_%s,", verb, e->types[i]);
    else
      emit_line(e, "0,");
  e->depth--;
  emit_line(e, "};\n");
}

/* Steps of one process given by its number. */
static void one_process(emitter *e)
{
  if (!e->fixed)
    function_table(e, "moves", false);
  emit_line(e, "NUT_INLINE int");
  emit_open(e, "model_moves(nut_run *x, const uint8_t *s, uint32_t length, "
               "uint32_t i) {");
  emit_line(e, "int r = 0;");
  if (e->fixed) {
    emit_open(e, "switch (i) {");
    for (uint32_t i = 0; i < e->shape->processes; i++) {
      emit_line(e, "case %u:", i);
      fixed_call(e, "moves", i);
      emit_line(e, "break;");
    }
    emit_close(e);
  } else {
    emit_line(e, "r = all_moves[x->process_type[i]](x, s, length, i,");
    emit_line(e, "    x->process_offset[i], x->process_bit[i]);");
  }
  emit_line(e, "return r;");
  emit_close(e);
  emit_line(e, "%s", "");
}

static void all_processes(emitter *e)
{
  emit_line(e, "static int");
  emit_open(e, "model_moves_all(nut_run *x, const uint8_t *s, "
               "uint32_t length) {");
  emit_line(e, "int r;");
  for (uint32_t i = e->shape->processes; e->fixed && i-- > 0;) {
    fixed_call(e, "moves", i);
    emit_line(e, "if (NUT_RARE(r < 0)) return r;");
  }
  if (!e->fixed) {
    emit_open(e, "for (uint32_t i = x->processes; i-- > 0;) {");
    emit_line(e, "r = model_moves(x, s, length, i);");
    emit_line(e, "if (NUT_RARE(r < 0)) return r;");
    emit_close(e);
  }
  emit_line(e, "return 0;");
  emit_close(e);
  emit_line(e, "%s", "");
}

static void all_answers(emitter *e)
{
  if (!e->fixed)
    function_table(e, "answers", true);
  emit_line(e, "static int");
  emit_line(e, "model_answers_all(nut_run *x, const uint8_t *s, "
               "uint32_t length,");
  emit_open(e, "    uint32_t sender) {");
  emit_line(e, "int r;");
  for (uint32_t i = e->shape->processes; e->fixed && i-- > 0;) {
    if (!emit_type_answers(e, e->shape->process_type[i]))
      continue;
    emit_open(e, "if (sender != %u) {", i);
    fixed_call(e, "answers", i);
    emit_line(e, "if (NUT_RARE(r < 0)) return r;");
    emit_close(e);
  }
  if (!e->fixed) {
    emit_open(e, "for (uint32_t i = x->processes; i-- > 0;) {");
    emit_line(e, "if (i == sender || !all_answers[x->process_type[i]])");
    emit_line(e, "  continue;");
    emit_line(e, "r = all_answers[x->process_type[i]](x, s, length, i,");
    emit_line(e, "    x->process_offset[i], x->process_bit[i]);");
    emit_line(e, "if (NUT_RARE(r < 0)) return r;");
    emit_close(e);
  }
  emit_line(e, "return 0;");
  emit_close(e);
  emit_line(e, "%s", "");
}

/* Of a multicast, oldest first. */
static void all_joins(emitter *e)
{
  emit_line(e, "static int __attribute__((unused))");
  emit_open(e, "model_joins_all(nut_run *x, const uint8_t *s, "
               "uint32_t sender) {");
  emit_line(e, "int r;");
  for (uint32_t i = 0; e->gathers && i < e->shape->processes; i++) {
    if (!emit_type_joins(e, e->shape->process_type[i]))
      continue;
    emit_open(e, "if (sender != %u) {", i);
    fixed_call(e, "joins", i);
    emit_line(e, "if (NUT_RARE(r < 0)) return r;");
    emit_close(e);
  }
  emit_line(e, "return 0;");
  emit_close(e);
  emit_line(e, "%s", "");
}

/* ---- ends ------------------------------------------------------------- */

/* Which locations of a process type have the flag. */
static void flag_table(emitter *e, const char *name, uint32_t kind,
                       uint32_t flag)
{
  const cprocess *p = &e->code->processes[kind];
  text *line = emit_text(e);
  for (size_t i = 0; i < p->source->locations.len; i++)
    text_printf(line, "%s%d", i ? "," : "", !!(p->locations[i].flags & flag));
  emit_line(e, "static const uint8_t %s_%u[] = {%s};", name, kind,
            text_string(line));
  emit_done(e, line);
}

static void flag_tables(emitter *e)
{
  for (uint32_t i = 0; i < e->layout->process_types; i++) {
    if (!emit_has_instances(e, i))
      continue;
    flag_table(e, "ends", i, LOC_END);
    flag_table(e, "committed", i, LOC_COMMITTED);
  }
}

/* A function that answers whether the table says 'not' for some process. */
static void some_process(emitter *e, const char *function, const char *table,
                         const char * not )
{
  emit_line(e, "static int __attribute__((unused))");
  emit_open(e, "%s(const nut_run *x, const uint8_t *s) {", function);
  emit_open(e, "for (uint32_t i = 0; i < %s; i++) {", emit_processes(e));
  emit_line(e, "const uint32_t at = %s[i];", emit_table(e, "process_offset"));
  emit_open(e, "switch (%s[i]) {", emit_table(e, "process_type"));
  for (uint32_t i = 0; i < e->layout->process_types; i++) {
    text *where = emit_text(e);
    if (!emit_has_instances(e, i))
      continue;
    emit_location(e, "s", "at", i, where);
    emit_line(e, "case %u: if (%s%s_%u[%s]) return 1; break;", i, not, table, i,
              text_string(where));
    emit_done(e, where);
  }
  emit_close(e);
  emit_close(e);
  emit_line(e, "return 0;");
  emit_close(e);
  emit_line(e, "%s", "");
}

static void look_functions(emitter *e)
{
  emit_line(e, "static void");
  emit_open(e, "model_walk(nut_run *x, const uint8_t *s, uint32_t length) {");
  if (!e->fixed)
    emit_line(e,
              "nut_walk(x, s, length, model_globals_end, %u, %u, %u, "
              "model_sizes);",
              e->layout->slices, e->layout->tag_bytes,
              e->layout->process_types);
  emit_close(e);
  emit_open(e, "static void model_survey(nut_run *x, const uint8_t *s) {");
  if (e->model->flags & MODEL_HAS_COMMITTED)
    emit_line(e, "x->committed = (uint32_t)model_is_committed(x, s);");
  emit_close(e);
  emit_line(e, "%s", "");
}

/* ---- the file --------------------------------------------------------- */

/* What concerns every step of the model and is left to the interpreter. */
static const char *unsupported(const program *p)
{
  if (p->layout.has_priority)
    return "the model uses priorities";
  if (p->model->flags & MODEL_HAS_C && p->code.has_only)
    return "the model has embedded C beside xr or xs";
  if (p->model->flags & MODEL_LOSES)
    return "messages may be lost";
  if (p->model->flags & MODEL_HAS_PLUGIN)
    return "a plug-in is compiled already";
  if (p->model->flags & MODEL_SYNCHRONOUS)
    return "all processes of the model move at once";
  if (p->layout.has_trace)
    return "the model has a trace observer";
  for (uint32_t i = 0; i < p->layout.channel_types; i++)
    if (p->layout.channels[i].length_bytes == 2)
      return "the model has a channel for more than 255 messages";
  return NULL;
}

static void functions(emitter *e)
{
  flag_tables(e);
  emit_waiting(e);
  emit_claims(e);
  emit_sender_effects(e);
  emit_gatherings(e);
  for (uint32_t i = 0; i < e->layout->process_types; i++) {
    if (!emit_has_instances(e, i))
      continue;
    emit_type(e, i, MOVES);
    if (emit_type_answers(e, i))
      emit_type(e, i, ANSWERS);
    if (emit_type_joins(e, i))
      emit_type(e, i, JOINS);
  }
  one_process(e);
  all_processes(e);
  all_answers(e);
  all_joins(e);
  some_process(e, "model_ends_badly", "ends", "!");
  some_process(e, "model_is_committed", "committed", "");
  look_functions(e);
}

/* The files of runtime/ before the model's functions, and those after them. */
static void file(emitter *e)
{
  text_add_bytes(e->out, (const char *)runtime_before, sizeof runtime_before);
  emit_names(e);
  tables(e);
  functions(e);
  text_add_bytes(e->out, (const char *)runtime_after, sizeof runtime_after);
}

static void destroy_emitter(emitter *e)
{
  for (size_t i = 0; i < e->texts.len; i++) {
    text_free(e->texts.data[i]);
    mem_free(e->texts.data[i], sizeof *e->texts.data[i]);
  }
  vec_free(&e->texts);
  vec_free(&e->at_hand);
  vec_free(&e->known);
  vec_free(&e->written);
  vec_free(&e->writes);
  vec_free(&e->inner);
  text_free(&e->bits);
  names_destroy(e->names);
  arena_destroy(e->memory);
  mem_free(e, sizeof *e);
}

static void write_all(void *work)
{
  emitter *e = work;
  const program *p = e->program;
  e->layout = &p->layout;
  e->code = &p->code;
  e->shape = p->initial_shape;
  e->model = p->model;
  e->fixed = p->layout.fixed;
  e->memory = arena_create();
  e->names = names_create();
  emit_find_names(e);
  emit_find_channels(e);
  file(e);
}

const char *emit_model(const program *p, text *out)
{
  const char *why = unsupported(p);
  emitter *e = why ? NULL : mem_try_alloc(sizeof *e);
  if (!e)
    return why ? why : "there is not enough memory";
  e->program = p;
  e->out = out;
  bool done = mem_protect(write_all, e);
  destroy_emitter(e);
  return done ? NULL : "there is not enough memory";
}
