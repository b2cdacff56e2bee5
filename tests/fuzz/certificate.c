/* Fuzz target: certificates, read by nutshell-certify and by Nutshell itself.
**
** An input is the parts of a file, each ended by PART_END: the facts, the model,
** then blocks of states, marks and ranks, of each its kind, how many there are of
** what it has, and its bytes.  Lengths, checksums and the last block are made
** right, so that the fuzzer gets behind them.  An input that begins as a
** certificate does is taken as it is.
**
** The certifier's files are built with 'exit' and its memory taken from it
** (tools/fuzz): it ends by coming back here, and what it had is given back.  A
** certificate is never taken for a proof unless it says of what. */

#include "base/alloc.h"
#include "certificate/certificate_read.h"
#include "certificate/state_run.h"
#include "demand.h"

#include <sanitizer/lsan_interface.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PART_END = 0xfe, BLOCKS_MOST = 64, RUN_STATUSES = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);
int LLVMFuzzerInitialize(int *, char ***);
int certify_main(int, char **);
_Noreturn void fuzz_exit(int);
void *fuzz_calloc(size_t, size_t);
void *fuzz_realloc(void *, size_t);
void fuzz_free(void *);

/* ---- what the certifier is given ------------------------------------------- */

static jmp_buf end;
static VEC(void *) taken;

_Noreturn void fuzz_exit(int status)
{
  longjmp(end, status + 1);
}

void *fuzz_calloc(size_t count, size_t size)
{
  void *p = calloc(count, size);
  vec_push(&taken, p);
  return p;
}

static void forget(const void *p)
{
  for (size_t i = taken.len; p && i-- > 0;)
    if (taken.data[i] == p) {
      taken.data[i] = vec_last(&taken);
      taken.len--;
      break;
    }
}

/* Lists that grow stay: some belong to functions, which go on with them the next
** time.  The certifier itself runs once. */
void *fuzz_realloc(void *p, size_t size)
{
  forget(p);
  void *new = realloc(p, size);
  if (new)
    __lsan_ignore_object(new);
  return new;
}

void fuzz_free(void *p)
{
  forget(p);
  free(p);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
  (void)count;
  (void)words;
  return freopen("/dev/null", "w", stdout) ? 0 : 1;
}

/* ---- the file ------------------------------------------------------------------ */

static void gather(void *context, const char *bytes, size_t length)
{
  text_add_bytes(context, bytes, length);
}

static const uint8_t *end_of_part(const uint8_t *at, const uint8_t *last)
{
  const uint8_t *found = memchr(at, PART_END, (size_t)(last - at));
  return found ? found : last;
}

/* The blocks of an input, with how many states there are of each product. */
static void write_parts(const uint8_t *at, const uint8_t *last, text *out)
{
  uint64_t counts[BLOCKS_MOST] = {0};
  size_t parts = 0;
  text_add_bytes(out, "NUTCERT1", 8);
  for (size_t i = 0; at < last && i < BLOCKS_MOST; i++) {
    const uint8_t *stop = end_of_part(at, last);
    uint32_t kind = (uint32_t)i + 1, count = 0;
    if (i >= 2 && stop - at >= 2) {
      kind = *at++ % 8;
      count = *at++;
    }
    parts += kind == BLOCK_MARKS;
    if (kind == BLOCK_STATES || kind == BLOCK_PRODUCT)
      counts[parts] += count;
    write_block((block_kind)kind, count, at, (size_t)(stop - at), gather, out);
    at = stop < last ? stop + 1 : last;
  }
  write_block(BLOCK_END, 0, counts, (parts + 1) * sizeof *counts, gather, out);
}

static void certify(const text *file)
{
  static int descriptor = -1;
  static char name[64];
  if (descriptor < 0)
    descriptor = memfd_create("certificate", 0);
  DEMAND(descriptor >= 0 && !ftruncate(descriptor, 0));
  DEMAND(pwrite(descriptor, file->data, file->len, 0) == (ssize_t)file->len);
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  char *words[] = {"nutshell-certify", "--memory", "1M", name, NULL};
  int status = setjmp(end);
  if (!status)
    status = 1 + certify_main(4, words);
  DEMAND(status >= 1 && status <= RUN_STATUSES);
  for (size_t i = 0; i < taken.len; i++)
    free(taken.data[i]);
  vec_clear(&taken);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  static text file, model;
  text_clear(&file);
  text_clear(&model);
  if (length >= 8 && !memcmp(bytes, "NUTCERT1", 8))
    text_add_bytes(&file, (const char *)bytes, length);
  else
    write_parts(bytes, bytes + length, &file);
  const char *problem = certificate_model(file.data, file.len, &model);
  DEMAND(problem || model.len <= file.len * 2000);
  certify(&file);
  return 0;
}
