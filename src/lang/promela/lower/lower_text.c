/* Statements as SPIN writes them, so that traces of both can be compared. */

#include "lang/promela/lower/lower.h"

#include "base/text/text.h"

#include <string.h>

static void add_expr(text *, const pml_expr *);

static void add_list(text *out, pml_expr *const *list, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    if (i)
      text_add_char(out, ',');
    add_expr(out, list[i]);
  }
}

static void add_steps(text *out, const pml_step *steps, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    if (i)
      text_add_char(out, '.');
    text_add(out, steps[i].name);
    if (steps[i].index) {
      text_add_char(out, '[');
      add_expr(out, steps[i].index);
      text_add_char(out, ']');
    }
  }
}

static void add_call(text *out, const char *name, const pml_expr *a)
{
  text_printf(out, "%s(", name);
  add_expr(out, a);
  text_add_char(out, ')');
}

/* The operator, or the name of the function. */
/* clang-format off */
static const char *const operators[] = {
  [E_NOT] = "!",   [E_NEG] = "-",   [E_INV] = "~",   [E_ADD] = "+",
  [E_SUB] = "-",   [E_MUL] = "*",   [E_DIV] = "/",   [E_MOD] = "%",
  [E_BAND] = "&",  [E_BXOR] = "^",  [E_BOR] = "|",   [E_SHL] = "<<",
  [E_SHR] = ">>",  [E_LT] = "<",    [E_LE] = "<=",   [E_GT] = ">",
  [E_GE] = ">=",   [E_EQ] = "==",   [E_NE] = "!=",   [E_AND] = "&&",
  [E_OR] = "||",   [E_LEN] = "len", [E_EMPTY] = "empty",
  [E_NEMPTY] = "nempty",            [E_FULL] = "full",
  [E_NFULL] = "nfull",              [E_ENABLED] = "enabled",
  [E_PC_VALUE] = "pc_value",        [E_GET_PRIORITY] = "get_priority",
  [E_EVAL] = "eval",                [E_TIMEOUT] = "timeout",
  [E_NONPROGRESS] = "np_",          [E_ERROR] = "",
};
/* clang-format on */

static void add_binary(text *out, const pml_expr *e)
{
  text_add_char(out, '(');
  add_expr(out, e->a);
  text_add(out, operators[e->kind]);
  add_expr(out, e->b);
  text_add_char(out, ')');
}

static void add_conditional(text *out, const pml_expr *e)
{
  text_add(out, "( (");
  add_expr(out, e->a);
  text_add(out, ") -> (");
  add_expr(out, e->b);
  text_add(out, ") : (");
  add_expr(out, e->c);
  text_add(out, ") )");
}

static void add_instance(text *out, const pml_expr *e)
{
  text_add(out, e->name);
  if (e->a) {
    text_add_char(out, '[');
    add_expr(out, e->a);
    text_add_char(out, ']');
  }
}

static void add_process_expr(text *out, const pml_expr *e)
{
  if (e->kind == E_RUN) {
    text_printf(out, "run %s(", e->name);
    add_list(out, e->args, e->arg_count);
    text_add_char(out, ')');
  } else if (e->kind == E_REMOTE_LABEL) {
    add_instance(out, e);
    text_printf(out, "@%s", e->label_name);
  } else {
    add_instance(out, e);
    text_add_char(out, ':');
    add_steps(out, e->steps, e->step_count);
  }
}

/* The text in one line. */
static void add_c_text(text *out, const char *from)
{
  bool blank = true;
  size_t length = strlen(from);
  while (length && strchr(" \t\r\n", from[length - 1]))
    length--;
  for (const char *end = from + length; from < end; from++) {
    bool is_blank = strchr(" \t\r\n", *from) != NULL;
    if (!is_blank || !blank)
      text_add_char(out, is_blank ? ' ' : *from);
    blank = is_blank;
  }
}

static void add_c(text *out, const char *word, const pml_c_code *test,
                  const pml_c_code *code)
{
  text_add(out, word);
  if (test) {
    text_add(out, " [");
    add_c_text(out, test->text);
    text_add_char(out, ']');
  }
  text_add(out, " { ");
  add_c_text(out, code->text);
  text_add(out, " }");
}

static void add_expr(text *out, const pml_expr *e)
{
  switch (e->kind) {
  case E_CONST:
    if (e->mtype)
      text_add(out, e->name);
    else
      text_printf(out, "%d", e->value);
    break;
  case E_REF:
    add_steps(out, e->steps, e->step_count);
    break;
  case E_COND:
    add_conditional(out, e);
    break;
  case E_RUN:
  case E_REMOTE_LABEL:
  case E_REMOTE_VAR:
    add_process_expr(out, e);
    break;
  case E_POLL:
    add_expr(out, e->a);
    text_add(out, e->random ? "??[" : "?[");
    add_list(out, e->args, e->arg_count);
    text_add_char(out, ']');
    break;
  case E_C_EXPR:
    add_c(out, "c_expr", NULL, e->code);
    break;
  default:
    if (e->b)
      add_binary(out, e);
    else if (e->a)
      add_call(out, operators[e->kind], e->a);
    else
      text_add(out, operators[e->kind]);
    break;
  }
}

static void add_assignment(text *out, const pml_stmt *s)
{
  add_expr(out, s->a);
  text_add(out, " = ");
  add_expr(out, s->b);
}

static void add_receive(text *out, const pml_stmt *s)
{
  add_expr(out, s->a);
  text_add(out, s->random ? "??" : "?");
  text_add(out, s->copy ? "<" : "");
  add_list(out, s->args, s->arg_count);
  text_add(out, s->copy ? ">" : "");
}

static void add_print(text *out, const pml_stmt *s)
{
  text_add(out, "printf('");
  text_add(out, s->text);
  text_add(out, s->arg_count ? "'," : "'");
  add_list(out, s->args, s->arg_count);
  text_add_char(out, ')');
}

static void add_statement(text *out, const pml_stmt *s)
{
  switch (s->kind) {
  case S_EXPR:
    add_call(out, "", s->a);
    break;
  case S_ASSIGN:
    add_assignment(out, s);
    break;
  case S_SEND:
    add_expr(out, s->a);
    text_add(out, s->sorted ? "!!" : "!");
    add_list(out, s->args, s->arg_count);
    break;
  case S_RECV:
    add_receive(out, s);
    break;
  case S_ASSERT:
    add_call(out, "assert", s->a);
    break;
  case S_PRINTF:
    add_print(out, s);
    break;
  case S_PRINTM:
    add_call(out, "printm", s->a);
    break;
  case S_SET_PRIORITY:
    text_add(out, "set_priority(");
    add_expr(out, s->a);
    text_add(out, ", ");
    add_expr(out, s->b);
    text_add_char(out, ')');
    break;
  case S_GOTO:
    text_printf(out, "goto %s", s->name);
    break;
  case S_BREAK:
    text_add(out, "break");
    break;
  case S_C_CODE:
    add_c(out, "c_code", s->test, s->code);
    break;
  default:
    break;
  }
}

/* 'x = 3', 'a[0] = 0'; nothing for a record, to which nothing is done. */
static void add_declaration(text *out, const pml_var *v)
{
  if (v->type.type == PML_RECORD)
    return;
  text_printf(out, "%s%s = ", v->name, v->is_array ? "[0]" : "");
  if (v->init_kind == INIT_EXPR)
    add_expr(out, v->init);
  else
    text_add_char(out, '0');
}

static void add_element(text *out, const flow_element *e)
{
  static const char *const fixed[] = {
      [FLOW_SKIP] = "(1)",   [FLOW_ELSE] = "else",    [FLOW_JOIN] = ".(goto)",
      [FLOW_EXIT] = "break", [FLOW_DSTEP] = "d_step", [FLOW_END] = "-end-",
  };
  if (e->var)
    add_declaration(out, e->var);
  else if (e->kind == FLOW_STEP || e->kind == FLOW_GOTO)
    add_statement(out, e->stmt);
  else
    text_add(out, fixed[e->kind]);
}

const char *lower_text(lower *l, const flow_element *e)
{
  text_clear(&l->buffer);
  add_element(&l->buffer, e);
  return arena_copy(l->arena, text_string(&l->buffer), l->buffer.len);
}
