/* 'spin -a': a pan.c that any C compiler makes a program of, which starts
** Nutshell.  It holds the model as it was read, so that it can be moved, and the
** model changed or removed; and it tells what it was compiled with. */

#include "cli/common.h"
#include "cli/output.h"
#include "cli/spin/spin_internal.h"
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* What pan.c tells of its compilation. */
static const char *const plain_macros[] = {
    "SAFETY",  "NP",      "NOCLAIM",   "NOREDUCE", "BITSTATE", "BFS",
    "BFS_PAR", "HC",      "HC0",       "HC1",      "HC2",      "HC3",
    "HC4",     "REVERSE", "T_REVERSE", NULL};
static const char *const value_macros[] = {"MEMLIM", "MEMCNT",    "P_RAND",
                                           "T_RAND", "RANDOMIZE", NULL};

/* A text as C: what is not plain is written in octal. */
static void add_literal(text *out, const char *bytes, size_t n)
{
  text_add(out, "  \"");
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c == '\n')
      text_add(out, i + 1 < n ? "\\n\"\n  \"" : "\\n");
    else if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '?')
      text_printf(out, "\\%03o", c);
    else
      text_add_char(out, (char)c);
  }
  text_add(out, "\"");
}

static void add_string(text *out, const char *name, const char *value)
{
  text_printf(out, "static char %s[] =\n", name);
  add_literal(out, value, strlen(value));
  text_add(out, ";\n\n");
}

static void add_macros(text *out)
{
  text_add(out, "#define TEXT(x) TEXT_(x)\n#define TEXT_(x) #x\n"
                "static char *macros[] = {\n");
  for (const char *const *m = plain_macros; *m; m++)
    text_printf(out, "#ifdef %s\n  \"-D%s\",\n#endif\n", *m, *m);
  for (const char *const *m = value_macros; *m; m++)
    text_printf(out, "#ifdef %s\n  \"-D%s=\" TEXT(%s),\n#endif\n", *m, *m, *m);
  text_add(out, "  NULL\n};\n\n");
}

/* The model goes to the standard input of Nutshell, as a file without a name. */
static const char program[] =
    "int main(int argc, char **argv)\n"
    "{\n"
    "  FILE *file = tmpfile();\n"
    "  char **words = calloc(argc + sizeof macros / sizeof *macros + 8,\n"
    "                        sizeof *words);\n"
    "  int n = 0, i;\n"
    "  if (!file || !words || fwrite(model, 1, sizeof model - 1, file) !=\n"
    "                             sizeof model - 1 ||\n"
    "      fflush(file) || lseek(fileno(file), 0, SEEK_SET) < 0 ||\n"
    "      dup2(fileno(file), 0) < 0) {\n"
    "    perror(\"pan\");\n"
    "    return 1;\n"
    "  }\n"
    "  words[n++] = \"nutshell\";\n"
    "  words[n++] = \"spin\";\n"
    "  words[n++] = \"--pan\";\n"
    "  words[n++] = name;\n"
    "  if (allow_c)\n"
    "    words[n++] = \"--allow-c\";\n"
    "  if (lossy)\n"
    "    words[n++] = \"--lossy\";\n"
    "  for (i = 0; macros[i]; i++)\n"
    "    words[n++] = macros[i];\n"
    "  words[n++] = \"--\";\n"
    "  for (i = 1; i < argc; i++)\n"
    "    words[n++] = argv[i];\n"
    "  execv(place, words);\n"
    "  execvp(\"nutshell\", words);\n"
    "  perror(\"pan: cannot start nutshell\");\n"
    "  return 1;\n"
    "}\n";

static bool write_source(const spin_request *q, const text *model)
{
  char place[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", place, sizeof place - 1);
  place[n > 0 ? n : 0] = 0;
  text out = {0};
  text_add(&out,
           "/* Made by 'nutshell spin -a'.  Compiled, it starts Nutshell with\n"
           "** the model below, and answers as SPIN's verifier does. */\n\n"
           "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n"
           "#include <unistd.h>\n\n");
  add_string(&out, "place", place);
  add_string(&out, "name", q->file);
  text_printf(&out, "static int allow_c = %d, lossy = %d;\n\n", q->allow_c,
              q->lossy);
  add_macros(&out);
  text_add(&out, "static char model[] =\n");
  add_literal(&out, text_string(model), model->len);
  text_add(&out, ";\n\n");
  text_add(&out, program);
  bool good = write_file("pan.c", &out);
  text_free(&out);
  return good;
}

/* Scripts copy and remove them. */
static bool write_others(bool claims)
{
  static const char *const names[] = {"pan.h", "pan.m", "pan.t",
                                      "pan.b", "pan.p", "_spin_nvr.tmp"};
  text out = {0};
  bool good = true;
  text_add(&out, "/* pan.c has everything */\n");
  size_t count = sizeof names / sizeof *names - !claims;
  for (size_t i = 0; good && i < count; i++)
    good = write_file(names[i], &out);
  text_free(&out);
  return good;
}

/* As SPIN announces them; returns whether there are any. */
static bool tell_claims(nut_workspace *w)
{
  size_t count = 0;
  bool found = false;
  const nut_question *list = nut_questions(w, &count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(list[i].kind, "ltl")) {
      say("ltl %s: %s\n", list[i].name, list[i].formula);
      found = true;
    }
  return found;
}

int spin_write_pan(const spin_request *q)
{
  nut_workspace *w = spin_open(q);
  text model = {0};
  bool good =
      w && nut_preprocessed(nut_workspace_model(w), gather_text, &model);
  if (good) {
    bool claims = tell_claims(w);
    good = write_source(q, &model) && write_others(claims);
  }
  text_free(&model);
  nut_close(w);
  return good ? SPIN_DONE : SPIN_FAILED;
}
