/* libmicrohttpd by its versioned name, from the system's folders alone. */

#ifdef NUT_HAS_MICROHTTPD

#include "cli/http/http_library.h"
#include <dlfcn.h>
#include <stddef.h>

#define LIBRARY "libmicrohttpd.so.12"

http_library microhttpd;

bool http_library_load(void)
{
  static const char *const names[] = {
#define HTTP_NAME(name) "MHD_" #name,
      HTTP_FUNCTIONS(HTTP_NAME)
#undef HTTP_NAME
  };
  void **const places[] = {
#define HTTP_PLACE(name) (void **)&microhttpd.name,
      HTTP_FUNCTIONS(HTTP_PLACE)
#undef HTTP_PLACE
  };
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!(*places[i] = dlsym(library, names[i])))
      return false;
  return true;
}

#else

typedef int http_library_is_not_here;

#endif
