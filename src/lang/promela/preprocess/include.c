/* Files: those that '#include' names are looked for as gcc does, in the folder
** of the file that names them and in those of '-I', but not in the folders of a
** C compiler, whose files are not for models. */

#include "base/system/path.h"
#include "lang/promela/preprocess/pp_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_BYTES = 64 << 20 };

void pp_open(pp_state *pp, uint32_t source, const char *bytes, size_t length)
{
  const char *name = source_name(pp->files, source);
  pp_file f = {.text = bytes,
               .p = bytes,
               .end = bytes + length,
               .source = source,
               .line = 1,
               .fresh = true,
               .name = name,
               .folder = arena_copy(pp->mem, name, path_folder_length(name)),
               .conditions = pp->conditions.len};
  if (length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
    f.p += 3; /* the mark some editors put before UTF-8 text */
  vec_push(&pp->stack, f);
}

bool pp_close(pp_state *pp)
{
  if (pp->conditions.len > vec_last(&pp->stack).conditions) {
    pp_token at = {.where = vec_last(&pp->conditions).where};
    pp_error(pp, &at, "this condition has no '#endif'");
    return false;
  }
  if (pp->stack.len == 1)
    return false;
  pp->stack.len--;
  return true;
}

/* ---- reading ------------------------------------------------------------- */

/* Reads up to 'room' bytes; -1 with 'errno'.  Nothing is allocated while the
** file is open. */
static ssize_t read_file(const char *path, char *bytes, size_t room)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  size_t length = 0;
  ssize_t n = fd < 0 ? -1 : 0;
  while (fd >= 0 && length < room) {
    n = read(fd, bytes + length, room - length);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    length += (size_t)n;
  }
  int error = errno;
  if (fd >= 0)
    close(fd);
  errno = error;
  return n < 0 ? -1 : (ssize_t)length;
}

/* The text of a file that belongs to the model, but must not be shown; sources
** do not have it. */
static const pp_text *secret_text(pp_state *pp, uint32_t source,
                                  const char *path, size_t size)
{
  for (size_t i = 0; i < pp->secrets.len; i++)
    if (pp->secrets.data[i].source == source)
      return &pp->secrets.data[i];
  char *bytes = arena_alloc(pp->mem, size + 1);
  const kept_text *taken = source_taken(pp->files, KEPT_HIDDEN, path);
  ssize_t length = (ssize_t)size;
  if (taken && size)
    memcpy(bytes, taken->text, size);
  else if (!taken)
    length = read_file(path, bytes, size);
  if (length < 0)
    return NULL;
  source_keep(pp->files, KEPT_HIDDEN, path, bytes, (size_t)length);
  pp_text t = {source, bytes, (size_t)length};
  vec_push(&pp->secrets, t);
  return &vec_last(&pp->secrets);
}

static void open_file(pp_state *pp, const pp_token *at, const char *path,
                      size_t size)
{
  if (pp->stack.len > PP_FILES_MAX || pp->includes++ == PP_INCLUDES_MAX) {
    pp_error(pp, at,
             "too many files are included; do they include each other?");
    return;
  }
  uint32_t source = source_include(pp->files, path);
  size_t length;
  const char *bytes = source_text(pp->files, source, &length);
  if (!source || source_is_label(pp->files, source)) {
    const pp_text *secret = source ? secret_text(pp, source, path, size) : NULL;
    if (!secret) {
      pp_error(pp, at, "this file cannot be read: %s", strerror(errno));
      return;
    }
    bytes = secret->bytes;
    length = secret->length;
  }
  pp_skip_line(pp);
  pp_open(pp, source, bytes, length);
}

/* ---- finding ------------------------------------------------------------- */

/* Is it this one?  True ends the search, also with an error. */
static bool try_file(pp_state *pp, const pp_token *at, const char *folder,
                     const char *name)
{
  const char *slash = *folder && folder[strlen(folder) - 1] != '/' ? "/" : "";
  const char *path = arena_printf(pp->mem, "%s%s%s", folder, slash, name);
  struct stat status;
  if (!source_may_open(pp->files, path))
    return false;
  if (sources_are_taken(pp->files)) {
    open_file(pp, at, path, source_taken_file(pp->files, path)->length);
    return true;
  }
  if (stat(path, &status)) {
    if (errno == ENOENT || errno == ENOTDIR)
      return false;
    pp_error(pp, at, "this file cannot be read: %s", strerror(errno));
  } else if (S_ISDIR(status.st_mode))
    return false;
  else if (!S_ISREG(status.st_mode))
    pp_error(pp, at, "this is not a plain file" PP_USE_CPP);
  else if (status.st_size > MAX_BYTES)
    pp_error(pp, at, "this file cannot be read: %s", strerror(EFBIG));
  else
    open_file(pp, at, path, (size_t)status.st_size);
  return true;
}

static void find_file(pp_state *pp, const pp_token *at, const char *name,
                      bool quoted)
{
  if (name[0] == '/'
          ? try_file(pp, at, "", name)
          : quoted && try_file(pp, at, vec_last(&pp->stack).folder, name))
    return;
  for (uint32_t i = 0; i < pp->how->arg_count && name[0] != '/'; i++) {
    const char *word = pp->how->args[i];
    if (word[1] == 'I' && try_file(pp, at, word + 2, name))
      return;
  }
  if (quoted || name[0] == '/')
    pp_error(pp, at, "this file does not exist");
  else
    pp_error(pp, at,
             "no folder of -I has this file; those of the C compiler"
             " are not looked at" PP_USE_CPP);
}

/* ---- #include ------------------------------------------------------------ */

/* A name between quotes or angles, in which nothing is replaced; true when one
** stands here. */
static bool plain_name(pp_state *pp, pp_token *t, const char **name)
{
  pp_skip_blanks(pp);
  pp_file *f = &vec_last(&pp->stack);
  char close = f->p < f->end && *f->p == '"' ? '"' : '>';
  if (f->p == f->end || (*f->p != '"' && *f->p != '<'))
    return false;
  const char *start = f->p, *p = start + 1;
  while (p < f->end && *p != close && *p != '\n' && *p != '\\')
    p++;
  if (p == f->end || *p != close)
    return false;
  pp_scan(pp, t); /* for its place */
  f->p = p + 1;
  if (!source_is_label(pp->files, t->where.file))
    t->where.length = (uint32_t)(f->p - start);
  *name = arena_copy(pp->mem, start + 1, (size_t)(p - start - 1));
  t->kind = close == '"' ? PP_STRING : PP_PUNCT;
  return true;
}

/* '<' and what follows it, as text. */
static const char *glue(pp_state *pp, pp_token *first)
{
  text all = {arena_alloc(pp->mem, 4096), 0, 4096};
  pp_token t;
  for (;;) {
    pp_get_text(pp, &t);
    if (t.kind == PP_EOF || all.len + t.length + 2 >= all.cap) {
      pp_error(pp, first, "expected '>' after the name of a file");
      return "";
    }
    if (pp_is(&t, ">"))
      return all.data;
    if (t.flags & PP_WHITE && all.len)
      text_add_char(&all, ' ');
    text_add_bytes(&all, t.text, t.length);
  }
}

/* A name that comes out of macros. */
static const char *made_name(pp_state *pp, pp_token *t)
{
  pp_get_text(pp, t);
  if (t->kind == PP_STRING && t->text[0] == '"')
    return arena_copy(pp->mem, t->text + 1, t->length - 2);
  if (pp_is(t, "<"))
    return glue(pp, t);
  pp_error(pp, t, "expected the name of a file: \"...\" or <...>");
  return "";
}

void pp_include(pp_state *pp, const pp_token *word)
{
  pp_token t;
  const char *name = NULL;
  (void)word;
  if (!plain_name(pp, &t, &name))
    name = made_name(pp, &t);
  if (pp->failed)
    return;
  if (!*name)
    pp_error(pp, &t, "the name of a file is missing");
  else
    find_file(pp, &t, name, t.kind == PP_STRING);
}
