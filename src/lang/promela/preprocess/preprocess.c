/* The preprocessor as a whole: options first, then the file. */

#include "lang/promela/preprocess/preprocess.h"
#include "lang/promela/preprocess/pp_internal.h"
#include <stdarg.h>
#include <string.h>

enum { MAX_OUTPUT = 64 << 20 };

/* ---- messages ------------------------------------------------------------ */

void pp_error(pp_state *pp, const pp_token *at, const char *format, ...)
{
  va_list arguments;
  if (pp->failed)
    return;
  pp->failed = true;
  va_start(arguments, format);
  diag_vreport(pp->diags, DIAG_ERROR, at->where, format, arguments);
  va_end(arguments);
  diag_note_uses(pp->diags, pp->out.recipe.uses.data, at->use, at->where);
}

/* What stands at its place may be told when the place may be shown, which is
** for the diagnostic to see. */
const char *pp_shown(pp_state *pp, const pp_token *t)
{
  size_t length;
  const char *bytes = source_text(pp->files, t->where.file, &length);
  bool stands = (size_t)t->where.start + t->length <= length &&
                !memcmp(bytes + t->where.start, t->text, t->length);
  if (source_hides(pp->files) && !stands)
    return "...";
  return arena_copy(pp->mem, t->text, t->length);
}

/* ---- options ------------------------------------------------------------- */

/* '-DNAME=VALUE' is '#define NAME VALUE', '-UNAME' is '#undef NAME'; what
** follows a line break does not count. */
static void obey_option(pp_state *pp, const char *word)
{
  size_t length = strcspn(word + 2, "\n"), name = strcspn(word + 2, "=\n");
  bool define = word[1] == 'D';
  text line = {arena_alloc(pp->mem, length + 16), 0, length + 16};
  text_add(&line, define ? "#define " : "#undef ");
  text_add_bytes(&line, word + 2, name < length ? name : length);
  if (define) {
    text_add_char(&line, ' ');
    if (name < length)
      text_add_bytes(&line, word + 2 + name + 1, length - name - 1);
    else
      text_add_char(&line, '1');
  }
  uint32_t source = source_add(pp->files, word, line.data, line.len);
  size_t all;
  const char *bytes = source_text(pp->files, source, &all);
  pp_token t;
  pp_open(pp, source, bytes, all);
  pp_get(pp, &t);
  pp->stack.len--;
}

static void begin(pp_state *pp)
{
  const pml_preprocessing *how = pp->how;
  pml_macros **macros = how->macros;
  if (*macros) {
    pp->macros = *macros;
    return;
  }
  pp->macros = *macros = ARENA_NEW(pp->mem, pml_macros);
  pp_builtin_names(pp);
  for (uint32_t i = 0; i < how->arg_count && !pp->failed; i++)
    if (how->args[i][1] != 'I')
      obey_option(pp, how->args[i]);
}

/* ---- all of it ----------------------------------------------------------- */

static void do_expand(void *work)
{
  pp_state *pp = work;
  pp_token t;
  size_t length;
  begin(pp);
  const char *bytes = source_text(pp->files, pp->how->file, &length);
  pp_open(pp, pp->how->file, bytes, length);
  vec_last(&pp->stack).folder = pp->how->folder;
  pp_token large = {.where = {pp->how->file, 0, 0}};
  for (;;) {
    pp_get(pp, &t);
    if (t.kind == PP_EOF)
      break;
    pp_output_token(pp, &t);
    if (pp->out.text.len > MAX_OUTPUT)
      pp_error(pp, &large, "preprocessed, the model has more than 64 MiB");
  }
  if (!pp->failed)
    pp->result = pp_output_end(pp);
}

/* A name must not stay disabled: its table lives on. */
static void tidy_expand(void *work)
{
  pp_state *pp = work;
  while (pp->depth)
    pp_pop(pp);
  for (size_t i = 0; i < pp->contexts.len; i++)
    vec_free(&pp->contexts.data[i].own);
  for (size_t i = 0; i < pp->calls.len; i++) {
    vec_free(&pp->calls.data[i].raw);
    vec_free(&pp->calls.data[i].full);
    vec_free(&pp->calls.data[i].args);
  }
  vec_free(&pp->contexts);
  vec_free(&pp->calls);
  vec_free(&pp->stack);
  vec_free(&pp->secrets);
  vec_free(&pp->conditions);
  vec_free(&pp->out.recipe.pieces);
  vec_free(&pp->out.recipe.uses);
  text_free(&pp->out.text);
}

uint32_t pml_expand(arena *mem, sources *files, diags *messages,
                    const pml_preprocessing *how)
{
  pp_state *it = ARENA_NEW(mem, pp_state);
  it->mem = mem;
  it->files = files;
  it->diags = messages;
  it->how = how;
  mem_protect_tidy(do_expand, tidy_expand, it);
  return it->result;
}
