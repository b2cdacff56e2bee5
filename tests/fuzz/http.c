/* Fuzz target: requests to the server of the page, behind HTTP itself, which is
** a library's.
**
** The input is one request after the other, each in a line: method, path, and a
** body in JSON, as in
**
**   POST models/$M/runs {"choices": [0, 1]}
**   GET models/$M/runs/$R/steps?from=1&count=2
**
** $M, $R and $C stand for the model, the run and the check of which an answer
** told last.  What a check finds is waited for when it is asked for.  The server
** has one small model in an empty folder, a twentieth of a second for each
** request, and little memory; each request must be answered. */

#include "cli/http/http.h"
#include "cli/common.h"
#include "cli/options.h"
#include "demand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD = 40, REQUESTS_MOST = 64 };

static const char model[] =
    "byte x; chan c = [2] of { byte };\n"
    "active proctype P() { do :: x < 3 -> x++; c!x :: else -> break od; "
    "assert(x < 3) }\n"
    "active proctype Q() { byte y; do :: atomic { c?y; y = 0 } od }\n"
    "ltl p { <> (x == 3) }\n";

typedef struct talk {
  http_server *server;
  char model[WORD], run[WORD], check[WORD];
} talk;

typedef struct query {
  char *pairs; /* "a=1&b=2" */
  char value[200];
} query;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static void write_model(void)
{
  FILE *file = fopen("m.pml", "w");
  if (!file)
    abort();
  fputs(model, file);
  fclose(file);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  static char folder[] = "/tmp/nutshell-fuzz-XXXXXX";
  (void)argc;
  (void)argv;
  if (!mkdtemp(folder) || chdir(folder))
    abort();
  return 0;
}

static const char *ask_query(void *context, const char *key)
{
  query *q = context;
  size_t n = strlen(key);
  for (const char *at = q->pairs; at; at = strchr(at, '&')) {
    at += *at == '&';
    if (strncmp(at, key, n) != 0 || at[n] != '=')
      continue;
    snprintf(q->value, sizeof q->value, "%.*s", (int)strcspn(at + n + 1, "&"),
             at + n + 1);
    return q->value;
  }
  return NULL;
}

/* The ids that the answer tells. */
static void note_ids(talk *t, const http_request *r, const json_t *body)
{
  const char *id = http_text(body, "id");
  char *to = !r->part_count                   ? NULL
             : !strcmp(r->parts[0], "checks") ? t->check
             : r->part_count < 3              ? t->model
             : !strcmp(r->parts[2], "runs")   ? t->run
             : !strcmp(r->parts[2], "checks") ? t->check
                                              : NULL;
  if (id && to)
    snprintf(to, WORD, "%s", id);
}

static void answer(talk *t, const http_request *r)
{
  http_answer a = {0};
  http_answer_request(t->server, r, &a);
  DEMAND(a.status >= 200 && a.status <= 599 && (a.body || a.type));
  note_ids(t, r, a.body);
  json_decref(a.body);
  text_free(&a.bytes);
}

static const char *id_for(const talk *t, const char *part)
{
  return !strcmp(part, "$M")   ? t->model
         : !strcmp(part, "$R") ? t->run
         : !strcmp(part, "$C") ? t->check
                               : part;
}

static void split_path(const talk *t, char *path, http_request *r)
{
  for (char *part = strtok(path, "/"); part && r->part_count < HTTP_PARTS;
       part = strtok(NULL, "/"))
    r->parts[r->part_count++] = id_for(t, part);
}

static void wait_for_check(talk *t)
{
  http_check *c = http_check_listen(t->server, t->check);
  uint64_t seen = 0;
  text events = {0};
  while (c && http_check_event(t->server, c, &seen, &events))
    ;
  if (c)
    http_check_leave(t->server, c);
  text_free(&events);
}

/* METHOD PATH[?QUERY] [BODY] */
static void request(talk *t, char *line)
{
  char *path = strchr(line, ' ');
  if (!path)
    return;
  *path++ = 0;
  char *body = strchr(path, ' ');
  if (body)
    *body++ = 0;
  query q = {.pairs = strchr(path, '?')};
  if (q.pairs)
    *q.pairs++ = 0;
  http_request r = {.method = line, .query = ask_query, .context = &q};
  split_path(t, path, &r);
  json_t *given = body ? json_loads(body, 0, NULL) : NULL;
  r.body = json_is_object(given) ? given : NULL;
  if (r.part_count == 2 && r.parts[1] == t->check)
    wait_for_check(t);
  answer(t, &r);
  json_decref(given);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  options o = {0};
  o.load.seconds = 0.05;
  o.load.memory_bytes = 64 << 20;
  vec_push(&o.files, "m.pml");
  write_model();
  talk t = {.server = http_open(&o)};
  char *lines = strndup((const char *)data, size), *rest = lines;
  if (!t.server || !lines)
    abort();
  char first[] = "GET model";
  request(&t, first);
  for (int i = 0; rest && i < REQUESTS_MOST; i++)
    request(&t, strsep(&rest, "\n"));
  free(lines);
  http_close(t.server);
  vec_free(&o.files);
  return 0;
}
