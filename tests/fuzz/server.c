/* Fuzz target: what clients send to our servers, as wild as the fuzzer can make
** it.  Built once for each of 'lsp', 'dap' and 'mcp' (FUZZ_NAME) by tools/fuzz,
** with all of the command line.
**
** The input is one message after the other, each in a line; they are put into
** the frames of the protocol, but for a line that begins with '!', which is sent
** as it is.  A conversation begins properly, with a document that is open.  The
** server runs in an empty folder but for one small model, and must come to its
** end.  The formatter must not change what it made before. */

#include "base/text/text.h"
#include "cli/commands.h"
#include "cli/lsp/pretty.h"
#include "cli/options.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char model[] = "byte x;\nactive proctype P() { do :: x < 3 -> x++ "
                            ":: else -> break od; assert(x < 3) }\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  static char folder[] = "/tmp/nutshell-fuzz-XXXXXX";
  (void)argc;
  (void)argv;
  FILE *file;
  if (!mkdtemp(folder) || chdir(folder) || !(file = fopen("m.pml", "w")))
    abort();
  fputs(model, file);
  fclose(file);
  return 0;
}

static void frame(text *out, const char *bytes, size_t length)
{
  bool lines = !strcmp(FUZZ_NAME, "mcp");
  if (length && *bytes == '!') {
    text_add_bytes(out, bytes + 1, length - 1);
    return;
  }
  if (!lines)
    text_printf(out, "Content-Length: %zu\r\n\r\n", length);
  text_add_bytes(out, bytes, length);
  if (lines)
    text_add_char(out, '\n');
}

static void begin(text *out)
{
  static const char *const lsp[] = {
      "{\"id\":0,\"method\":\"initialize\",\"params\":{\"rootUri\":"
      "\"file:///tmp\",\"initializationOptions\":{\"seconds\":0.05}}}",
      "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":"
      "{\"uri\":\"file:///tmp/m.pml\",\"text\":\"byte x;\\nactive proctype "
      "P() { x = 1 }\\nltl p { [] (x < 2) }\"}}}"};
  static const char *const dap[] = {
      "{\"seq\":1,\"type\":\"request\",\"command\":\"launch\",\"arguments\":"
      "{\"program\":\"m.pml\",\"seconds\":0.05}}"};
  if (!strcmp(FUZZ_NAME, "lsp"))
    for (size_t i = 0; i < sizeof lsp / sizeof lsp[0]; i++)
      frame(out, lsp[i], strlen(lsp[i]));
  if (!strcmp(FUZZ_NAME, "dap"))
    frame(out, dap[0], strlen(dap[0]));
}

static void converse(const text *input)
{
  options o = {0};
  static int nowhere = -1;
  int in = memfd_create("input", 0);
  if (nowhere < 0)
    nowhere = open("/dev/null", O_WRONLY);
  if (write(in, input->data, input->len) != (ssize_t)input->len ||
      lseek(in, 0, SEEK_SET) < 0)
    abort();
  dup2(in, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  close(in);
  if (!strcmp(FUZZ_NAME, "lsp"))
    command_lsp(&o);
  else if (!strcmp(FUZZ_NAME, "dap"))
    command_dap(&o);
  else
    command_mcp(&o);
}

static void format_twice(const char *bytes, size_t length, bool dve)
{
  text once = {0}, twice = {0};
  pretty_print(bytes, length, dve, &once);
  pretty_print(text_string(&once), once.len, dve, &twice);
  if (once.len != twice.len ||
      memcmp(text_string(&once), text_string(&twice), once.len) != 0) {
    fprintf(stderr, "broken promise: formatted twice is another text\n");
    abort();
  }
  text_free(&once);
  text_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  text input = {0};
  const char *at = (const char *)data, *end = at + size;
  begin(&input);
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    frame(&input, at, (size_t)(stop - at));
    at = stop + 1;
  }
  converse(&input);
  text_free(&input);
  if (!strcmp(FUZZ_NAME, "lsp")) {
    format_twice((const char *)data, size, false);
    format_twice((const char *)data, size, true);
  }
  return 0;
}
