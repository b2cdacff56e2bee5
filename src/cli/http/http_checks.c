/* Checks of the page: each in a thread, with a workspace and limits of its own,
** told by events, and cancelled when nobody listens any more. */

#include "base/alloc.h"
#include "cli/common.h"
#include "cli/formats/formats.h"
#include "cli/http/http.h"
#include "cli/serve/model_rows.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES_MOST = 400, LISTS = 5 };
static const double SECONDS_USUAL = 600;
enum { MEGABYTES_USUAL = 4096 };

typedef struct sample {
  double seconds;
  uint64_t states, transitions, memory, waiting, depth;
} sample;

struct http_check {
  char id[HTTP_ID];
  http_server *server;
  pthread_t thread;
  bool started; /* the thread must be joined */
  json_t *asked;
  text content;
  /* Under the lock: */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  nut_workspace *workspace;
  nut_result *result; /* once it is done */
  json_t *report;     /* of the result */
  VEC(sample) samples;
  double next_sample; /* seconds */
  double step;        /* between samples */
  nut_progress progress;
  uint64_t version; /* grows with each change */
  bool cancelled, done;
  text problem;
  unsigned listeners; /* under the lock of the server, with */
  unsigned users;
};

/* ---- what is asked ------------------------------------------------------ */

static const char *const fields[] = {
    "properties", "ltl",      "ctl",       "invariants", "reach",
    "fair",       "shortest", "coverage",  "explain",    "no_deadlock",
    "all_errors", "seconds",  "memory_mb", NULL};

static bool is_text_list(const json_t *j)
{
  const json_t *one;
  size_t i;
  if (!json_is_array(j))
    return false;
  json_array_foreach(j, i, one) if (!json_is_string(one)) return false;
  return true;
}

/* Whether the fields are what they should be; refuses otherwise. */
static bool is_good_question(const json_t *b, http_answer *a)
{
  static const char *const flags[] = {"shortest", "coverage", "explain",
                                      "no_deadlock", "all_errors"};
  for (size_t i = 0; i < LISTS; i++) {
    const json_t *list = json_object_get(b, fields[i]);
    if (list && !is_text_list(list)) {
      http_refuse(a, 400, "'%s' is a list of texts", fields[i]);
      return false;
    }
  }
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    const json_t *flag = json_object_get(b, flags[i]);
    if (flag && !json_is_boolean(flag)) {
      http_refuse(a, 400, "'%s' is true or false", flags[i]);
      return false;
    }
  }
  return true;
}

static size_t read_list(const json_t *b, const char *key,
                        const char *const **out)
{
  const json_t *list = json_object_get(b, key), *one;
  size_t i, n = json_array_size(list);
  const char **words = mem_alloc((n + 1) * sizeof *words);
  json_array_foreach(list, i, one) words[i] = json_string_value(one);
  *out = words;
  return n;
}

static void free_list(const char *const *words, size_t n)
{
  mem_free((void *)words, (n + 1) * sizeof *words);
}

static nut_fair fairness(const json_t *b)
{
  const char *given = http_text(b, "fair");
#define CHOICE(name, word)                                                     \
  if (given && !strcmp(given, word))                                           \
    return name;
  NUT_FAIRS(CHOICE)
#undef CHOICE
  return NUT_FAIR_NONE;
}

/* The smaller of what is asked for and what the command line allows. */
static double limit_of(const json_t *b, const char *key, double allowed,
                       double usual)
{
  double asked = json_number_value(json_object_get(b, key));
  double most = allowed > 0 ? allowed : asked > 0 ? asked : usual;
  return asked > 0 && asked < most ? asked : most;
}

/* ---- the thread --------------------------------------------------------- */

/* Every second sample goes when there are too many. */
static void thin_out(http_check *c)
{
  size_t kept = 0;
  for (size_t i = 0; i < c->samples.len; i += 2)
    c->samples.data[kept++] = c->samples.data[i];
  c->samples.len = kept;
  c->step *= 2;
}

static void add_sample(http_check *c, const nut_progress *p)
{
  if (p->seconds < c->next_sample)
    return;
  vec_push(&c->samples, ((sample){p->seconds, p->states, p->transitions,
                                  p->memory_bytes, p->waiting, p->depth}));
  if (c->samples.len >= SAMPLES_MOST)
    thin_out(c);
  c->next_sample = p->seconds + c->step;
}

static void on_progress(void *check, const nut_progress *p)
{
  http_check *c = check;
  pthread_mutex_lock(&c->lock);
  c->progress = *p;
  add_sample(c, p);
  c->version++;
  pthread_cond_broadcast(&c->changed);
  pthread_mutex_unlock(&c->lock);
}

static nut_result *run_check(http_check *c, nut_workspace *w)
{
  const json_t *b = c->asked;
  const nut_load *allowed = &c->server->options->load;
  nut_options o = nut_default_options();
  o.property_count = read_list(b, "properties", &o.properties);
  o.ltl_count = read_list(b, "ltl", &o.ltl);
  o.ctl_count = read_list(b, "ctl", &o.ctl);
  o.invariant_count = read_list(b, "invariants", &o.invariants);
  o.reach_count = read_list(b, "reach", &o.reach);
  o.fair = fairness(b);
  o.shortest = json_is_true(json_object_get(b, "shortest"));
  o.coverage = json_is_true(json_object_get(b, "coverage"));
  o.explain = json_is_true(json_object_get(b, "explain"));
  if (json_is_true(json_object_get(b, "all_errors")))
    o.max_errors = 0;
  o.deadlocks = !json_is_true(json_object_get(b, "no_deadlock"));
  o.check_overflow = c->server->options->check.check_overflow;
  o.seconds = limit_of(b, "seconds", allowed->seconds, SECONDS_USUAL);
  o.memory_bytes =
      (uint64_t)(limit_of(b, "memory_mb", (double)(allowed->memory_bytes >> 20),
                          MEGABYTES_USUAL) *
                 (1 << 20));
  o.on_progress = on_progress;
  o.on_growth = on_progress;
  o.context = o.growth_context = c;
  nut_result *r = nut_check(nut_workspace_model(w), &o);
  free_list(o.properties, o.property_count);
  free_list(o.ltl, o.ltl_count);
  free_list(o.ctl, o.ctl_count);
  free_list(o.invariants, o.invariant_count);
  free_list(o.reach, o.reach_count);
  return r;
}

/* The report, with the number of runs that show each property. */
static json_t *report_of(const nut_result *r)
{
  text out = {0};
  json_t *j = NULL, *property;
  size_t i;
  if (nut_result_text(r, NUT_JSON, (nut_style){0}, gather_text, &out))
    j = json_loadb(text_string(&out), out.len, 0, NULL);
  text_free(&out);
  json_array_foreach(json_object_get(j, "properties"), i, property)
  {
    const nut_trace *t;
    json_t *names = json_array();
    for (size_t k = 0; (t = nut_result_trace(r, i, k)); k++)
      json_array_append_new(names, json_shown(nut_trace_name(t)));
    json_put(property, "runs", names);
  }
  return j;
}

static void finish(http_check *c, nut_result *r)
{
  json_t *report =
      r && nut_result_verdict(r) != NUT_ERROR ? report_of(r) : NULL;
  pthread_mutex_lock(&c->lock);
  if (!r)
    text_add(&c->problem, "there is not enough memory");
  else if (!report)
    text_add(&c->problem, nut_result_messages(r));
  if (report) {
    nut_figures f = nut_result_figures(r);
    vec_push(
        &c->samples,
        ((sample){f.seconds, f.states, f.transitions, f.memory_bytes,
                  nut_result_complete(r) ? 0 : c->progress.waiting, f.depth}));
  }
  c->result = r;
  c->report = report;
  c->done = true;
  c->version++;
  pthread_cond_broadcast(&c->changed);
  pthread_mutex_unlock(&c->lock);
}

static void do_check(void *check)
{
  http_check *c = check;
  nut_workspace *w =
      http_workspace(c->server, text_string(&c->content), c->content.len);
  pthread_mutex_lock(&c->lock);
  c->workspace = w;
  if (w && c->cancelled)
    nut_cancel(w);
  pthread_mutex_unlock(&c->lock);
  finish(c, w ? run_check(c, w) : NULL);
}

static void *check_thread(void *check)
{
  http_check *c = check;
  if (!mem_protect(do_check, c))
    finish(c, NULL);
  return NULL;
}

/* ---- the list ----------------------------------------------------------- */

static void cancel(http_check *c)
{
  pthread_mutex_lock(&c->lock);
  c->cancelled = true;
  if (c->workspace && !c->done)
    nut_cancel(c->workspace);
  pthread_mutex_unlock(&c->lock);
}

static void free_check(http_check *c)
{
  cancel(c);
  if (c->started)
    pthread_join(c->thread, NULL);
  nut_result_free(c->result);
  nut_close(c->workspace);
  json_decref(c->report);
  json_decref(c->asked);
  text_free(&c->content);
  text_free(&c->problem);
  vec_free(&c->samples);
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->changed);
  mem_free(c, sizeof *c);
}

static bool is_done(http_check *c)
{
  pthread_mutex_lock(&c->lock);
  bool done = c->done;
  pthread_mutex_unlock(&c->lock);
  return done;
}

/* Under the lock of the server: whether another one may run.  The oldest goes,
** when there are too many. */
static bool has_room(http_server *s)
{
  size_t running = 0;
  for (size_t i = 0; i < s->checks.len; i++)
    running += !is_done(s->checks.data[i]);
  if (running >= HTTP_RUNNING_MOST || s->closing)
    return false;
  for (size_t i = 0; s->checks.len >= HTTP_CHECKS_MOST && i < s->checks.len;
       i++) {
    http_check *c = s->checks.data[i];
    if (c->users || c->listeners || !is_done(c))
      continue;
    free_check(c);
    for (; i + 1 < s->checks.len; i++)
      s->checks.data[i] = s->checks.data[i + 1];
    s->checks.len--;
    break;
  }
  return s->checks.len < HTTP_CHECKS_MOST;
}

static http_check *new_check(http_server *s, const json_t *asked,
                             const text *content)
{
  http_check *c = mem_alloc(sizeof *c);
  *c =
      (http_check){.server = s, .step = 0.0005, .asked = json_deep_copy(asked)};
  snprintf(c->id, sizeof c->id, "%llu", (unsigned long long)++s->next);
  text_add_bytes(&c->content, text_string(content), content->len);
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->changed, NULL);
  return c;
}

void http_check_start(http_server *s, const http_request *r, http_answer *a)
{
  if (!http_fields(r, a, fields) || !is_good_question(r->body, a))
    return;
  http_model *m = http_model_take(s, r->parts[1], a);
  if (!m)
    return;
  pthread_mutex_lock(&s->lock);
  if (!nut_model_good(nut_workspace_model(m->workspace))) {
    http_refuse(a, 422, "the model has errors");
  } else if (!has_room(s)) {
    http_refuse(a, 429, "other checks are still running");
  } else {
    http_check *c = new_check(s, r->body, &m->content);
    c->started = pthread_create(&c->thread, NULL, check_thread, c) == 0;
    if (c->started) {
      vec_push(&s->checks, c);
      a->body = json_pack("{s:s}", "id", c->id);
    } else {
      free_check(c);
      http_refuse(a, 503, "no thread can be started");
    }
  }
  pthread_mutex_unlock(&s->lock);
  http_model_give_back(s, m);
}

void http_checks_close(http_server *s)
{
  pthread_mutex_lock(&s->lock);
  s->closing = true;
  pthread_mutex_unlock(&s->lock);
  for (size_t i = 0; i < s->checks.len; i++)
    cancel(s->checks.data[i]);
  for (size_t i = 0; i < s->checks.len; i++)
    free_check(s->checks.data[i]);
  vec_free(&s->checks);
}

static http_check *take_check(http_server *s, const char *id)
{
  http_check *found = NULL;
  pthread_mutex_lock(&s->lock);
  for (size_t i = 0; id && i < s->checks.len && !found; i++)
    if (!strcmp(s->checks.data[i]->id, id))
      found = s->checks.data[i];
  if (found)
    found->users++;
  pthread_mutex_unlock(&s->lock);
  return found;
}

static void give_back(http_server *s, http_check *c)
{
  pthread_mutex_lock(&s->lock);
  c->users--;
  pthread_mutex_unlock(&s->lock);
}

/* ---- telling ------------------------------------------------------------ */

static json_t *tell_expected(const nut_expected *e)
{
  return json_pack("[f,f,f]", e->low, e->likely, e->high);
}

/* Under the lock of the check. */
static json_t *tell_progress(const http_check *c)
{
  const nut_progress *p = &c->progress;
  json_t *j = json_pack("{s:s,s:b,s:I,s:I,s:I,s:I,s:I,s:f,s:f}", "id", c->id,
                        "done", c->done, "states", (json_int_t)p->states,
                        "transitions", (json_int_t)p->transitions, "depth",
                        (json_int_t)p->depth, "waiting", (json_int_t)p->waiting,
                        "memory_bytes", (json_int_t)p->memory_bytes, "seconds",
                        p->seconds, "states_per_second", p->states_per_second);
  if (p->expected_states.high > 0)
    json_put(j, "expected",
             json_pack("{s:o,s:o,s:o}", "states",
                       tell_expected(&p->expected_states), "seconds",
                       tell_expected(&p->expected_seconds), "memory_bytes",
                       tell_expected(&p->expected_bytes)));
  if (p->symbolic)
    json_put(j, "symbolic_states", json_real(p->symbolic_states));
  return j;
}

static json_t *tell_growth(const http_check *c)
{
  json_t *list = json_array();
  for (size_t i = 0; i < c->samples.len; i++) {
    const sample *s = &c->samples.data[i];
    json_array_append_new(
        list, json_pack("[f,I,I,I,I,I]", s->seconds, (json_int_t)s->states,
                        (json_int_t)s->transitions, (json_int_t)s->memory,
                        (json_int_t)s->waiting, (json_int_t)s->depth));
  }
  return list;
}

static json_t *tell_check(http_check *c)
{
  pthread_mutex_lock(&c->lock);
  json_t *j = tell_progress(c);
  json_put(j, "growth", tell_growth(c));
  if (c->report)
    json_object_set(j, "report", c->report);
  row_put_text(j, "problem", text_string(&c->problem));
  pthread_mutex_unlock(&c->lock);
  return j;
}

/* How often each statement was executed. */
static void tell_coverage(http_check *c, http_answer *a)
{
  size_t count = 0;
  json_t *list = json_array();
  pthread_mutex_lock(&c->lock);
  const nut_coverage *found =
      c->result ? nut_result_coverage(c->result, &count) : NULL;
  for (size_t i = 0; found && i < count; i++) {
    json_t *j = json_pack(
        "{s:o,s:o,s:I}", "process_type", json_shown(found[i].process_type),
        "text", json_shown(found[i].text), "count", (json_int_t)found[i].count);
    row_put_place(j, found[i].at);
    json_array_append_new(list, j);
  }
  a->body = json_pack("{s:b,s:o}", "complete",
                      c->result && nut_result_complete(c->result), "statements",
                      list);
  pthread_mutex_unlock(&c->lock);
}

static void tell_text(http_check *c, http_answer *a)
{
  pthread_mutex_lock(&c->lock);
  if (c->result && nut_result_verdict(c->result) != NUT_ERROR)
    nut_result_text(c->result, NUT_TEXT, (nut_style){.verbose = true},
                    gather_text, &a->bytes);
  a->type = "text/plain; charset=utf-8";
  pthread_mutex_unlock(&c->lock);
}

void http_checks_request(http_server *s, const http_request *r, http_answer *a)
{
  const char *what = r->part_count > 2 ? r->parts[2] : "";
  bool get = !strcmp(r->method, "GET"), post = !strcmp(r->method, "POST");
  http_check *c = take_check(s, r->parts[1]);
  if (!c) {
    http_refuse(a, 404, "there is no check of this name");
    return;
  }
  if (!*what && get)
    a->body = tell_check(c);
  else if (!strcmp(what, "coverage") && get)
    tell_coverage(c, a);
  else if (!strcmp(what, "report") && get)
    tell_text(c, a);
  else if (!strcmp(what, "cancel") && post) {
    cancel(c);
    a->body = json_pack("{s:b}", "cancelled", 1);
  } else
    http_refuse(a, 404, "there is nothing of this name");
  give_back(s, c);
}

bool http_check_trace(http_server *s, const char *id, size_t property,
                      size_t index,
                      void (*work)(void *context, const nut_result *,
                                   const nut_trace *),
                      void *context)
{
  http_check *c = take_check(s, id);
  const nut_trace *t = NULL;
  if (!c)
    return false;
  pthread_mutex_lock(&c->lock);
  if (c->report && property < nut_result_property_count(c->result))
    t = nut_result_trace(c->result, property, index);
  if (t)
    work(context, c->result, t);
  pthread_mutex_unlock(&c->lock);
  give_back(s, c);
  return t;
}

/* ---- events ------------------------------------------------------------- */

http_check *http_check_listen(http_server *s, const char *id)
{
  http_check *c = take_check(s, id);
  if (!c)
    return NULL;
  pthread_mutex_lock(&s->lock);
  c->listeners++;
  pthread_mutex_unlock(&s->lock);
  return c;
}

static void add_event(text *out, const char *kind, json_t *data)
{
  char *words = json_dumps(data, JSON_COMPACT);
  text_printf(out, "event: %s\ndata: %s\n\n", kind, words ? words : "{}");
  json_decref(data);
  free(words);
}

static struct timespec after(long milliseconds)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += milliseconds % 1000 * 1000000;
  t.tv_sec += milliseconds / 1000 + t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

/* Under the lock: waits so long for the end, or, if 'any', for any change. */
static void wait_for(http_check *c, const http_server *s, long milliseconds,
                     const uint64_t *any)
{
  struct timespec until = after(milliseconds);
  while (!c->done && !s->closing && (!any || c->version == *any) &&
         pthread_cond_timedwait(&c->changed, &c->lock, &until) == 0)
    ;
}

/* Progress is told five times in a second at most.  A comment tells us whether
** somebody still listens. */
bool http_check_event(http_server *s, http_check *c, uint64_t *seen, text *out)
{
  bool more = true;
  pthread_mutex_lock(&c->lock);
  if (*seen)
    wait_for(c, s, 200, NULL);
  wait_for(c, s, 1000, seen);
  if (*seen == UINT64_MAX || s->closing) {
    more = false;
  } else if (c->done) {
    add_event(out, "done", tell_progress(c));
    *seen = UINT64_MAX;
  } else if (c->version != *seen) {
    add_event(out, "progress", tell_progress(c));
    *seen = c->version;
  } else {
    text_add(out, ": waiting\n\n");
  }
  pthread_mutex_unlock(&c->lock);
  return more;
}

void http_check_leave(http_server *s, http_check *c)
{
  pthread_mutex_lock(&s->lock);
  bool last = --c->listeners == 0;
  pthread_mutex_unlock(&s->lock);
  if (last && !is_done(c))
    cancel(c);
  give_back(s, c);
}
