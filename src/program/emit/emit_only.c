/* xr and xs: after every event the other processes are asked whether one of
** them claims the channel for itself.  A claim that is broken is a fault, so
** the interpreter reports it. */

#include "program/emit/emit_internal.h"

static uint32_t claim_count(const cprocess *p, bool reads)
{
  return reads ? p->only_read_count : p->only_send_count;
}

static const node *claim(const cprocess *p, bool reads, uint32_t i)
{
  return reads ? p->only_reads[i] : p->only_sends[i];
}

/* Whether the claims of some process may be about the channel. */
static bool may_be_claimed(const emitter *e, const site *at, bool reads)
{
  for (uint32_t i = 0; i < e->layout->process_types; i++) {
    const cprocess *p = &e->code->processes[i];
    for (uint32_t k = 0; k < claim_count(p, reads); k++) {
      site other = emit_site(e, claim(p, reads, k));
      if (!at->known || !other.known || at->known == other.known)
        return true;
    }
  }
  return false;
}

/* "p's first claim is the channel || its second is ..." */
static void any_claim(emitter *e, const cprocess *p, bool reads, text *out)
{
  for (uint32_t k = 0; k < claim_count(p, reads); k++) {
    text_add(out, k ? " || (uint32_t)" : "(uint32_t)");
    emit_value(e, claim(p, reads, k), out);
    text_add(out, " == number");
  }
}

/* Answers whether the event of process 'by' on channel 'number' breaks the
** claim of another one. */
static void claims_function(emitter *e, bool reads)
{
  e->mode = FROM_SOURCE;
  emit_line(e, "static int __attribute__((unused))");
  emit_line(e, "breaks_%s(const nut_run *x, const uint8_t *s, uint32_t by,",
            reads ? "reads" : "sends");
  emit_open(e, "    uint32_t number) {");
  emit_open(e, "for (uint32_t pid = 0; pid < %s; pid++) {", emit_processes(e));
  emit_line(e, "const uint32_t self = %s[pid];",
            emit_table(e, "process_offset"));
  emit_line(e, "const uint8_t *p = s + self;");
  emit_open(e, "switch (%s[pid]) {", emit_table(e, "process_type"));
  for (uint32_t i = 0; i < e->layout->process_types; i++) {
    text *condition = emit_text(e);
    e->process = &e->code->processes[i];
    if (!claim_count(e->process, reads))
      continue;
    any_claim(e, e->process, reads, condition);
    emit_line(e, "case %u: if (pid != by && (%s)) return 1; break;", i,
              text_string(condition));
    emit_done(e, condition);
  }
  emit_close(e);
  emit_close(e);
  emit_line(e, "return 0;");
  emit_line(e, "bail: return 1;");
  emit_close(e);
  emit_line(e, "%s", "");
}

void emit_claims(emitter *e)
{
  if (!e->code->has_only)
    return;
  claims_function(e, true);
  claims_function(e, false);
}

void emit_after_event(emitter *e, const site *at, bool reads, const char *by,
                      const char *number)
{
  if (e->code->has_only && may_be_claimed(e, at, reads))
    emit_line(e, "if (NUT_RARE(breaks_%s(x, d, %s, %s))) goto bail;",
              reads ? "reads" : "sends", by, number);
}
