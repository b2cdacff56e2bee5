#include "search/ranks/mail.h"

#include "base/alloc.h"

void mail_create(mail *m)
{
  *m = (mail){0};
  pthread_mutex_init(&m->lock, NULL);
}

static void free_list(parcel *p)
{
  while (p) {
    parcel *next = p->next;
    vec_free(&p->bytes);
    mem_free(p, sizeof *p);
    p = next;
  }
}

void mail_free(mail *m)
{
  free_list(m->first);
  free_list(m->spare);
  pthread_mutex_destroy(&m->lock);
}

/* Memory is never asked for under the lock: who gets none leaves. */
parcel *mail_blank(mail *m)
{
  pthread_mutex_lock(&m->lock);
  parcel *p = m->spare;
  if (p)
    m->spare = p->next;
  pthread_mutex_unlock(&m->lock);
  if (!p)
    p = mem_alloc(sizeof *p);
  vec_clear(&p->bytes);
  return p;
}

void mail_put(mail *m, parcel *p)
{
  atomic_fetch_add(&m->open, 1);
  p->next = NULL; /* it may have been taken before */
  pthread_mutex_lock(&m->lock);
  if (m->first)
    m->last->next = p;
  else
    m->first = p;
  m->last = p;
  atomic_fetch_add(&m->waiting, 1);
  pthread_mutex_unlock(&m->lock);
}

parcel *mail_take(mail *m)
{
  if (!mail_waiting(m))
    return NULL;
  pthread_mutex_lock(&m->lock);
  parcel *p = m->first;
  if (p) {
    m->first = p->next;
    atomic_fetch_sub(&m->waiting, 1);
  }
  pthread_mutex_unlock(&m->lock);
  return p;
}

void mail_give_back(mail *m, parcel *p)
{
  pthread_mutex_lock(&m->lock);
  p->next = m->spare;
  m->spare = p;
  pthread_mutex_unlock(&m->lock);
}

void mail_settle(mail *m)
{
  atomic_fetch_sub(&m->open, 1);
}

void mail_forget_open(mail *m)
{
  atomic_store(&m->open, mail_waiting(m));
}
