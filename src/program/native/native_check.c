#include "program/native/native_internal.h"

static const char *compare_successor(const batch *a, const batch *b, size_t i)
{
  const successor *x = &a->list.data[i], *y = &b->list.data[i];
  if (x->length != y->length)
    return "length";
  if (memcmp(a->bytes.data + x->start, b->bytes.data + y->start, x->length))
    return "bytes";
  if (x->edge != y->edge)
    return "edge";
  if (x->process != y->process)
    return "process";
  if (x->others != y->others)
    return "processes that take part";
  if (x->changed != y->changed)
    return "changed components";
  return NULL;
}

/* The first byte in which the two differ, with both values. */
static void add_bytes(const batch *a, const batch *b, size_t i, text *out)
{
  const successor *x = &a->list.data[i], *y = &b->list.data[i];
  for (uint32_t k = 0; k < x->length && k < y->length; k++) {
    uint8_t p = a->bytes.data[x->start + k], q = b->bytes.data[y->start + k];
    if (p != q) {
      text_printf(out, " (byte %u is %u, not %u)", k, q, p);
      return;
    }
  }
}

const char *native_difference(const batch *a, const batch *b, text *out)
{
  text_clear(out);
  if (a->faults.len)
    text_printf(out, "native code overlooks the fault '%s'",
                fault_text(a->faults.data[0].kind));
  else if (a->list.len != b->list.len)
    text_printf(out, "native code finds %zu successors, the interpreter %zu",
                b->list.len, a->list.len);
  else if (a->blocked != b->blocked || a->invalid_end != b->invalid_end)
    text_add(out, "native code judges an end differently");
  else if (a->atomic_steps != b->atomic_steps)
    text_printf(out,
                "native code makes %llu atomic steps, the interpreter %llu",
                (unsigned long long)b->atomic_steps,
                (unsigned long long)a->atomic_steps);
  for (size_t i = 0; !out->len && i < a->list.len; i++) {
    const char *what = compare_successor(a, b, i);
    if (!what)
      continue;
    text_printf(out,
                "native code and the interpreter differ in the %s of "
                "successor %zu, by edge %u of process %u",
                what, i, a->list.data[i].edge, a->list.data[i].process);
    add_bytes(a, b, i, out);
  }
  return out->len ? text_string(out) : NULL;
}

const char *native_reached_difference(const uint8_t *a, const uint8_t *b,
                                      size_t edges, text *out)
{
  text_clear(out);
  for (size_t i = 0; i < edges; i++) {
    if (a[i] == b[i])
      continue;
    text_printf(out, "edge %zu is reached by %s only", i,
                a[i] ? "the interpreter" : "native code");
    return text_string(out);
  }
  return NULL;
}
