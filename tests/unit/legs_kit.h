/* Runs that are kept in files, in legs: how each is done, where it begins and how it
** ends. */

#ifndef NUT_TESTS_LEGS_KIT_H
#define NUT_TESTS_LEGS_KIT_H

#include "search_kit.h"

#include "search/checkpoint/checkpoint.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[200], run_file[220], paths[2][240];

static inline void make_folder(void)
{
  /* Where nothing waits for a disk, if there is such a place. */
  bool in_memory = access("/dev/shm", W_OK | X_OK) == 0;
  snprintf(folder, sizeof folder, "%s/nutshell-checkpoint-XXXXXX",
           in_memory ? "/dev/shm" : "/tmp");
  assert_non_null(mkdtemp(folder));
  snprintf(run_file, sizeof run_file, "%s/run", folder);
  for (int i = 0; i < 2; i++)
    snprintf(paths[i], sizeof paths[i], "%s.%d", run_file, i);
}

static inline void drop_files(void)
{
  unlink(paths[0]);
  unlink(paths[1]);
}

/* A run under way: after so many files it is interrupted, or gets no more
** memory. */
typedef struct leg {
  volatile sig_atomic_t interrupt;
  uint64_t files, stop_at, refuse_at;
} leg;

static inline void count_file(void *context, block_writer *w)
{
  leg *l = context;
  (void)w;
  if (++l->files == l->stop_at)
    l->interrupt = 1;
  if (l->files == l->refuse_at)
    mem_fail_at(1);
}

/* How a search is done. */
typedef struct manner {
  uint64_t batches;   /* between two files */
  uint64_t stop_at;   /* files after which a leg ends */
  uint64_t refuse_at; /* files after which memory is refused; 0: none */
  uint64_t max_errors, depth;
  nut_por por;
  bool count;
  bool infinite; /* runs as well, by levels after a few states */
  nut_fair fair;
  uint64_t reckon; /* expansions, depth first, after which a reduction may be
                   ** given up; 0: there are none */
  bool shallow;    /* with rounds beside it */
  uint64_t deep;   /* and dives: states of the first; 0: none */
  uint64_t looks;  /* at the clock before the leg ends; 0: no end */
  size_t
      bytes; /* of store and frontier, the rest on a disk; 0: all there are */
} manner;

static inline search_options options_of(const manner *m, uint32_t threads)
{
  search_options o = search_defaults();
  o.asked.search = NUT_BFS;
  o.asked.threads = threads;
  o.asked.max_errors = m->max_errors;
  o.asked.depth = m->depth;
  o.asked.por = m->por;
  o.asked.liveness = m->infinite;
  o.asked.fair = m->fair;
  o.shallow = m->shallow;
  o.first = m->infinite ? 3 : 0;
  o.count = m->count;
  o.share_after = 1;
  o.cohort_after = m->batches % 2 ? 1 : 0;
  o.learn_at = 20 * threads;
  o.disk_bytes = m->bytes;
  o.asked.disk = m->bytes ? folder : NULL;
  if (m->reckon) {
    o.asked.search = NUT_SEARCH_AUTO;
    o.first = 60;
    o.reckon_after = m->reckon;
  }
  if (m->deep) {
    o.asked.search = NUT_SEARCH_AUTO;
    o.shallow = true;
    o.first = 3;
    o.cohort_after = 0;
    o.deep = m->deep;
  }
  return o;
}

static inline block_reader *open_file(const char *path)
{
  const char *why = NULL;
  block_reader *r = block_reader_open(path, &why);
  if (!r)
    return NULL;
  if (block_file_check(r) && block_expect(r, CHECKPOINT_HEAD))
    return r;
  block_reader_close(r);
  return NULL;
}

/* One leg, from a file or from the start; 'made' counts the files so far. */
static inline search_result run_leg(kit *k, const manner *m, uint32_t threads,
                                    const char *from, uint64_t *made,
                                    uint64_t fail_at, bool *stopped)
{
  leg l = {.stop_at = m->stop_at, .refuse_at = m->refuse_at};
  limits lim;
  limits_start(&lim, &(limits_asked){.interrupt = &l.interrupt});
  if (m->looks)
    limits_begin_work(&lim, m->looks);
  search_options o = options_of(m, threads);
  checkpoint_asked asked = {.file = run_file,
                            .every = 1e9,
                            .batches = m->batches,
                            .signal = &l.interrupt,
                            .head = count_file,
                            .context = &l};
  o.checkpoint = checkpoint_create(&asked);
  checkpoint_set_generation(o.checkpoint, *made);
  o.limits = &lim;
  o.resume = from ? open_file(from) : NULL;
  assert_true(!from || o.resume);
  search_result r;
  mem_fail_at(fail_at);
  search_run(k->program, &o, &r);
  mem_fail_at(0);
  *made += checkpoint_figures_of(o.checkpoint)->written;
  *stopped = l.interrupt;
  block_reader_close(o.resume);
  checkpoint_destroy(o.checkpoint);
  return r;
}

static inline const char *last_file(uint64_t made)
{
  return made ? paths[made % 2] : NULL;
}

static inline search_result run_whole(kit *k, const manner *m)
{
  search_result r;
  search_options o = options_of(m, 1);
  search_run(k->program, &o, &r);
  return r;
}

#endif
