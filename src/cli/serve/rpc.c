/* Frames of messages, read and written; answers. */

#include "cli/serve/rpc.h"
#include "cli/interrupt.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { HEADER_MOST = 4096, READ_BYTES = 1 << 16 };

void rpc_open(rpc *r, rpc_frame frame, int to)
{
  *r = (rpc){.frame = frame, .to = to};
  pthread_mutex_init(&r->lock, NULL);
}

void rpc_close(rpc *r)
{
  text_free(&r->in);
  pthread_mutex_destroy(&r->lock);
}

void rpc_feed(rpc *r, const char *bytes, size_t count)
{
  if (r->used) {
    memmove(r->in.data, r->in.data + r->used, r->in.len - r->used);
    r->in.len -= r->used;
    r->used = 0;
  }
  text_add_bytes(&r->in, bytes, count);
}

static rpc_result parse(const char *bytes, size_t length, json_t **message)
{
  *message = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
  return *message ? RPC_MESSAGE : RPC_WRONG;
}

static rpc_result take_line(rpc *r, json_t **message)
{
  const char *start = text_string(&r->in) + r->used;
  size_t left = r->in.len - r->used;
  const char *end = left ? memchr(start, '\n', left) : NULL;
  if (!end && r->complete && left)
    end = start + left;
  if (!end)
    return left > RPC_MOST ? RPC_BROKEN : RPC_MORE;
  size_t length = (size_t)(end - start);
  r->used += length < left ? length + 1 : length;
  if (length > RPC_MOST)
    return RPC_BROKEN;
  while (length && (start[length - 1] == '\r' || start[length - 1] == ' '))
    length--;
  return length ? parse(start, length, message) : take_line(r, message);
}

/* The number behind "Content-Length:"; false: there is none, or a bad one. */
static bool read_length(const char *header, size_t size, size_t *length)
{
  static const char name[] = "Content-Length:";
  size_t n = sizeof name - 1;
  for (size_t at = 0; at + n < size; at++) {
    bool begins = at == 0 || header[at - 1] == '\n';
    if (!begins || strncasecmp(header + at, name, n) != 0)
      continue;
    char *end;
    errno = 0;
    unsigned long value = strtoul(header + at + n, &end, 10);
    bool digits = end > header + at + n && (*end == '\r' || *end == ' ');
    *length = value;
    return digits && !errno && value <= RPC_MOST &&
           !memchr(header + at + n, '-', (size_t)(end - header) - at - n);
  }
  return false;
}

static rpc_result take_headed(rpc *r, json_t **message)
{
  const char *start = text_string(&r->in) + r->used;
  size_t left = r->in.len - r->used, length = 0;
  const char *end = left ? memmem(start, left, "\r\n\r\n", 4) : NULL;
  if (!end)
    return left > HEADER_MOST ? RPC_BROKEN : RPC_MORE;
  size_t header = (size_t)(end - start) + 4;
  if (header > HEADER_MOST || !read_length(start, header, &length))
    return RPC_BROKEN;
  if (left - header < length)
    return RPC_MORE;
  r->used += header + length;
  return parse(start + header, length, message);
}

rpc_result rpc_take(rpc *r, json_t **message)
{
  *message = NULL;
  return r->frame == RPC_LINES ? take_line(r, message)
                               : take_headed(r, message);
}

json_t *rpc_wait(rpc *r, int from)
{
  char bytes[READ_BYTES];
  json_t *message;
  for (;;) {
    rpc_result found = rpc_take(r, &message);
    if (found == RPC_MESSAGE)
      return message;
    if (found == RPC_BROKEN || r->failed)
      return NULL;
    if (found == RPC_WRONG) {
      rpc_refuse(r, NULL, RPC_NOT_JSON, "this is not JSON");
      continue;
    }
    if (r->complete || interrupt_flag)
      return NULL;
    ssize_t n = read(from, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
      continue;
    r->complete = n <= 0;
    if (n > 0)
      rpc_feed(r, bytes, (size_t)n);
  }
}

/* ---- writing ------------------------------------------------------------ */

static bool write_all(int to, const char *bytes, size_t count)
{
  while (count) {
    ssize_t n = write(to, bytes, count);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    bytes += n;
    count -= (size_t)n;
  }
  return true;
}

void rpc_send(rpc *r, json_t *message)
{
  char *body = message ? json_dumps(message, JSON_COMPACT) : NULL;
  size_t length = body ? strlen(body) : 0;
  text out = {0};
  if (body && r->frame == RPC_HEADERS)
    text_printf(&out, "Content-Length: %zu\r\n\r\n", length);
  if (body)
    text_add_bytes(&out, body, length);
  if (body && r->frame == RPC_LINES)
    text_add_char(&out, '\n');
  pthread_mutex_lock(&r->lock);
  if (out.len && !write_all(r->to, out.data, out.len))
    r->failed = true;
  pthread_mutex_unlock(&r->lock);
  text_free(&out);
  free(body);
  json_decref(message);
}

static json_t *id_of(const json_t *id)
{
  return id ? json_deep_copy(id) : json_null();
}

void rpc_answer(rpc *r, const json_t *id, json_t *result)
{
  rpc_send(r, json_pack("{s:s,s:o,s:o}", "jsonrpc", "2.0", "id", id_of(id),
                        "result", result ? result : json_null()));
}

void rpc_refuse(rpc *r, const json_t *id, int code, const char *why)
{
  rpc_send(r, json_pack("{s:s,s:o,s:{s:i,s:s}}", "jsonrpc", "2.0", "id",
                        id_of(id), "error", "code", code, "message", why));
}

void rpc_notify(rpc *r, const char *method, json_t *parameters)
{
  rpc_send(r, json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method,
                        "params", parameters));
}
