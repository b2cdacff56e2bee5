/* A shared object is loaded, asked what it is, and checked; its frame is written
** and read, and the edges of that are plugged to its groups. */

#include "api/plugin.h"
#include "base/alloc.h"
#include "base/system/path.h"
#include "base/text/text.h"
#include "lang/promela/promela.h"
#include "model/plugged.h"

#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <string.h>

enum {
  PARTS_MAX = 1 << 20,
  GROUPS_MAX = 1 << 16,
  PROCESSES_MAX = 200,
  NAME_MAX_BYTES = 200
};

/* A plug-in on its way to a model. */
typedef struct reading {
  arena *arena;
  diags *diags;
  const char *path;
  plugin *plugin;
  text frame;
  /* Names of processes, in order, and of each group the number of its own. */
  const char **process;
  uint32_t processes;
  uint32_t *process_of;
} reading;

typedef const nut_plugin *opening(const nut_parameters *);

static bool complain(const reading *r, const char *what, const char *name)
{
  diag_error(r->diags, NO_SPAN, "the plug-in %s%s%s%s", what, name ? " (" : "",
             name ? name : "", name ? ")" : "");
  return false;
}

static void close_plugin(plugin *p)
{
  if (p->code && p->code->close)
    p->code->close(p->code);
  if (p->library)
    dlclose(p->library);
  p->code = NULL;
  p->library = NULL;
}

/* ---- loading ------------------------------------------------------------ */

static bool load(reading *r, const char *const *words, uint32_t count)
{
  char absolute[PATH_MAX];
  if (!path_absolute(r->path, absolute))
    return complain(r, "has too long a name", NULL);
  r->plugin->library = dlopen(absolute, RTLD_NOW | RTLD_LOCAL);
  if (!r->plugin->library)
    return complain(r, "cannot be loaded", dlerror());
  void *found = dlsym(r->plugin->library, "nutshell_model");
  if (!found)
    return complain(r, "has no function 'nutshell_model'", NULL);
  opening *open;
  memcpy(&open, &found, sizeof open);
  const char **given = ARENA_ARRAY(r->arena, const char *, count + 1);
  nut_parameters parameters = {given, 0};
  for (uint32_t i = 0; i < count; i++)
    if (!strncmp(words[i], "-D", 2))
      given[parameters.count++] = words[i] + 2;
  r->plugin->code = open(&parameters);
  return r->plugin->code || complain(r, "refuses what it was given", NULL);
}

/* ---- is it sound? ------------------------------------------------------- */

static bool is_name(const char *name)
{
  size_t n = name ? strlen(name) : 0;
  bool good = n && n < NAME_MAX_BYTES && !isdigit((unsigned char)*name);
  for (size_t i = 0; good && i < n; i++)
    good = isalnum((unsigned char)name[i]) || name[i] == '_';
  return good;
}

static bool check_variables(reading *r)
{
  const nut_plugin *c = r->plugin->code;
  uint64_t parts = 0;
  for (size_t i = 0; i < c->variable_count; i++) {
    const nut_variable *v = &c->variables[i];
    if (!is_name(v->name))
      return complain(r, "has a variable without a name of letters", NULL);
    if (v->lo > v->hi)
      return complain(r, "has a variable without values", v->name);
    uint32_t n = v->length ? v->length : 1;
    parts += n;
    if (parts > PARTS_MAX)
      return complain(r, "has too many variables", NULL);
    for (uint32_t k = 0; v->initial && k < n; k++)
      if (v->initial[k] < v->lo || v->initial[k] > v->hi)
        return complain(r, "has a first value that is not allowed", v->name);
  }
  r->plugin->parts = (uint32_t)parts;
  return true;
}

static bool check_parts(const reading *r, const uint32_t *list, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (list[i] >= r->plugin->parts)
      return false;
  return true;
}

static bool check_groups(reading *r)
{
  const nut_plugin *c = r->plugin->code;
  uint64_t steps = 0;
  for (size_t i = 0; i < c->group_count; i++) {
    const nut_group *g = &c->groups[i];
    steps += g->steps ? g->steps : 1;
    if (!g->name || steps > GROUPS_MAX)
      return complain(
          r, g->name ? "has too many groups" : "has a group without a name",
          NULL);
    if (g->process && !is_name(g->process))
      return complain(r, "has a process without a name of letters", g->process);
    if (g->sets && (!check_parts(r, g->reads, g->read_count) ||
                    !check_parts(r, g->writes, g->write_count)))
      return complain(r, "has a set with a part that there is not", g->name);
  }
  return true;
}

static bool check_claims(const reading *r)
{
  const nut_plugin *c = r->plugin->code;
  for (size_t i = 0; i < c->claim_count; i++) {
    const nut_claim *p = &c->claims[i];
    if (!p->kind || !is_name(p->name) || !p->formula ||
        (strcmp(p->kind, "ltl") && strcmp(p->kind, "invariant")))
      return complain(r, "has a claim that is no 'ltl' or 'invariant'",
                      p->name);
  }
  return true;
}

static bool is_sound(reading *r)
{
  const nut_plugin *c = r->plugin->code;
  if (c->api != NUT_PLUGIN_API)
    return complain(r, "was compiled for another version of Nutshell", NULL);
  if (!is_name(c->name) || !c->steps || !c->group_count)
    return complain(r, "has no name, no groups or no steps", NULL);
  return check_variables(r) && check_groups(r) && check_claims(r);
}

/* ---- the frame ---------------------------------------------------------- */

/* The smallest type that has all values of a variable. */
static const char *type_for(const nut_variable *v)
{
  if (v->lo >= 0 && v->hi <= 1)
    return "bit";
  if (v->lo >= 0 && v->hi <= 255)
    return "byte";
  return v->lo >= -32768 && v->hi <= 32767 ? "short" : "int";
}

static int32_t first_value(const nut_variable *v, uint32_t element)
{
  if (v->initial)
    return v->initial[element];
  return v->lo > 0 ? v->lo : v->hi < 0 ? v->hi : 0;
}

static void declare(reading *r, const nut_variable *v)
{
  text_printf(&r->frame, "%s %s", type_for(v), v->name);
  if (v->length)
    text_printf(&r->frame, "[%u] = {", v->length);
  else
    text_add(&r->frame, " = ");
  for (uint32_t i = 0; i < (v->length ? v->length : 1); i++)
    text_printf(&r->frame, "%s%d", i ? ", " : "", first_value(v, i));
  text_add(&r->frame, v->length ? "};\n" : ";\n");
}

static void find_processes(reading *r)
{
  const nut_plugin *c = r->plugin->code;
  r->process = ARENA_ARRAY(r->arena, const char *, c->group_count);
  r->process_of = ARENA_ARRAY(r->arena, uint32_t, c->group_count);
  for (size_t i = 0; i < c->group_count; i++) {
    const char *name = c->groups[i].process ? c->groups[i].process : c->name;
    uint32_t k = 0;
    while (k < r->processes && strcmp(r->process[k], name) != 0)
      k++;
    if (k == r->processes)
      r->process[r->processes++] = name;
    r->process_of[i] = k;
  }
}

static void add_process(reading *r, uint32_t number)
{
  const nut_plugin *c = r->plugin->code;
  text_printf(&r->frame, "active proctype %s() { %sdo", r->process[number],
              c->may_end ? "end: " : "");
  for (size_t i = 0; i < c->group_count; i++)
    for (uint32_t k = 0; k < (c->groups[i].steps ? c->groups[i].steps : 1); k++)
      if (r->process_of[i] == number)
        text_add(&r->frame, " :: true");
  text_add(&r->frame, " od }\n");
}

static bool write_frame(reading *r)
{
  const nut_plugin *c = r->plugin->code;
  for (size_t i = 0; i < c->variable_count; i++)
    declare(r, &c->variables[i]);
  find_processes(r);
  if (r->processes > PROCESSES_MAX)
    return complain(r, "has too many processes", NULL);
  for (uint32_t i = 0; i < r->processes; i++)
    add_process(r, i);
  for (size_t i = 0; i < c->claim_count; i++)
    if (!strcmp(c->claims[i].kind, "ltl"))
      text_printf(&r->frame, "ltl %s { %s }\n", c->claims[i].name,
                  c->claims[i].formula);
  return true;
}

/* ---- the model ---------------------------------------------------------- */

static void place_parts(reading *r, const model *m)
{
  plugin *p = r->plugin;
  uint32_t at = 0;
  p->part = ARENA_ARRAY(r->arena, plugin_part, p->parts + 1);
  for (size_t i = 0; i < p->code->variable_count; i++) {
    const nut_variable *v = &p->code->variables[i];
    const var *global = m->globals.data[i];
    assert(!strcmp(global->name, v->name));
    for (uint32_t k = 0; k < global->length; k++)
      p->part[at++] = (plugin_part){global, k, v->lo, v->hi};
  }
  p->may_write = ARENA_ARRAY(r->arena, const uint8_t *, p->code->group_count);
  for (size_t i = 0; i < p->code->group_count; i++) {
    const nut_group *g = &p->code->groups[i];
    uint8_t *may =
        g->sets ? ARENA_ARRAY(r->arena, uint8_t, p->parts + 1) : NULL;
    for (size_t k = 0; may && k < g->write_count; k++)
      may[g->writes[k]] = 1;
    p->may_write[i] = may;
  }
}

/* The edges of a process are its groups' steps, in their order. */
static void plug_in(reading *r, model *m, uint32_t number)
{
  const nut_plugin *c = r->plugin->code;
  process_type *t = m->processes.data[number];
  size_t at = 0;
  for (size_t i = 0; i < t->locations.len; i++)
    t->locations.data[i].where = NO_SPAN;
  for (uint32_t i = 0; i < c->group_count; i++) {
    uint32_t steps = c->groups[i].steps ? c->groups[i].steps : 1;
    for (uint32_t k = 0; r->process_of[i] == number && k < steps; k++) {
      edge *e = t->order.data[at++];
      assert(e->source == t->start && e->target == t->start);
      plugged_step *s = ARENA_NEW(r->arena, plugged_step);
      *s = (plugged_step){i, k};
      e->plugged = s;
      e->flags |= EDGE_PLUGIN;
      e->guard = NULL;
      e->where = NO_SPAN;
      e->text = e->written = steps > 1 ? arena_printf(r->arena, "%s (%u)",
                                                      c->groups[i].name, k + 1)
                                       : arena_copy(r->arena, c->groups[i].name,
                                                    strlen(c->groups[i].name));
    }
  }
}

static bool add_invariants(reading *r, model *m)
{
  const nut_plugin *c = r->plugin->code;
  for (size_t i = 0; i < c->claim_count; i++) {
    const nut_claim *p = &c->claims[i];
    if (strcmp(p->kind, "invariant") != 0)
      continue;
    uint32_t file =
        source_add(m->sources, p->name, p->formula, strlen(p->formula));
    expr *condition = file ? promela_read_condition(m, r->diags, file) : NULL;
    if (!condition)
      return false;
    property *made = model_add_property(
        m, PROPERTY_INVARIANT, arena_copy(r->arena, p->name, strlen(p->name)),
        NO_SPAN);
    made->expr = condition;
    made->formula = arena_copy(r->arena, p->formula, strlen(p->formula));
  }
  return true;
}

static bool finish(reading *r, model *m)
{
  m->language = &plugin_facts;
  m->plugin = r->plugin;
  m->flags |= MODEL_HAS_PLUGIN;
  place_parts(r, m);
  for (uint32_t i = 0; i < r->processes; i++)
    plug_in(r, m, i);
  return add_invariants(r, m);
}

static model *make_model(reading *r, names *n, sources *s)
{
  if (!write_frame(r))
    return NULL;
  const char *name = arena_printf(r->arena, "frame of %s", r->path);
  uint32_t file = source_add(s, name, text_string(&r->frame), r->frame.len);
  model *m = file ? promela_read(r->arena, n, s, r->diags, file,
                                 promela_options_new(r->arena, NULL, 0))
                  : NULL;
  if (m && !finish(r, m)) {
    model_destroy(m);
    return NULL;
  }
  return m;
}

model *plugin_read(arena *a, names *n, sources *s, diags *d, const char *path,
                   const char *const *words, uint32_t count)
{
  reading *r = ARENA_NEW(a, reading);
  *r = (reading){.arena = a, .diags = d, .path = path};
  r->plugin = ARENA_NEW(a, plugin);
  r->plugin->close = close_plugin;
  model *m = load(r, words, count) && is_sound(r) ? make_model(r, n, s) : NULL;
  text_free(&r->frame);
  if (!m)
    close_plugin(r->plugin);
  return m;
}

const model_language plugin_facts = {.name = "plugin",
                                     .endings = "",
                                     .counts_start = true,
                                     .has_ends = true,
                                     .condition = promela_read_condition};
