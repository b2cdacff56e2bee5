/* HTTP by libmicrohttpd: who may ask, the files of the page, and events.
**
** Nobody is answered but who knows the token, and not even its page when a
** browser says that another page asks: names of hosts that were made to lead
** here are no names of ours, and a request with an origin must come from us. */

#include "cli/http/http.h"
#include "cli/output.h"

#ifndef NUT_HAS_MICROHTTPD

bool http_can_serve(void)
{
  return false;
}

http_service *http_serve(http_server *s, http_place *place)
{
  (void)s;
  (void)place;
  return NULL;
}

void http_stop(http_service *h)
{
  (void)h;
}

#else

#include "base/alloc.h"
#include "cli/formats/formats.h"
#include "cli/http/http_library.h"
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

struct http_service {
  http_server *server;
  http_place place;
  struct MHD_Daemon *daemon;
};

/* A request whose body is on its way. */
typedef struct incoming {
  http_service *service;
  struct MHD_Connection *connection;
  const char *method;
  text path, body;
  bool large;
  http_answer answer;
} incoming;

bool http_can_serve(void)
{
  return http_library_load();
}

/* ---- answers ------------------------------------------------------------ */

static const char policy[] =
    "default-src 'none'; script-src 'self'; connect-src 'self'; "
    "img-src 'self' blob: data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; style-src 'self' 'nonce-";

/* Up to 256 bytes come at once, and that is not interrupted. */
static void random_digits(char *out, size_t digits)
{
  unsigned char bytes[32];
  while (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    ;
  for (size_t i = 0; i < digits; i++)
    out[i] = "0123456789abcdef"[bytes[i] & 15];
  out[digits] = 0;
}

static void add_headers(struct MHD_Response *r, const char *type,
                        const char *nonce)
{
  text whole = {0};
  text_printf(&whole, "%s%s'", policy, nonce);
  microhttpd.add_response_header(r, "Content-Type", type);
  microhttpd.add_response_header(r, "Content-Security-Policy",
                                 text_string(&whole));
  microhttpd.add_response_header(r, "X-Content-Type-Options", "nosniff");
  microhttpd.add_response_header(r, "Referrer-Policy", "no-referrer");
  microhttpd.add_response_header(r, "Cross-Origin-Opener-Policy",
                                 "same-origin");
  microhttpd.add_response_header(r, "Cross-Origin-Resource-Policy",
                                 "same-origin");
  microhttpd.add_response_header(r, "Cache-Control", "no-store");
  text_free(&whole);
}

static enum MHD_Result send_bytes(struct MHD_Connection *c, unsigned status,
                                  const char *type, const char *nonce,
                                  const text *bytes)
{
  struct MHD_Response *r = microhttpd.create_response_from_buffer(
      bytes->len, (void *)text_string(bytes), MHD_RESPMEM_MUST_COPY);
  if (!r)
    return MHD_NO;
  add_headers(r, type, nonce);
  enum MHD_Result sent = microhttpd.queue_response(c, status, r);
  microhttpd.destroy_response(r);
  return sent;
}

static enum MHD_Result send_text(struct MHD_Connection *c, unsigned status,
                                 const char *words)
{
  text out = {0};
  text_printf(&out, "%s\n", words);
  enum MHD_Result sent =
      send_bytes(c, status, "text/plain; charset=utf-8", "-", &out);
  text_free(&out);
  return sent;
}

static enum MHD_Result send_answer(struct MHD_Connection *c, http_answer *a)
{
  char *words = a->body ? json_dumps(a->body, JSON_COMPACT) : NULL;
  if (words) {
    text_clear(&a->bytes);
    text_add(&a->bytes, words);
    a->type = "application/json";
  }
  free(words);
  return send_bytes(c, a->status, a->type, "-", &a->bytes);
}

/* ---- who may ask -------------------------------------------------------- */

static const char *header(struct MHD_Connection *c, const char *name)
{
  return microhttpd.lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* Whether a host is a number, and so no name that others can make lead here:
** "192.0.2.7" or "[fd00::7]". */
static bool is_number(const char *host, size_t length)
{
  unsigned char address[sizeof(struct in6_addr)];
  char copy[HTTP_HOST];
  bool six = length > 2 && host[0] == '[' && host[length - 1] == ']';
  if (length >= sizeof copy)
    return false;
  snprintf(copy, sizeof copy, "%.*s", (int)(length - 2 * six), host + six);
  return inet_pton(six ? AF_INET6 : AF_INET, copy, address) == 1;
}

static bool is_computer(const char *host, size_t length)
{
  char name[HOST_NAME_MAX + 1] = "";
  return !gethostname(name, sizeof name - 1) && strlen(name) == length &&
         !strncasecmp(host, name, length);
}

/* The address that was asked for; on this computer also "localhost:8080", and
** where it serves on all addresses any of them, and the computer's name. */
static bool is_our_host(const http_service *h, const char *given)
{
  const http_place *p = &h->place;
  char port[16];
  size_t n = given ? strlen(given) : 0;
  size_t end = (size_t)snprintf(port, sizeof port, ":%u", p->port);
  if (n <= end || strcmp(given + n - end, port) != 0)
    return false;
  n -= end;
  if (n == strlen(p->shown) && !strncmp(given, p->shown, n))
    return true;
  if (n == strlen("localhost") && !strncmp(given, "localhost", n))
    return p->here || p->anywhere;
  return p->anywhere && (is_number(given, n) || is_computer(given, n));
}

static bool is_our_origin(struct MHD_Connection *c)
{
  static const char scheme[] = "http://";
  const char *origin = header(c, "Origin"), *host = header(c, "Host");
  return !origin || (!strncmp(origin, scheme, sizeof scheme - 1) &&
                     !strcmp(origin + sizeof scheme - 1, host));
}

/* What browsers tell of who asks; one may go to the page from anywhere. */
static bool is_our_site(struct MHD_Connection *c, bool api)
{
  const char *site = header(c, "Sec-Fetch-Site");
  const char *mode = header(c, "Sec-Fetch-Mode");
  return !site || !strcmp(site, "same-origin") ||
         (!api &&
          (!strcmp(site, "none") || (mode && !strcmp(mode, "navigate"))));
}

/* In a time that does not depend on where they differ. */
static bool has_token(const http_service *h, struct MHD_Connection *c)
{
  static const char scheme[] = "Bearer ";
  const char *given = header(c, "Authorization");
  unsigned char differ = 0;
  if (!given || strncmp(given, scheme, sizeof scheme - 1) != 0 ||
      strlen(given) != sizeof scheme - 1 + HTTP_TOKEN - 1)
    return false;
  given += sizeof scheme - 1;
  for (size_t i = 0; i < HTTP_TOKEN - 1; i++)
    differ |= (unsigned char)(given[i] ^ h->place.token[i]);
  return !differ;
}

/* 200, or the status of the refusal. */
static unsigned judge(const http_service *h, struct MHD_Connection *c,
                      const char *method, bool api)
{
  const char *type = header(c, "Content-Type");
  bool post = !strcmp(method, "POST");
  if (!is_our_host(h, header(c, "Host")))
    return 421;
  if (!is_our_origin(c) || !is_our_site(c, api))
    return 403;
  if (api && !has_token(h, c))
    return 401;
  if (strcmp(method, "GET") != 0 && (!post || !api))
    return 405;
  if (post && (!type || strncmp(type, "application/json", 16) != 0))
    return 415;
  return 200;
}

/* ---- the page ----------------------------------------------------------- */

static bool read_page_file(const http_service *h, const char *name, text *out)
{
  text path = {0};
  char block[1 << 14];
  size_t n;
  text_printf(&path, "%s/%s", h->place.page, name);
  FILE *file = *h->place.page ? fopen(text_string(&path), "rbe") : NULL;
  text_free(&path);
  if (!file)
    return false;
  while ((n = fread(block, 1, sizeof block, file)) > 0)
    text_add_bytes(out, block, n);
  fclose(file);
  return true;
}

/* The styles that the page makes have a number that is new each time. */
static void put_nonce(text *page, const char *nonce)
{
  static const char mark[] = "@NONCE@";
  text out = {0};
  const char *at = text_string(page), *next;
  for (; (next = strstr(at, mark)); at = next + sizeof mark - 1) {
    text_add_bytes(&out, at, (size_t)(next - at));
    text_add(&out, nonce);
  }
  text_add(&out, at);
  text_free(page);
  *page = out;
}

static enum MHD_Result send_page(const http_service *h,
                                 struct MHD_Connection *c, const char *url)
{
  static const struct {
    const char *url, *file, *type;
  } files[] = {{"/", "index.html", "text/html; charset=utf-8"},
               {"/page.js", "page.js", "text/javascript; charset=utf-8"},
               {"/page.css", "page.css", "text/css; charset=utf-8"},
               {"/icon.svg", "icon.svg", "image/svg+xml"}};
  char nonce[33];
  text content = {0};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (strcmp(files[i].url, url) != 0)
      continue;
    if (!read_page_file(h, files[i].file, &content))
      return send_text(c, 404, "The page is not built: tools/install --page");
    random_digits(nonce, 32);
    if (i == 0)
      put_nonce(&content, nonce);
    enum MHD_Result sent = send_bytes(c, 200, files[i].type, nonce, &content);
    text_free(&content);
    return sent;
  }
  return send_text(c, 404, "There is nothing of this name.");
}

/* ---- the API ------------------------------------------------------------ */

static const char *query(void *connection, const char *key)
{
  return microhttpd.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND,
                                            key);
}

/* Cuts the path, which is changed, at its slashes. */
static bool cut_path(char *path, http_request *r)
{
  for (char *at = path; *at;) {
    char *end = at + strcspn(at, "/");
    bool last = !*end;
    *end = 0;
    if (r->part_count == HTTP_PARTS || !*at)
      return false;
    r->parts[r->part_count++] = at;
    at = last ? end : end + 1;
  }
  return true;
}

static void do_answer(void *what)
{
  incoming *in = what;
  http_request r = {
      .method = in->method, .query = query, .context = in->connection};
  json_t *body = in->body.len && !in->large
                     ? json_loadb(text_string(&in->body), in->body.len, 0, NULL)
                     : NULL;
  in->answer.status = 200;
  if (in->large)
    http_refuse(&in->answer, 413, "that is too much");
  else if (in->body.len && !json_is_object(body))
    http_refuse(&in->answer, 400, "the body is no object in JSON");
  else if (!cut_path(in->path.data ? in->path.data : "", &r))
    http_refuse(&in->answer, 404, "there is nothing of this name");
  else {
    r.body = body;
    http_answer_request(in->service->server, &r, &in->answer);
  }
  json_decref(body);
}

typedef struct listening {
  http_server *server;
  http_check *check;
  uint64_t seen;
  text waiting;
  size_t sent;
} listening;

static ssize_t read_events(void *what, uint64_t position, char *out,
                           size_t most)
{
  listening *l = what;
  (void)position;
  if (l->sent == l->waiting.len) {
    text_clear(&l->waiting);
    l->sent = 0;
    if (!http_check_event(l->server, l->check, &l->seen, &l->waiting))
      return MHD_CONTENT_READER_END_OF_STREAM;
  }
  size_t n = l->waiting.len - l->sent;
  if (n > most)
    n = most;
  memcpy(out, text_string(&l->waiting) + l->sent, n);
  l->sent += n;
  return (ssize_t)n;
}

static void end_events(void *what)
{
  listening *l = what;
  http_check_leave(l->server, l->check);
  text_free(&l->waiting);
  mem_free(l, sizeof *l);
}

static enum MHD_Result send_events(const http_service *h,
                                   struct MHD_Connection *c, const char *id)
{
  enum { BLOCK = 4096 };
  http_check *check = http_check_listen(h->server, id);
  if (!check)
    return send_text(c, 404, "there is no check of this name");
  listening *l = mem_alloc(sizeof *l);
  *l = (listening){.server = h->server, .check = check};
  struct MHD_Response *r = microhttpd.create_response_from_callback(
      MHD_SIZE_UNKNOWN, BLOCK, read_events, l, end_events);
  if (!r) {
    end_events(l);
    return MHD_NO;
  }
  add_headers(r, "text/event-stream", "-");
  enum MHD_Result sent = microhttpd.queue_response(c, 200, r);
  microhttpd.destroy_response(r);
  return sent;
}

/* The id in "checks/ID/events"; false: it is another path. */
static bool is_events(const char *path, char id[HTTP_ID])
{
  static const char before[] = "checks/", behind[] = "/events";
  size_t n = strlen(path), a = sizeof before - 1, b = sizeof behind - 1;
  if (n <= a + b || n - a - b >= HTTP_ID || strncmp(path, before, a) != 0 ||
      strcmp(path + n - b, behind) != 0)
    return false;
  snprintf(id, HTTP_ID, "%.*s", (int)(n - a - b), path + a);
  return true;
}

static enum MHD_Result answer(incoming *in)
{
  char id[HTTP_ID];
  if (!strcmp(in->method, "GET") && is_events(text_string(&in->path), id))
    return send_events(in->service, in->connection, id);
  if (!mem_protect(do_answer, in))
    return send_text(in->connection, 503, "there is not enough memory");
  return send_answer(in->connection, &in->answer);
}

/* ---- connections -------------------------------------------------------- */

static const char prefix[] = "/api/v1/";

static enum MHD_Result begin(http_service *h, struct MHD_Connection *c,
                             const char *url, const char *method, void **kept)
{
  bool api = !strncmp(url, "/api/", 5);
  unsigned status = judge(h, c, method, api);
  if (status != 200)
    return send_text(c, status, "refused");
  if (!api)
    return send_page(h, c, url);
  if (strncmp(url, prefix, sizeof prefix - 1) != 0)
    return send_text(c, 404, "there is no such version of the API");
  incoming *in = mem_alloc(sizeof *in);
  *in = (incoming){.service = h, .connection = c};
  in->method = !strcmp(method, "POST") ? "POST" : "GET";
  text_add(&in->path, url + sizeof prefix - 1);
  *kept = in;
  return MHD_YES;
}

static enum MHD_Result take(void *service, struct MHD_Connection *c,
                            const char *url, const char *method,
                            const char *version, const char *bytes,
                            size_t *count, void **kept)
{
  (void)version;
  incoming *in = *kept;
  if (!in)
    return begin(service, c, url, method, kept);
  if (*count) {
    if (in->body.len + *count > HTTP_BODY_MOST)
      in->large = true;
    else
      text_add_bytes(&in->body, bytes, *count);
    *count = 0;
    return MHD_YES;
  }
  return answer(in);
}

static void end(void *service, struct MHD_Connection *c, void **kept,
                enum MHD_RequestTerminationCode why)
{
  incoming *in = *kept;
  (void)service;
  (void)c;
  (void)why;
  if (!in)
    return;
  json_decref(in->answer.body);
  text_free(&in->answer.bytes);
  text_free(&in->path);
  text_free(&in->body);
  mem_free(in, sizeof *in);
  *kept = NULL;
}

/* ---- the service -------------------------------------------------------- */

/* An address to listen at, and what there is to know of it.  False: it is
** none.  Names are not looked up: who answers decides what they lead to. */
static bool read_address(http_place *p, struct sockaddr_storage *out)
{
  struct sockaddr_in *four = (struct sockaddr_in *)out;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)out;
  bool named = !strcmp(p->host, "localhost");
  size_t length = strlen(p->host);
  memset(out, 0, sizeof *out);
  snprintf(p->shown, sizeof p->shown, "%s", p->host);
  if (inet_pton(AF_INET, named ? "127.0.0.1" : p->host, &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons((uint16_t)p->port);
    p->here = ntohl(four->sin_addr.s_addr) >> 24 == 127;
    p->anywhere = !four->sin_addr.s_addr;
    return true;
  }
  if (p->host[0] == '[' && length < sizeof p->shown &&
      p->host[length - 1] == ']')
    snprintf(p->shown, sizeof p->shown, "%.*s", (int)length - 2, p->host + 1);
  if (inet_pton(AF_INET6, p->shown, &six->sin6_addr) != 1)
    return false;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons((uint16_t)p->port);
  p->here = IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
  p->anywhere = IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr);
  char words[INET6_ADDRSTRLEN]; /* as browsers write it */
  inet_ntop(AF_INET6, &six->sin6_addr, words, sizeof words);
  snprintf(p->shown, sizeof p->shown, "[%s]", words);
  return true;
}

/* A socket that listens there; tells the port that was found.  -1: none. */
static int listen_at(struct sockaddr_storage *at, unsigned *port)
{
  bool six = at->ss_family == AF_INET6;
  socklen_t length =
      six ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  int on = 1, one = socket(at->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (one < 0)
    return -1;
  setsockopt(one, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(one, (struct sockaddr *)at, length) || listen(one, 64) ||
      getsockname(one, (struct sockaddr *)at, &length)) {
    int problem = errno;
    close(one);
    errno = problem;
    return -1;
  }
  *port = ntohs(six ? ((struct sockaddr_in6 *)at)->sin6_port
                    : ((struct sockaddr_in *)at)->sin_port);
  return one;
}

/* Signals are for the thread that waits for them. */
static struct MHD_Daemon *start_daemon(http_service *h, int door)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct MHD_Daemon *d = microhttpd.start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL,
      NULL, take, h, MHD_OPTION_LISTEN_SOCKET, door,
      MHD_OPTION_NOTIFY_COMPLETED, end, NULL, MHD_OPTION_CONNECTION_LIMIT, 64u,
      MHD_OPTION_CONNECTION_TIMEOUT, 300u, MHD_OPTION_END);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return d;
}

http_service *http_serve(http_server *s, http_place *place)
{
  struct sockaddr_storage at;
  if (!read_address(place, &at)) {
    complain("--host %s: this is no address such as 127.0.0.1 or ::1, nor "
             "'localhost'",
             place->host);
    return NULL;
  }
  http_service *h = mem_alloc(sizeof *h);
  random_digits(place->token, HTTP_TOKEN - 1);
  int door = listen_at(&at, &place->port);
  *h = (http_service){.server = s, .place = *place};
  h->daemon = door < 0 ? NULL : start_daemon(h, door);
  if (h->daemon)
    return h;
  complain("cannot serve on %s port %u: %s", place->shown, place->port,
           strerror(errno));
  if (door >= 0)
    close(door);
  mem_free(h, sizeof *h);
  return NULL;
}

void http_stop(http_service *h)
{
  if (!h)
    return;
  pthread_mutex_lock(&h->server->lock);
  h->server->closing = true;
  for (size_t i = 0; i < h->server->models.len; i++)
    nut_cancel(h->server->models.data[i]->workspace);
  pthread_mutex_unlock(&h->server->lock);
  microhttpd.stop_daemon(h->daemon);
  mem_free(h, sizeof *h);
}

#endif
