/* The operators of expressions, one list: name, arity, C text, meaning.
** Arithmetic is that of C's 32-bit int, wrapping around; truth is not 0.
** 'a', 'b', 'c' are the operands in 'expr.args'. */

#ifndef NUT_MODEL_OPS_H
#define NUT_MODEL_OPS_H

/* clang-format off */
#define MODEL_OPS(OP)                                                          \
  OP(CONST,     0, "",        "the number 'value'")                            \
  OP(VAR,       0, "",        "the variable 'ref'")                            \
  OP(NEG,       1, "-",       "-a")                                            \
  OP(NOT,       1, "!",       "1 if a is 0, else 0")                           \
  OP(COMPL,     1, "~",       "bitwise complement of a")                       \
  OP(ADD,       2, "+",       "a + b")                                         \
  OP(SUB,       2, "-",       "a - b")                                         \
  OP(MUL,       2, "*",       "a * b")                                         \
  OP(DIV,       2, "/",       "a / b towards 0; b = 0 is a fault")             \
  OP(MOD,       2, "%",       "remainder of a / b; b = 0 is a fault")          \
  OP(BITAND,    2, "&",       "a & b")                                         \
  OP(BITOR,     2, "|",       "a | b")                                         \
  OP(BITXOR,    2, "^",       "a ^ b")                                         \
  OP(SHL,       2, "<<",      "a << b, b modulo 32")               \
  OP(SHR,       2, ">>",      "a >> b, b modulo 32, sign kept")                      \
  OP(LT,        2, "<",       "a < b")                                         \
  OP(LE,        2, "<=",      "a <= b")                                        \
  OP(GT,        2, ">",       "a > b")                                         \
  OP(GE,        2, ">=",      "a >= b")                                        \
  OP(EQ,        2, "==",      "a == b")                                        \
  OP(NE,        2, "!=",      "a != b")                                        \
  OP(AND,       2, "&&",      "a and b; b is not evaluated when a is 0")       \
  OP(OR,        2, "||",      "a or b; b is not evaluated when a is not 0")    \
  OP(IMPLY,     2, "->",      "not a, or b")                                   \
  OP(COND,      3, "?:",      "b if a, else c")                                \
  OP(LEN,       1, "len",     "number of messages in channel a")               \
  OP(EMPTY,     1, "empty",   "channel a has no message")                      \
  OP(NEMPTY,    1, "nempty",  "channel a has a message")                       \
  OP(FULL,      1, "full",    "channel a has no room")                         \
  OP(NFULL,     1, "nfull",   "channel a has room")                            \
  OP(POLL,      1, "?[]",     "the receive 'comm' would find a message")       \
  OP(RUN,       0, "run",     "creates a process; its number (see 'run')")     \
  OP(PID,       0, "_pid",    "number of the process that evaluates this")     \
  OP(NR_PR,     0, "_nr_pr",  "number of processes alive")                     \
  OP(LAST,      0, "_last",   "number of the process that made the last step") \
  OP(TIMEOUT,   0, "timeout", "no process of the system can make a step")      \
  OP(NP,        0, "np_",     "no process is at a progress location")          \
  OP(ENABLED,   1, "enabled", "process number a can make a step")              \
  OP(PC_VALUE,  1, "pc_value","number of the location of process number a")    \
  OP(PRIORITY,  1, "get_priority", "priority of process number a")             \
  OP(SET_PRIORITY, 2, "set_priority", "priority of process a becomes b")       \
  OP(AT,        1, "@",       "process a (-1: the only one of its type) of type 'process' is at location 'location'") \
  OP(EMBED,     0, "c_expr",  "what the embedded C 'model.c_code[value]' says") \
  OP(REMOTE,    1, ":",       "variable 'ref' of process a (-1: the only one) of type 'process'")
/* clang-format on */

#endif
