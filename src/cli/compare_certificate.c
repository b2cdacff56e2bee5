/* 'certificate': is a certificate one of this model? */

#include "base/source/source.h"
#include "cli/common.h"
#include "cli/output.h"

static int compare(nut_workspace *w, const char *path)
{
  sources *files = sources_create();
  const char *error = NULL;
  size_t length = 0;
  int status = STATUS_HOLDS;
  uint32_t file = source_read(files, path, &error);
  if (!file) {
    status = complain("%s", error);
  } else {
    const char *bytes = source_text(files, file, &length);
    if (!nut_certificate_matches(w, bytes, length))
      status = tell_problem(w);
  }
  sources_destroy(files);
  return status;
}

int command_certificate(const options *o)
{
  int status;
  options model = *o;
  const char *path = o->files.data[0];
  model.files.data = o->files.data + 1;
  model.files.len = o->files.len - 1;
  nut_workspace *w = open_model(&model, &status);
  if (!w)
    return status;
  status = compare(w, path);
  if (status == STATUS_HOLDS)
    say("%s: the certificate is of this model\n", model.files.data[0]);
  nut_close(w);
  return status;
}
