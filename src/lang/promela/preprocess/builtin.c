/* Names that nobody defined.  Those of gcc that do not depend on its version or
** on the machine have their values here.  The others, and what only gcc can do,
** are known by name, so that a model that asks for them is refused instead of
** being read in another way. */

#include "lang/promela/preprocess/pp_internal.h"
#include <stdio.h>
#include <string.h>

typedef struct meaning_of {
  const char *name;
  pp_meaning meaning;
} meaning_of;

static const meaning_of meanings[] = {
    {"defined", PP_DEFINED},         {"__VA_ARGS__", PP_VA_ARGS},
    {"__LINE__", PP_LINE},           {"__FILE__", PP_FILE},
    {"__BASE_FILE__", PP_BASE_FILE}, {"__INCLUDE_LEVEL__", PP_LEVEL},
    {"__COUNTER__", PP_COUNTER},
};

/* With their values, as '-D' takes them. */
static const char *const values[] = {
    "linux 1",           "unix 1",      "__linux 1",
    "__unix 1",          "__linux__ 1", "__unix__ 1",
    "__gnu_linux__ 1",   "__STDC__ 1",  "__STDC_VERSION__ 199901L",
    "__STDC_HOSTED__ 1",
};

/* What compilers know, by its beginning. */
static const char *const foreign[] = {
    "_Pragma",         "__has_",
    "__DATE__",        "__TIME__",
    "__TIMESTAMP__",   "__GNUC",
    "__GCC_",          "__GXX_",
    "__VERSION__",     "__STDC_",
    "__INT",           "__UINT",
    "__LONG_",         "__SHRT_",
    "__SCHAR_",        "__CHAR_BIT",
    "__CHAR16_",       "__CHAR32_",
    "__CHAR_UNS",      "__WCHAR_",
    "__WINT_",         "__SIZE_",
    "__SIZEOF_",       "__PTRDIFF_",
    "__SIG_ATOMIC_",   "__FLT",
    "__DBL_",          "__LDBL_",
    "__DEC",           "__FLOAT_",
    "__BYTE_ORD",      "__ORDER_",
    "__BIGGEST_",      "__ATOMIC_",
    "__HAVE_SPEC",     "__LP64__",
    "_LP64",           "__ELF__",
    "__OPTIMIZE",      "__NO_INLINE__",
    "__FINITE_",       "__PIC__",
    "__pic__",         "__PIE__",
    "__pie__",         "__PRAGMA_",
    "__REGISTER_",     "__USER_LAB",
    "__FXSR__",        "__MMX",
    "__SSE",           "__SEG_",
    "__AVX",           "__CET__",
    "__code_model",    "__x86_64",
    "__amd64",         "__k8",
    "__i386",          "__i686",
    "__arm",           "__ARM",
    "__aarch64",       "__AARCH64",
    "__riscv",         "__powerpc",
    "__PPC",           "__s390",
    "__mips",          "__clang",
    "__llvm",          "_STDC_PREDEF_H",
    "_FORTIFY_SOURCE", "__CHAR8_",
    "__RDRND",         "__ILP32__",
    "_ILP32",          "__SANITIZE",
    "__SSP",           "__ASSEMBLER__",
    "__OBJC",          "__cplusplus",
    "__LAHF",          "__FMA",
    "__BITINT",        "__LITTLE_ENDIAN__",
    "__BIG_ENDIAN__",  "__VFP",
};

pp_meaning pp_builtin_meaning(const char *bytes, size_t length)
{
  if (bytes[0] != '_' && bytes[0] != 'd')
    return PP_PLAIN;
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
    if (strlen(meanings[i].name) == length &&
        !memcmp(meanings[i].name, bytes, length))
      return meanings[i].meaning;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (!strncmp(bytes, foreign[i], strlen(foreign[i])))
      return PP_FOREIGN;
  return PP_PLAIN;
}

/* Makes a macro of 'NAME VALUE'. */
static void define_value(pp_state *pp, const char *line)
{
  size_t length = strcspn(line, " ");
  pp_token *body = ARENA_NEW(pp->mem, pp_token);
  pp_scan_one(pp, line + length + 1, strlen(line + length + 1), body);
  pp_macro *m = ARENA_NEW(pp->mem, pp_macro);
  *m = (pp_macro){.count = 1, .body = body};
  pp_name_of(pp, line, length)->macro = m;
}

void pp_builtin_names(pp_state *pp)
{
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    define_value(pp, values[i]);
}

/* A name as a string of C. */
static const char *quoted(pp_state *pp, const char *name)
{
  char *out = arena_alloc(pp->mem, 2 * strlen(name) + 3), *to = out;
  *to++ = '"';
  for (; *name; name++) {
    if (*name == '"' || *name == '\\')
      *to++ = '\\';
    *to++ = *name;
  }
  *to = '"';
  return out;
}

void pp_builtin_value(pp_state *pp, const pp_token *name, pp_token *value)
{
  const char *bytes = NULL;
  switch ((pp_meaning)name->name->meaning) {
  case PP_LINE:
    bytes = arena_printf(pp->mem, "%u", name->line);
    break;
  case PP_FILE:
    bytes = quoted(pp, vec_last(&pp->stack).name);
    break;
  case PP_BASE_FILE:
    bytes = quoted(pp, source_name(pp->files, pp->how->file));
    break;
  case PP_LEVEL:
    bytes = arena_printf(pp->mem, "%u", (unsigned)pp->stack.len - 1);
    break;
  case PP_COUNTER:
    bytes = arena_printf(pp->mem, "%u", pp->macros->counter++);
    break;
  case PP_PLAIN:
  case PP_DEFINED:
  case PP_VA_ARGS:
  case PP_FOREIGN:
    break;
  }
  *value = *name;
  pp_scan_one(pp, bytes, strlen(bytes), value);
}
