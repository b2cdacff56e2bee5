/* Fuzz target: what is asked about a good model, as wild as the fuzzer can make
** it: formulas, files of properties, files of formulas of nets, trails and
** traces to be replayed.
**
** Built once per reader by tools/fuzz, with FUZZ_NAME one of 'ltl', 'ctl',
** 'properties', 'formulas', 'trail' and 'trace', and FUZZ_ROOT the folder of
** the project.  The models are tests/fuzz/question.pml for runs, few.pml, with
** the same names and few states, for what is checked, and examples/pnml/mutex.pnml
** for formulas of nets.
**
** Beside crashes, what sanitizers see and inputs that take too long, it looks
** for memory not given back, refusals without a word, and reports that cannot
** be written.  Now and then memory runs out on the way. */

#include "base/alloc.h"
#include "base/hash.h"
#include "demand.h"
#include "nutshell.h"

#include <sanitizer/lsan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  USES_MAX = 100,     /* of one model */
  FAILING_EVERY = 32, /* inputs, one has too little memory: */
  FAILING_MAX = 1000  /* allocations before it runs out */
};
#define CHECK_SECONDS 0.05

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static bool is_kind(const char *kind)
{
  return !strcmp(FUZZ_NAME, kind);
}

/* ---- questions ---------------------------------------------------------- */

/* The input as a file, which has no name but this. */
static const char *as_file(const char *bytes, size_t length)
{
  static char name[64];
  static int file = -1;
  if (file < 0)
    file = memfd_create("input", 0);
  DEMAND(file >= 0 && !ftruncate(file, 0));
  DEMAND(pwrite(file, bytes, length, 0) == (ssize_t)length);
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  return name;
}

static void write_reports(const nut_result *r)
{
  for (int format = NUT_TEXT; format <= NUT_JSON; format++)
    nut_text_free(nut_result_write(r, (nut_format)format));
}

/* 'failing' allocations from now memory runs out; 0: never. */
static void ask(nut_model *m, const char *bytes, size_t length,
                uint64_t failing)
{
  nut_options o = nut_default_options();
  o.seconds = CHECK_SECONDS;
  o.threads = 1;
  if (is_kind("ltl")) {
    o.ltl = &bytes;
    o.ltl_count = 1;
  } else if (is_kind("ctl")) {
    o.ctl = &bytes;
    o.ctl_count = 1;
  } else if (is_kind("properties")) {
    o.property_file = as_file(bytes, length);
  } else {
    o.formulas = as_file(bytes, length);
  }
  mem_fail_at(failing);
  nut_result *r = nut_check(m, &o);
  mem_fail_at(0);
  DEMAND(r || failing);
  if (r && nut_result_verdict(r) == NUT_ERROR)
    DEMAND(nut_result_messages(r)[0]);
  else if (r)
    write_reports(r);
  nut_result_free(r);
}

/* ---- runs --------------------------------------------------------------- */

static void count_bytes(void *sum, const char *bytes, size_t length)
{
  (void)bytes;
  *(size_t *)sum += length;
}

static void replay_input(nut_workspace *w, const char *bytes, size_t length,
                         uint64_t failing)
{
  size_t written = 0;
  mem_fail_at(failing);
  nut_walk *r = nut_walk_replay(w, "input", bytes, length);
  const nut_trace *t = r ? nut_walk_trace(r) : NULL;
  for (int format = NUT_TEXT; t && format <= NUT_TRAIL; format++)
    nut_trace_text(t, (nut_format)format, 0, (nut_style){0}, count_bytes,
                   &written);
  mem_fail_at(0);
  DEMAND(r || *nut_problem(w));
  DEMAND(nut_outcome(w) != NUT_UNKNOWN || failing);
  nut_walk_free(r);
}

/* ---- one input ---------------------------------------------------------- */

/* The model, which serves many inputs: reading it takes longer than reading a
** question.  When it is given back, all memory must be. */
static struct {
  nut_workspace *workspace;
  unsigned used;
  size_t before; /* live bytes without it */
} kept;

static const char *model_for_kind(void)
{
  if (is_kind("formulas"))
    return FUZZ_ROOT "/examples/pnml/mutex.pnml";
  return is_kind("trail") || is_kind("trace") ? FUZZ_ROOT
             "/tests/fuzz/question.pml"
                                              : FUZZ_ROOT "/tests/fuzz/few.pml";
}

static void load_model(void)
{
  nut_load load = nut_load_defaults();
  kept.before = mem_live();
  kept.used = 0;
  kept.workspace = nut_open_file(model_for_kind(), &load);
  DEMAND(kept.workspace);
  DEMAND(nut_model_good(nut_workspace_model(kept.workspace)));
}

static void drop_model(void)
{
  nut_close(kept.workspace);
  kept.workspace = NULL;
  if (mem_live() != kept.before)
    __lsan_do_leak_check(); /* tells who had it, and ends */
  DEMAND(mem_live() == kept.before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  uint64_t chance = hash_bytes(data, size);
  uint64_t failing =
      chance % FAILING_EVERY ? 0 : 1 + (chance / FAILING_EVERY) % FAILING_MAX;
  /* A copy with a 0 behind it, for formulas are strings. */
  char *copy = malloc(size + 1);
  memcpy(copy, data, size);
  copy[size] = 0;
  if (!kept.workspace)
    load_model();
  if (is_kind("trail") || is_kind("trace"))
    replay_input(kept.workspace, copy, size, failing);
  else
    ask(nut_workspace_model(kept.workspace), copy, size, failing);
  if (++kept.used == USES_MAX || failing)
    drop_model();
  free(copy);
  return 0;
}
