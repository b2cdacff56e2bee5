/* Which request is answered by whom. */

#include "base/alloc.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/http/http.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void http_refuse(http_answer *a, unsigned status, const char *format, ...)
{
  text said = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&said, format, args);
  va_end(args);
  json_decref(a->body);
  a->status = status;
  a->body = json_pack("{s:o}", "error", json_lines(text_string(&said)));
  text_free(&said);
}

uint64_t http_number(const http_request *r, const char *key, uint64_t usual)
{
  const char *given = r->query(r->context, key);
  char *end;
  if (!given || !*given || *given == '-')
    return usual;
  unsigned long long value = strtoull(given, &end, 10);
  return *end ? usual : value;
}

const char *http_text(const json_t *j, const char *key)
{
  return json_string_value(json_object_get(j, key));
}

bool http_fields(const http_request *r, http_answer *a,
                 const char *const *names)
{
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)r->body, key, value)
  {
    size_t i = 0;
    while (names[i] && strcmp(names[i], key) != 0)
      i++;
    if (!names[i]) {
      http_refuse(a, 400, "there is no field '%s' here", key);
      return false;
    }
  }
  return true;
}

static void tell_server(const http_server *s, http_answer *a)
{
  a->body =
      json_pack("{s:s,s:i,s:o,s:b,s:f,s:I}", "nutshell", nut_version(), "api",
                1, "file", json_shown(s->file), "allow_c", s->load.allow_c,
                "seconds", s->options->load.seconds, "memory_bytes",
                (json_int_t)s->options->load.memory_bytes);
}

static bool is_part(const http_request *r, size_t i, const char *word)
{
  return i < r->part_count && !strcmp(r->parts[i], word);
}

static void model_request(http_server *s, const http_request *r, http_answer *a,
                          bool get, bool post)
{
  size_t n = r->part_count;
  if (n == 1 && post)
    http_model_post(s, r, a);
  else if (n == 2 && get)
    http_model_get(s, r, a);
  else if (n == 3 && is_part(r, 2, "save") && post)
    http_model_save(s, r, a);
  else if (n == 3 && is_part(r, 2, "drawing") && get)
    http_model_drawing(s, r, a);
  else if (n == 3 && is_part(r, 2, "checks") && post)
    http_check_start(s, r, a);
  else if (n == 4 && is_part(r, 2, "states") && get)
    http_model_state(s, r, a);
  else if (n >= 3 && is_part(r, 2, "runs"))
    http_runs_request(s, r, a);
  else
    http_refuse(a, 404, "there is nothing of this name");
}

void http_answer_request(http_server *s, const http_request *r, http_answer *a)
{
  bool get = !strcmp(r->method, "GET"), post = !strcmp(r->method, "POST");
  a->status = 200;
  a->type = "application/json";
  if (!r->part_count && get)
    tell_server(s, a);
  else if (r->part_count == 1 && is_part(r, 0, "model") && get)
    http_model_read(s, a);
  else if (is_part(r, 0, "models"))
    model_request(s, r, a, get, post);
  else if (is_part(r, 0, "checks") && r->part_count >= 2)
    http_checks_request(s, r, a);
  else
    http_refuse(a, 404, "there is nothing of this name");
}
