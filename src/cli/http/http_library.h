/* The functions of libmicrohttpd, loaded when 'explore' starts: no other
** command needs the library, nor what it needs in its turn. */

#ifndef NUT_CLI_HTTP_HTTP_LIBRARY_H
#define NUT_CLI_HTTP_HTTP_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>

#define HTTP_FUNCTIONS(FUNCTION)                                               \
  FUNCTION(add_response_header)                                                \
  FUNCTION(create_response_from_buffer)                                        \
  FUNCTION(create_response_from_callback)                                      \
  FUNCTION(destroy_response)                                                   \
  FUNCTION(lookup_connection_value)                                            \
  FUNCTION(queue_response)                                                     \
  FUNCTION(start_daemon)                                                       \
  FUNCTION(stop_daemon)

typedef struct http_library {
#define HTTP_FIELD(name) __typeof__(&MHD_##name) name;
  HTTP_FUNCTIONS(HTTP_FIELD)
#undef HTTP_FIELD
} http_library;

extern http_library microhttpd;

/* False: it is not installed here.  It stays loaded. */
bool http_library_load(void);

#endif
