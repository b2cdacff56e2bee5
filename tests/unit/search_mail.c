#include "unit.h"

#include "search/ranks/mail.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { PARCELS = 2000, THREADS = 4 };

/* Several put, several take: each parcel is taken once, with what was in it. */
typedef struct exchange {
  mail mail;
  atomic_uint put, taken;
  atomic_uchar seen[PARCELS];
} exchange;

static void *put_some(void *work)
{
  exchange *x = work;
  for (unsigned i; (i = atomic_fetch_add(&x->put, 1)) < PARCELS;) {
    parcel *p = mail_blank(&x->mail);
    p->rank = i;
    vec_resize(&p->bytes, sizeof i);
    memcpy(p->bytes.data, &i, sizeof i);
    mail_put(&x->mail, p);
  }
  return NULL;
}

static void *take_some(void *work)
{
  exchange *x = work;
  while (atomic_load(&x->taken) < PARCELS) {
    parcel *p = mail_take(&x->mail);
    unsigned i;
    if (!p) {
      sched_yield();
      continue;
    }
    memcpy(&i, p->bytes.data, sizeof i);
    if (i == p->rank)
      atomic_fetch_add(&x->seen[i], 1);
    mail_give_back(&x->mail, p);
    mail_settle(&x->mail);
    atomic_fetch_add(&x->taken, 1);
  }
  return NULL;
}

static void each_is_taken_once(void **state)
{
  (void)state;
  static exchange x;
  pthread_t threads[2 * THREADS];
  mail_create(&x.mail);
  for (int i = 0; i < THREADS; i++) {
    assert_false(pthread_create(&threads[i], NULL, put_some, &x));
    assert_false(pthread_create(&threads[THREADS + i], NULL, take_some, &x));
  }
  for (int i = 0; i < 2 * THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < PARCELS; i++)
    assert_int_equal(atomic_load(&x.seen[i]), 1);
  assert_true(mail_is_settled(&x.mail));
  assert_int_equal(mail_waiting(&x.mail), 0);
  mail_free(&x.mail);
}

/* They come in order; what was taken and left in the middle can be forgotten. */
static void in_order(void **state)
{
  (void)state;
  mail m;
  mail_create(&m);
  for (uint32_t i = 0; i < 3; i++) {
    parcel *p = mail_blank(&m);
    p->rank = i;
    mail_put(&m, p);
  }
  parcel *first = mail_take(&m);
  assert_int_equal(first->rank, 0);
  mail_give_back(&m, first);
  assert_int_equal(mail_waiting(&m), 2);
  mail_forget_open(&m);
  for (uint32_t i = 1; i < 3; i++) {
    parcel *p = mail_take(&m);
    assert_int_equal(p->rank, i);
    mail_give_back(&m, p);
    assert_false(mail_is_settled(&m));
    mail_settle(&m);
  }
  assert_true(mail_is_settled(&m));
  assert_null(mail_take(&m));
  mail_free(&m);
}

/* Who has no room puts a parcel back; it comes again, and no other is lost. */
static void one_is_put_back(void **state)
{
  (void)state;
  mail m;
  mail_create(&m);
  for (uint32_t i = 0; i < 3; i++) {
    parcel *p = mail_blank(&m);
    p->rank = i;
    mail_put(&m, p);
  }
  mail_put(&m, mail_take(&m));
  mail_settle(&m);
  static const uint32_t order[] = {1, 2, 0};
  for (int i = 0; i < 3; i++) {
    parcel *p = mail_take(&m);
    assert_non_null(p);
    assert_int_equal(p->rank, order[i]);
    mail_give_back(&m, p);
    mail_settle(&m);
  }
  assert_null(mail_take(&m));
  assert_true(mail_is_settled(&m));
  mail_free(&m);
}

UNIT_MAIN(UNIT(each_is_taken_once), UNIT(in_order), UNIT(one_is_put_back))
