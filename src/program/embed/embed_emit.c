/* The text that the compiler gets for the embedded C of a model:
**
**   what the model declares in C
**   the model's variables as C knows them: 'now', one struct per process type
**   the functions that the model defines
**   copying between a state and those variables
**   one function for each piece that runs
**
** The names are those that a SPIN verifier uses, because models are written for
** them. */

#include "program/embed/embed_internal.h"
#include "runtime-text.h"
#include <ctype.h>

/* ---- places in the model ---------------------------------------------- */

/* Makes the compiler report what follows, which begins behind the first byte
** of 'where', at its place in the model. */
static void begin_at(const emission *e, span where)
{
  position p = source_position(e->m->sources, where);
  text_printf(e->out, "\n#line %u \"", p.line ? p.line : 1);
  span place = source_origin(e->m->sources, where);
  for (const char *c = source_name(e->m->sources, place.file); *c; c++) {
    /* A line break in the name must not end the directive. */
    if (*c == '"' || *c == '\\' || iscntrl((unsigned char)*c))
      text_printf(e->out, "\\%03o", (unsigned)(unsigned char)*c);
    else
      text_add_char(e->out, *c);
  }
  text_add(e->out, "\"\n");
  for (uint32_t i = 0; i < p.column; i++)
    text_add_char(e->out, ' ');
}

static void begin_own(const emission *e)
{
  text_add(e->out, "\n#line 1 \"embedded C\"\n");
}

static void add_code(const emission *e, const embed_code *c)
{
  begin_at(e, c->where);
  text_add(e->out, c->text);
  begin_own(e);
}

static void add_codes(const emission *e, embed_kind kind)
{
  for (size_t i = 0; i < e->m->c_code.len; i++)
    if (e->m->c_code.data[i].kind == kind)
      add_code(e, &e->m->c_code.data[i]);
}

/* ---- variables as C knows them ---------------------------------------- */

bool embed_is_packed(const var *v)
{
  keep k = keep_of_var(v);
  return v->type.kind != TYPE_RECORD && k.kind >= KEEP_BITS8 &&
         k.kind <= KEEP_BITS32;
}

const char *embed_c_type(const var *v)
{
  if (embed_is_packed(v))
    return "unsigned";
  switch ((keep_kind)keep_of_var(v).kind) {
  case KEEP_RANGE8:
  case KEEP_RANGE16:
  case KEEP_RANGE32:
    return "int";
  case KEEP_U16:
    return "unsigned short";
  case KEEP_S16:
    return "short";
  case KEEP_S32:
    return v->type.kind == TYPE_UNSIGNED ? "unsigned" : "int";
  default:
    return "uchar";
  }
}

static void add_declaration(const emission *e, const var *v, const char *name,
                            bool is_member)
{
  if (v->type.kind == TYPE_RECORD)
    text_printf(e->out, "struct %s %s", v->type.record->name, name);
  else
    text_printf(e->out, "%s %s", embed_c_type(v), name);
  if (v->flags & VAR_ARRAY)
    text_printf(e->out, "[%u]", v->length);
  else if (is_member && embed_is_packed(v))
    text_printf(e->out, " : %u", keep_of_var(v).bits);
  text_add(e->out, ";\n");
}

/* What a front end made for itself has no name that C could use. */
bool embed_is_visible(const var *v)
{
  return !(v->flags & (VAR_SCRATCH | VAR_OPAQUE));
}

/* Two blocks of a process may declare the same name: then the second one is
** called name_2. */
const char *embed_local_name(const emission *e, const process_type *t,
                             size_t index)
{
  const char *name = t->locals.data[index]->name;
  size_t same = 1;
  for (size_t i = 0; i < index; i++)
    same +=
        embed_is_visible(t->locals.data[i]) && t->locals.data[i]->name == name;
  return same == 1 ? name : arena_printf(e->m->arena, "%s_%zu", name, same);
}

/* Parameters that are records are kept field by field, as 'r.f': these become
** members of a struct again.  Adds the members from '*at' on whose names begin
** with the first 'prefix' bytes of theirs, which end in a dot. */
static void add_flat_members(const emission *e, const process_type *t,
                             size_t *at, size_t prefix)
{
  const char *first = t->locals.data[*at]->name;
  while (*at < t->locals.len) {
    const var *v = t->locals.data[*at];
    if (!embed_is_visible(v) || strncmp(v->name, first, prefix) != 0)
      return;
    const char *rest = v->name + prefix, *dot = strchr(rest, '.');
    if (!dot) {
      add_declaration(e, v, rest, true);
      ++*at;
      continue;
    }
    text_add(e->out, "struct {\n");
    add_flat_members(e, t, at, (size_t)(dot - v->name) + 1);
    text_printf(e->out, "} %.*s;\n", (int)(dot - rest), rest);
  }
}

static void add_records(const emission *e)
{
  for (size_t i = 0; i < e->m->records.len; i++) {
    const record *r = e->m->records.data[i];
    text_printf(e->out, "struct %s {\n", r->name);
    for (size_t k = 0; k < r->fields.len; k++)
      add_declaration(e, r->fields.data[k], r->fields.data[k]->name, true);
    text_add(e->out, "};\n");
  }
}

/* Members declared in C itself. */
static void add_own_members(const emission *e, memory_kind kind,
                            const process_type *owner)
{
  for (size_t i = 0; i < e->m->c_memory.len; i++) {
    const embed_memory *m = &e->m->c_memory.data[i];
    if (m->kind != kind || m->owner != owner)
      continue;
    begin_at(e, m->where);
    text_printf(e->out, "%s;", m->what);
    begin_own(e);
  }
}

static void add_process(const emission *e, const process_type *t)
{
  text_printf(e->out, "typedef struct P%u {\nunsigned _pid : 8;\n", t->index);
  for (size_t i = 0; i < t->locals.len;) {
    const var *v = t->locals.data[i];
    const char *dot = strchr(v->name, '.');
    if (embed_is_visible(v) && dot) {
      text_add(e->out, "struct {\n");
      const char *name = v->name;
      add_flat_members(e, t, &i, (size_t)(dot - name) + 1);
      text_printf(e->out, "} %.*s;\n", (int)(dot - name), name);
      continue;
    }
    if (embed_is_visible(v))
      add_declaration(e, v, embed_local_name(e, t, i), true);
    i++;
  }
  add_own_members(e, MEMORY_LOCAL, t);
  text_printf(e->out, "} P%u;\nstatic P%u nut_process_%u;\n", t->index,
              t->index, t->index);
  const char *name = t->kind == PROCESS_INIT ? "init" : t->name;
  if (isalpha((unsigned char)*name) || *name == '_')
    text_printf(e->out, "#define P%s ((P%u *)_this)\n", name, t->index);
}

static void add_globals(const emission *e)
{
  const model *m = e->m;
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    if (embed_is_visible(v) && v->flags & VAR_HIDDEN)
      add_declaration(e, v, v->name, false);
  }
  text_add(e->out, "typedef struct State {\n"
                   "uchar _nr_pr;\nuchar _nr_qs;\nuchar _last;\n");
  for (size_t i = 0; i < m->globals.len; i++) {
    const var *v = m->globals.data[i];
    if (embed_is_visible(v) && !(v->flags & VAR_HIDDEN))
      add_declaration(e, v, v->name, true);
  }
  add_own_members(e, MEMORY_GLOBAL, NULL);
  text_add(e->out, "} State;\nState now;\nuchar *_this;\n");
  add_own_members(e, MEMORY_NOWHERE, NULL);
}

/* ---- memory of its own ------------------------------------------------ */

/* Address and size of what is tracked, and what it is at the start. */
static void add_tracks(const emission *e)
{
  for (size_t i = 0; i < e->m->c_memory.len; i++) {
    const embed_memory *m = &e->m->c_memory.data[i];
    if (!embed_is_tracked(m))
      continue;
    text_printf(e->out,
                "static void *nut_address_%zu(void)\n{\nreturn (void *)(", i);
    begin_at(e, m->where);
    text_printf(e->out, "%s\n);\n}\nenum { nut_size_%zu = (", m->what, i);
    begin_at(e, m->where);
    text_printf(e->out, "%s\n) };", m->size);
    begin_own(e);
    text_printf(e->out, "static uchar nut_first_%zu[nut_size_%zu];\n", i, i);
  }
}

static void add_sizes(const emission *e)
{
  text_add(e->out, "static const uint64_t nut_sizes[] = {\n");
  for (size_t i = 0; i < e->m->c_memory.len; i++) {
    const embed_memory *m = &e->m->c_memory.data[i];
    if (embed_is_tracked(m)) {
      text_printf(e->out, "nut_size_%zu", i);
    } else {
      text_add(e->out, "sizeof ");
      embed_add_lvalue(e, m);
    }
    text_add(e->out, ",\n");
  }
  text_add(e->out, "0 };\n");
}

/* A model that is loaded again finds the C that is there, used as it is. */
static void add_open(const emission *e)
{
  text_add(e->out, "static void nut_open(const nut_embed_host *host)\n{\n"
                   "if (nut_host)\n  return;\nnut_host = host;\n");
  for (size_t i = 0; i < e->m->c_memory.len; i++)
    if (embed_is_tracked(&e->m->c_memory.data[i]))
      text_printf(e->out,
                  "if (nut_address_%zu())\n"
                  "  memcpy(nut_first_%zu, nut_address_%zu(), nut_size_%zu);\n",
                  i, i, i, i);
  text_add(e->out, "}\n");
}

static void add_initial(const emission *e, const embed_memory *m)
{
  embed_add_lvalue(e, m);
  text_add(e->out, " = (");
  begin_at(e, m->where);
  text_printf(e->out, "%s\n);", m->initial);
  begin_own(e);
}

static void add_start(const emission *e)
{
  text_add(e->out, "static void nut_start(const nut_embed_call *c)\n{\n"
                   "nut_in(c);\nnut_memory_in(c);\n");
  for (size_t i = 0; i < e->m->c_memory.len; i++)
    if (embed_is_tracked(&e->m->c_memory.data[i]))
      text_printf(e->out,
                  "if (nut_address_%zu())\n"
                  "  memcpy(nut_address_%zu(), nut_first_%zu, nut_size_%zu);\n",
                  i, i, i, i);
  for (size_t i = 0; i < e->m->c_memory.len; i++) {
    const embed_memory *m = &e->m->c_memory.data[i];
    if ((m->kind == MEMORY_GLOBAL || m->kind == MEMORY_NOWHERE) && m->initial)
      add_initial(e, m);
  }
  text_add(e->out, "nut_out(c);\nnut_memory_out(c);\n}\n");
}

static void add_start_process(const emission *e)
{
  text_add(e->out, "static void nut_start_process(const nut_embed_call *c)\n{\n"
                   "nut_enter(c);\n");
  for (size_t i = 0; i < e->m->c_memory.len; i++) {
    const embed_memory *m = &e->m->c_memory.data[i];
    if (m->kind != MEMORY_LOCAL || !m->initial)
      continue;
    text_printf(e->out, "if (c->type == %u) {\n", m->owner->index);
    add_initial(e, m);
    text_add(e->out, "}\n");
  }
  text_add(e->out, "nut_leave(c);\n}\n");
}

/* ---- pieces that run --------------------------------------------------- */

/* A value is an int, but what is true stays true: '0 +' makes a bit field a
** number and an array a pointer. */
static void add_piece(const emission *e, size_t i)
{
  const embed_code *c = &e->m->c_code.data[i];
  if (c->kind == EMBED_RUNS) {
    text_printf(e->out, "static NUT_PIECE void nut_code_%zu(void)\n{\n", i);
    add_code(e, c);
    text_add(e->out, "}\n");
  } else if (c->kind == EMBED_VALUE || c->kind == EMBED_TEST) {
    text_printf(e->out,
                "static NUT_PIECE int nut_code_%zu(void)\n{\n"
                "__auto_type nut_value = 0 + (\n",
                i);
    begin_at(e, c->where);
    text_add(e->out, c->text);
    begin_at(e, c->where); /* what is missing at the end is told here */
    text_add(e->out, ");");
    begin_own(e);
    text_add(e->out, "int nut_number = (int)(long)nut_value;\n"
                     "return nut_number ? nut_number : !!nut_value;\n}\n");
  }
}

static void add_run(const emission *e)
{
  const model *m = e->m;
  text_add(e->out,
           "static int nut_run(uint32_t code, const nut_embed_call *c)\n{\n"
           "int value = 0;\nnut_enter(c);\nswitch (code) {\n");
  for (size_t i = 0; i < m->c_code.len; i++) {
    embed_kind kind = m->c_code.data[i].kind;
    if (kind == EMBED_RUNS)
      text_printf(e->out, "case %zu: nut_code_%zu(); nut_leave(c); break;\n", i,
                  i);
    else if (kind == EMBED_VALUE || kind == EMBED_TEST)
      text_printf(e->out, "case %zu: value = nut_code_%zu(); break;\n", i, i);
  }
  text_add(e->out, "}\nreturn value;\n}\n");
}

/* ---- the whole -------------------------------------------------------- */

/* Whatever prints or exits becomes the host's business. */
static const char prelude[] =
    "#include <ctype.h>\n#include <errno.h>\n#include <fcntl.h>\n"
    "#include <limits.h>\n#include <signal.h>\n#include <stdarg.h>\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/stat.h>\n"
    "#include <sys/types.h>\n#include <unistd.h>\n"
    "typedef unsigned char uchar;\n"
    "#define NUT_PIECE __attribute__((noinline, noipa))\n"
    "static const nut_embed_host *nut_host;\n"
    "static int nut_say(const char *format, ...)\n{\n"
    "char line[4096];\nva_list args;\nva_start(args, format);\n"
    "int n = vsnprintf(line, sizeof line, format, args);\nva_end(args);\n"
    "if (n > 0)\n  nut_host->say(line, n < (int)sizeof line ? (size_t)n : "
    "sizeof line - 1);\nreturn n;\n}\n"
    "#define printf(...) nut_say(__VA_ARGS__)\n"
    "#define Printf(...) nut_say(__VA_ARGS__)\n"
    "#undef puts\n#define puts(text) nut_say(\"%s\\n\", text)\n"
    "#undef putchar\n#define putchar(c) nut_say(\"%c\", c)\n"
    "#define exit(n) nut_host->give_up(NUT_EMBED_ENDS)\n"
    "static void uerror(const char *text)\n{\n"
    "nut_say(\"%s\\n\", text);\nnut_host->complain();\n}\n"
    "static void Uerror(const char *text)\n{\n"
    "uerror(text);\nnut_host->give_up(NUT_EMBED_COMPLAINS);\n}\n"
    "static uint32_t nut_within(int value, int lo, int hi)\n{\n"
    "if (value < lo || value > hi)\n"
    "  nut_host->give_up(NUT_EMBED_OVERFLOWS);\n"
    "return (uint32_t)value - (uint32_t)lo;\n}\n"
    "#ifndef max\n#define max(a, b) (((a) < (b)) ? (b) : (a))\n#endif\n";

/* Around C that somebody else wrote: a mistake in it shall show, not be taken
** by an optimiser for something that cannot happen. */
static const char careful[] = "\n#ifdef __clang__\n"
                              "#pragma clang optimize off\n#else\n"
                              "#pragma GCC push_options\n"
                              "#pragma GCC optimize (\"O0\")\n#endif\n";
static const char as_usual[] = "\n#ifdef __clang__\n"
                               "#pragma clang optimize on\n#else\n"
                               "#pragma GCC pop_options\n#endif\n";

static const char coda[] =
    "__attribute__((visibility(\"default\")))\n"
    "const nut_embedded_model nut_embedded = {NUT_EMBED_ABI, NUT_KEY,\n"
    "  sizeof nut_sizes / sizeof *nut_sizes - 1, nut_sizes, nut_open,\n"
    "  nut_start, nut_start_process, nut_run};\n";

void embed_emit(const model *m, text *out)
{
  emission e = {m, out};
  text_add_bytes(out, (const char *)runtime_embed, sizeof runtime_embed);
  text_add(out, prelude);
  text_add(out, careful);
  add_codes(&e, EMBED_DECLARES);
  text_add(out, as_usual);
  begin_own(&e);
  add_records(&e);
  for (size_t i = 0; i < m->processes.len; i++)
    add_process(&e, m->processes.data[i]);
  add_globals(&e);
  text_add(out, careful);
  add_codes(&e, EMBED_DEFINES);
  add_tracks(&e);
  text_add(out, as_usual);
  embed_add_copies(&e);
  text_add(out, careful);
  add_sizes(&e);
  add_open(&e);
  add_start(&e);
  add_start_process(&e);
  for (size_t i = 0; i < m->c_code.len; i++)
    add_piece(&e, i);
  text_add(out, as_usual);
  add_run(&e);
  text_add(out, coda);
}
