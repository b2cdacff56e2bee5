#include "lang/infix.h"

static const infix *find_infix(const infix *table, uint8_t kind)
{
  while (table->token != SCAN_END && table->token != kind)
    table++;
  return table->token == SCAN_END ? NULL : table;
}

void *infix_parse(scanner *s, const infix_language *language, void *parser,
                  uint8_t least)
{
  size_t first = s->at;
  void *left = language->operand(parser);
  bool compared = false;
  while (left) {
    const infix *i = find_infix(language->table, scan_token(s)->kind);
    if (!i || i->binding < least)
      break;
    if (compared && i->alone) {
      scan_wanted(s, "no second comparison");
      return NULL;
    }
    compared = i->alone;
    scan_next(s);
    void *right = infix_parse(s, language, parser, (uint8_t)(i->binding + 1));
    left = right ? language->join(parser, i->op, left, right, first) : NULL;
  }
  return left;
}

void *infix_expression(scanner *s, const infix_language *language, void *parser)
{
  if (!scan_enter(s))
    return NULL;
  void *tree = infix_parse(s, language, parser, 1);
  scan_leave(s);
  return tree;
}

void *infix_signed(scanner *s, void *(*operand)(void *parser), void *parser)
{
  if (!scan_enter(s))
    return NULL;
  scan_next(s);
  void *tree = operand(parser);
  scan_leave(s);
  return tree;
}

bool infix_hang(const scanner *s, uint16_t *depth, uint16_t below)
{
  if (below >= *depth)
    *depth = (uint16_t)(below + 1);
  if (*depth <= SCAN_DEPTH_MAX)
    return true;
  diag_error(s->diags, scan_token(s)->where,
             "an expression of more than %d operations in a row",
             SCAN_DEPTH_MAX);
  return false;
}
