#include "lang/pnml/pnml.h"
#include "model/net_picture.h"

static void add_touch(const pnml_touch *t, uint32_t transition,
                      net_picture *out)
{
  net_picture_arc arc = {.place = t->place, .transition = transition};
  if (t->take) {
    arc.weight = (uint32_t)t->take;
    vec_push(&out->arcs, arc);
  }
  if (t->put) {
    arc.weight = (uint32_t)t->put;
    arc.puts = true;
    vec_push(&out->arcs, arc);
  }
  if (t->below) {
    arc.weight = (uint32_t)t->below;
    arc.puts = false;
    arc.inhibits = true;
    vec_push(&out->arcs, arc);
  }
}

void pnml_picture(const model *m, net_picture *out)
{
  const pnml_net *net = pnml_net_of(m);
  vec_push(&out->parts, net->id ? net->id : "");
  for (uint32_t i = 0; i < net->place_count; i++) {
    const pnml_place *p = &net->places[i];
    vec_push(
        &out->places,
        ((net_picture_place){.name = p->name, .tokens = (uint64_t)p->tokens}));
  }
  for (uint32_t i = 0; i < net->transition_count; i++) {
    const pnml_transition *t = &net->transitions[i];
    vec_push(&out->transitions, ((net_picture_transition){.name = t->name}));
    for (uint32_t k = 0; k < t->touch_count; k++)
      add_touch(&t->touches[k], i, out);
  }
}
