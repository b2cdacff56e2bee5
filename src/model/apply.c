/* Operations on constants, for front ends. */

#include "model/model.h"

static int32_t wrap(int64_t value)
{
  return (int32_t)(uint32_t)(uint64_t)value;
}

bool op_apply(op o, int32_t a, int32_t b, int32_t *value)
{
  int64_t x = a, y = b;
  switch (o) {
  case OP_NEG:
    *value = wrap(-x);
    return true;
  case OP_NOT:
    *value = !a;
    return true;
  case OP_COMPL:
    *value = ~a;
    return true;
  case OP_ADD:
    *value = wrap(x + y);
    return true;
  case OP_SUB:
    *value = wrap(x - y);
    return true;
  case OP_MUL:
    *value = wrap(x * y);
    return true;
  case OP_DIV:
  case OP_MOD:
    if (b)
      *value = o == OP_DIV ? wrap(x / y) : wrap(x % y);
    return b != 0;
  case OP_BITAND:
    *value = a & b;
    return true;
  case OP_BITOR:
    *value = a | b;
    return true;
  case OP_BITXOR:
    *value = a ^ b;
    return true;
  case OP_SHL:
    *value = (int32_t)((uint32_t)a << (b & 31));
    return true;
  case OP_SHR:
    *value = a >> (b & 31);
    return true;
  case OP_LT:
    *value = a < b;
    return true;
  case OP_LE:
    *value = a <= b;
    return true;
  case OP_GT:
    *value = a > b;
    return true;
  case OP_GE:
    *value = a >= b;
    return true;
  case OP_EQ:
    *value = a == b;
    return true;
  case OP_NE:
    *value = a != b;
    return true;
  case OP_AND:
    *value = a && b;
    return true;
  case OP_OR:
    *value = a || b;
    return true;
  case OP_IMPLY:
    *value = !a || b;
    return true;
  default:
    return false;
  }
}
