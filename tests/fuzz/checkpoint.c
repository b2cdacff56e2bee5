/* Fuzz target: a file to go on from, as wild as the fuzzer can make it, with right
** sums: blocks of the input are cut where it says, numbered and summed anew, and
** before the first stand title and version.  So what is tried is all that stands
** behind the sums: heads, tables, roots, levels.
**
** The model is tests/fuzz/question.pml, which is also read from the head of the
** file now and then.  Beside crashes, what sanitizers see and inputs that take
** too long, it looks for memory not given back and refusals without a word. */

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
#include <zlib.h>

enum {
  HEAD = 16,
  SUM = 4,
  FAILING_EVERY = 16, /* inputs, one has too little memory: */
  FAILING_MAX = 1000  /* allocations before it runs out */
};
#define CHECK_SECONDS 0.2

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* ---- the file ------------------------------------------------------------ */

static int file = -1;
static char folder[] = "/dev/shm/nutshell-fuzz-XXXXXX", name[64], other[64];

static void make_file(void)
{
  char path[80], target[64];
  DEMAND(mkdtemp(folder));
  file = memfd_create("input", 0);
  snprintf(name, sizeof name, "%s/run", folder);
  snprintf(other, sizeof other, "%s/other", folder);
  snprintf(path, sizeof path, "%s.0", name);
  snprintf(target, sizeof target, "/proc/self/fd/%d", file);
  DEMAND(file >= 0 && !symlink(target, path));
}

static void put_block(uint32_t kind, uint64_t number, const uint8_t *bytes,
                      uint32_t length, uint32_t *sums)
{
  uint8_t head[HEAD];
  memcpy(head, &kind, 4);
  memcpy(head + 4, &length, 4);
  memcpy(head + 8, &number, 8);
  uint32_t sum = (uint32_t)crc32_z(0, head, HEAD);
  sum = (uint32_t)crc32_z(sum, bytes, length);
  *sums = (uint32_t)crc32_z(*sums, (const uint8_t *)&sum, SUM);
  DEMAND(write(file, head, HEAD) == HEAD);
  DEMAND(write(file, bytes, length) == (ssize_t)length);
  DEMAND(write(file, &sum, SUM) == SUM);
}

/* The first block is ours, whatever it says of its version. */
static void put_first(const uint8_t *bytes, uint32_t length, uint32_t *sums)
{
  static const char title[] = "nutshell checkpoint";
  static uint8_t all[1 << 16];
  size_t at = 0, version = strlen(nut_version());
  all[at++] = sizeof title - 1;
  memcpy(all + at, title, sizeof title - 1);
  at += sizeof title - 1;
  all[at++] = 1; /* the format */
  all[at++] = (uint8_t)version;
  memcpy(all + at, nut_version(), version);
  at += version;
  if (length > sizeof all - at)
    length = (uint32_t)(sizeof all - at);
  memcpy(all + at, bytes, length);
  put_block(1, 0, all, (uint32_t)at + length, sums);
}

static void write_file(const uint8_t *data, size_t size)
{
  uint32_t sums = 0, last = 0;
  uint64_t number = 0;
  uint8_t end[12];
  DEMAND(!ftruncate(file, 0) && !lseek(file, 0, SEEK_SET));
  for (size_t at = 0; at + HEAD < size;) {
    uint32_t kind, length;
    memcpy(&kind, data + at, 4);
    memcpy(&length, data + at + 4, 4);
    at += HEAD;
    if (!kind)
      break;
    if (length > size - at)
      length = (uint32_t)(size - at);
    if (!number++)
      put_first(data + at, length, &sums);
    else
      put_block(kind, number - 1, data + at, length, &sums);
    at += length + SUM;
  }
  memcpy(end, &number, 8);
  memcpy(end + 8, &sums, 4);
  put_block(0, number, end, sizeof end, &last);
}

/* ---- one input ------------------------------------------------------------ */

static void go_on(const nut_checkpoint *c, bool reads, bool counts)
{
  nut_load load = nut_load_defaults();
  load.checkpoint = reads ? c : NULL;
  nut_model *m = nut_load_file(reads ? "tests/fuzz/question.pml"
                                     : FUZZ_ROOT "/tests/fuzz/question.pml",
                               &load);
  nut_options o = nut_default_options();
  o.seconds = CHECK_SECONDS;
  o.engine = NUT_ENGINE_INTERPRETED;
  o.liveness = false;
  o.search = NUT_BFS;
  o.threads = 1 + counts;
  o.checkpoint = other;
  o.checkpoint_every = 1000;
  o.resume = c;
  nut_result *r = counts ? nut_count(m, &o) : nut_check(m, &o);
  if (r && nut_result_verdict(r) == NUT_ERROR)
    DEMAND(nut_result_messages(r)[0] || *nut_model_messages(m));
  else if (r)
    nut_text_free(nut_result_write(r, NUT_TEXT));
  nut_result_free(r);
  nut_model_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  uint64_t chance = hash_bytes(data, size);
  uint64_t failing =
      chance % FAILING_EVERY ? 0 : 1 + (chance / FAILING_EVERY) % FAILING_MAX;
  if (file < 0)
    make_file();
  write_file(data, size);
  size_t before = mem_live();
  mem_fail_at(failing);
  nut_checkpoint *c = nut_checkpoint_open(name);
  const char *problem = nut_checkpoint_problem(c);
  DEMAND(c || failing);
  if (problem)
    DEMAND(*problem);
  else
    go_on(c, chance >> 8 & 1, chance >> 9 & 1);
  nut_checkpoint_close(c);
  mem_fail_at(0);
  if (mem_live() != before)
    __lsan_do_leak_check();
  DEMAND(mem_live() == before);
  return 0;
}
