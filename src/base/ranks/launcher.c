/* Launchers are known by what they leave in the environment.  The module for
** their library lies beside the program, or where it was installed. */

#include "base/ranks/launcher.h"

#include "base/ranks/carrier_sockets.h"
#include "base/system/cores.h"
#include "base/text/text.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A number of the environment; false: it is not there. */
static bool get_number(const char *name, uint32_t *number)
{
  const char *word = getenv(name);
  char *end;
  if (!word || !*word)
    return false;
  unsigned long value = strtoul(word, &end, 10);
  *number = (uint32_t)value;
  return !*end && value < UINT32_MAX;
}

static bool find_sockets(launch *l)
{
  const char *word = getenv(CARRIER_SOCKETS);
  if (!word)
    return false;
  l->own = (uint32_t)strtoul(word, NULL, 10);
  l->count = 1;
  for (; *word; word++)
    l->count += *word == ',';
  l->library = "sockets";
  return true;
}

bool launcher_find(launch *l)
{
  static const struct {
    const char *own, *count, *library;
  } known[] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "openmpi"},
      {"PMI_RANK", "PMI_SIZE", "mpich"},
      {"PMIX_RANK", "SLURM_NTASKS", "openmpi"},
  };
  if (find_sockets(l))
    return l->count > 1;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (get_number(known[i].own, &l->own) &&
        get_number(known[i].count, &l->count)) {
      l->library = known[i].library;
      return l->count > 1;
    }
  return false;
}

/* Where modules lie, seen from the folder of the program. */
static const char *const places[] = {"", "../lib/nutshell/"};

static void *load(const char *library)
{
  char program[PATH_MAX];
  void *module = NULL;
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  if (n <= 0)
    return NULL;
  program[n] = 0;
  *(strrchr(program, '/') + 1) = 0;
  for (size_t i = 0; !module && i < sizeof places / sizeof *places; i++) {
    text path = {0};
    text_printf(&path, "%s%snutshell-%s.so", program, places[i], library);
    /* Open MPI loads parts of itself that look for the rest of it. */
    module = dlopen(text_string(&path), RTLD_NOW | RTLD_GLOBAL);
    text_free(&path);
  }
  return module;
}

static const carrier_class *find_class(const char *library, const char **why)
{
  if (!strcmp(library, "sockets"))
    return &carrier_sockets;
  void *module = load(library);
  const carrier_class *class = module ? dlsym(module, CARRIER_SYMBOL) : NULL;
  if (!class)
    *why = "the module for this MPI library is not there, or does not load";
  else if (class->version != CARRIER_VERSION)
    *why = "the module for this MPI library is of another version";
  else
    return class;
  return NULL;
}

/* Whether each rank of this machine has a core; not if that is not told.  Which
** ones they are bound to does not matter: others have others. */
static bool has_core(void)
{
  long cores = sysconf(_SC_NPROCESSORS_ONLN), quota = cores_of_groups("");
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE",
                                      "MPI_LOCALNRANKS"};
  uint32_t here;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (get_number(names[i], &here))
      return here <= (cores < quota ? cores : quota);
  return false;
}

ranks *launcher_join(const launch *l, const char **why)
{
  const carrier_class *class = find_class(l->library, why);
  ranks_settings settings = {.has_core = has_core()};
  carrier *c = class ? class->start(why) : NULL;
  get_number(LAUNCHER_MESSAGE, &settings.message_bytes);
  get_number(LAUNCHER_AFTER, &settings.spread_after);
  get_number(LAUNCHER_DISK, &settings.disk_bytes);
  get_number(LAUNCHER_KEEP, &settings.kept_batches);
  get_number(LAUNCHER_LEG, &settings.kept_files);
  return c ? ranks_create(class, c, &settings) : NULL;
}
