#include "read_kit.h"

#include "lang/pnml/pnml.h"

static void read_bytes(fixture *f, const char *bytes, size_t n)
{
  uint32_t file = source_add(f->sources, "test.pnml", bytes, n);
  f->model = pnml_read(f->arena, f->names, f->sources, f->diags, file);
}

static const char small[] =
    "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'>"
    "<page id='g'><toolspecific tool='nupn'><structure units='1' root='u' "
    "safe='true'><unit id='u'><places>q p</places></unit></structure>"
    "</toolspecific>"
    "<arc id='a' source='p' target='t'/><arc id='b' source='t' target='q'>"
    "<inscription><text>2</text></inscription></arc>"
    "<place id='p'><initialMarking><text>1</text></initialMarking></place>"
    "<place id='q'/><place id='wide'><initialMarking><text>300</text>"
    "</initialMarking></place><transition id='t'/>"
    "<arc id='c' source='wide' target='t' type='inhibitor'/>"
    "</page></net></pnml>";

static const char formulas[] =
    "<property-set><property><id>f0</id><formula><all-paths><globally>"
    "<integer-le><tokens-count><place>p</place><place>q</place></tokens-count>"
    "<integer-constant>2</integer-constant></integer-le>"
    "</globally></all-paths></formula></property>"
    "<property><id>f1</id><formula><exists-path><finally><negation>"
    "<is-fireable><transition>t</transition></is-fireable></negation>"
    "</finally></exists-path></formula></property>"
    "<property><id>f2</id><formula><place-bound><place>q</place>"
    "</place-bound></formula></property>"
    "<property><id>f3</id><formula><all-paths><finally><exists-path><finally>"
    "<is-fireable><transition>t</transition></is-fireable></finally>"
    "</exists-path></finally></all-paths></formula></property></property-set>";

static pnml_formulas found;

static bool read_formulas(fixture *f)
{
  uint32_t file =
      source_add(f->sources, "f.xml", formulas, sizeof formulas - 1);
  return pnml_read_formulas(f->model, f->diags, file, &found);
}

static void parts(void **state)
{
  fixture f;
  (void)state;
  begin(&f);
  read_bytes(&f, small, sizeof small - 1);
  assert_non_null(f.model);
  const pnml_net *net = pnml_net_of(f.model);
  assert_int_equal(net->place_count, 3);
  assert_int_equal(net->transition_count, 1);
  assert_true(net->inhibited);
  assert_int_equal(net->transitions[0].touch_count, 3);
  assert_int_equal(net->places[1].rank, 0); /* q, as its unit has it */
  assert_int_equal(net->places[0].var->type.hi, 1);
  assert_int_equal(net->places[2].var->type.hi, 65535);
  end(&f);
}

/* One place outgrows its type: it and narrower ones get the next. */
static void widening(void **state)
{
  fixture f;
  (void)state;
  begin(&f);
  read_bytes(&f, small, sizeof small - 1);
  const pnml_net *net = pnml_net_of(f.model);
  const pnml_place *p = pnml_place_at(f.model, net->places[0].where);
  assert_ptr_equal(p, &net->places[0]);
  type *types = pnml_types(f.model, f.model->arena);
  static const int32_t highest[] = {255, 65535, INT32_MAX};
  for (int i = 0; i < 3; i++) {
    assert_true(pnml_widen(f.model, p, types));
    assert_int_equal(types[p->var->index].hi, highest[i]);
    assert_int_equal(types[net->places[1].var->index].hi, highest[i]);
  }
  assert_false(pnml_widen(f.model, p, types));
  end(&f);
}

static void contest(void **state)
{
  fixture f;
  (void)state;
  begin(&f);
  read_bytes(&f, small, sizeof small - 1);
  assert_true(read_formulas(&f));
  static const formula_kind kinds[] = {FORMULA_INVARIANT, FORMULA_REACH,
                                       FORMULA_BOUND, FORMULA_CTL};
  assert_int_equal(found.count, 4);
  for (int i = 0; i < 4; i++)
    assert_int_equal(found.list[i].kind, kinds[i]);
  end(&f);
}

static void mutated(void **state)
{
  (void)state;
  read_damaged((const char *[]){small}, 1, 2000, 5, read_bytes);
}

static void deep(void **state)
{
  enum { DEPTH = 100000 };
  fixture f;
  (void)state;
  begin(&f);
  char *bytes = mem_alloc(3 * DEPTH);
  for (int i = 0; i < DEPTH; i++)
    memcpy(bytes + 3 * i, "<a>", 3);
  read_bytes(&f, bytes, 3 * DEPTH);
  assert_null(f.model);
  assert_int_equal(diags_errors(f.diags), 1);
  mem_free(bytes, 3 * DEPTH);
  end(&f);
}

static void read_both(void *context)
{
  fixture *f = context;
  read_bytes(f, small, sizeof small - 1);
  read_formulas(f);
}

static void out_of_memory(void **state)
{
  (void)state;
  assert_true(unit_fail_each(fresh, read_both, drop) > 10);
}

UNIT_MAIN(UNIT(parts), UNIT(widening), UNIT(contest), UNIT(mutated), UNIT(deep),
          UNIT(out_of_memory))
