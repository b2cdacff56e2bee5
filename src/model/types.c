/* Types: their sizes in a state and what an assignment stores. */

#include "model/model.h"

#include <assert.h>

typedef struct type_fact {
  const char *word;
  uint32_t bytes;
  int32_t lo, hi;
} type_fact;

static const type_fact facts[] = {
#define TYPE(name, word, bytes, lo, hi) {word, bytes, lo, hi},
    MODEL_TYPES(TYPE)
#undef TYPE
};

const char *type_name(type_kind kind)
{
  return facts[kind].word;
}

void type_print(const type *t, text *out)
{
  if (t->kind == TYPE_RANGE)
    text_printf(out, "%d..%d", t->lo, t->hi);
  else if (t->kind == TYPE_UNSIGNED)
    text_printf(out, "an unsigned of %u bit%s", t->bits,
                t->bits == 1 ? "" : "s");
  else
    text_printf(out, "a%s %s",
                t->kind == TYPE_INT || t->kind == TYPE_MTYPE ? "n" : "",
                type_name(t->kind));
}

type type_scalar(type_kind kind)
{
  assert(kind != TYPE_UNSIGNED && kind != TYPE_RANGE && kind != TYPE_RECORD);
  return (type){.kind = kind, .lo = facts[kind].lo, .hi = facts[kind].hi};
}

/* All 32 bits are an ordinary int: expressions know no wider arithmetic. */
type type_unsigned(uint8_t bits)
{
  assert(bits >= 1 && bits <= 32);
  type t = {.kind = TYPE_UNSIGNED, .bits = bits};
  t.lo = bits == 32 ? INT32_MIN : 0;
  t.hi = bits >= 31 ? INT32_MAX : (int32_t)((1u << bits) - 1);
  return t;
}

type type_range(int32_t lo, int32_t hi)
{
  assert(lo <= hi);
  return (type){.kind = TYPE_RANGE, .lo = lo, .hi = hi};
}

type type_record(record *r)
{
  assert(r);
  return (type){.kind = TYPE_RECORD, .record = r};
}

static uint32_t bytes_of_range(int32_t lo, int32_t hi)
{
  if (lo >= 0)
    return hi <= UINT8_MAX ? 1 : hi <= UINT16_MAX ? 2 : 4;
  if (lo >= INT8_MIN && hi <= INT8_MAX)
    return 1;
  return lo >= INT16_MIN && hi <= INT16_MAX ? 2 : 4;
}

/* Sums saturate: a front end refuses what does not fit into 32 bits.  Records
** in records can be large beyond all counting, so a sum is done but once. */
static uint32_t bytes_of_record(const record *r)
{
  uint64_t sum = 0;
  if (r->bytes)
    return r->bytes;
  for (size_t i = 0; i < r->fields.len; i++) {
    const var *field = r->fields.data[i];
    sum += (uint64_t)type_bytes(&field->type) * field->length;
    if (sum > UINT32_MAX)
      return UINT32_MAX;
  }
  return (uint32_t)sum;
}

uint32_t type_bytes(const type *t)
{
  switch (t->kind) {
  case TYPE_BIT:
  case TYPE_BOOL:
  case TYPE_BYTE:
  case TYPE_PID:
  case TYPE_MTYPE:
  case TYPE_CHAN:
  case TYPE_SHORT:
  case TYPE_INT:
    return facts[t->kind].bytes;
  case TYPE_UNSIGNED:
    return t->bits <= 8 ? 1 : t->bits <= 16 ? 2 : 4;
  case TYPE_RANGE:
    return bytes_of_range(t->lo, t->hi);
  case TYPE_RECORD:
    return bytes_of_record(t->record);
  }
  return 0;
}

/* The value after a trip through 'bytes' bytes of memory. */
static int32_t through_memory(int32_t value, uint32_t bytes, bool is_signed)
{
  uint32_t v = (uint32_t)value;
  if (bytes == 1)
    return is_signed ? (int8_t)v : (int32_t)(v & UINT8_MAX);
  if (bytes == 2)
    return is_signed ? (int16_t)v : (int32_t)(v & UINT16_MAX);
  return value;
}

int32_t type_truncate(const type *t, int32_t value)
{
  switch (t->kind) {
  case TYPE_BIT:
  case TYPE_BOOL:
    return value & 1;
  case TYPE_BYTE:
  case TYPE_PID:
  case TYPE_MTYPE:
  case TYPE_CHAN:
    return value & UINT8_MAX;
  case TYPE_SHORT:
    return through_memory(value, 2, true);
  case TYPE_INT:
    return value;
  case TYPE_UNSIGNED:
    return t->bits == 32 ? value
                         : (int32_t)((uint32_t)value & ((1u << t->bits) - 1));
  case TYPE_RANGE:
    return through_memory(value, type_bytes(t), t->lo < 0);
  case TYPE_RECORD:
    break;
  }
  assert(!"only scalars are assigned");
  return value;
}
