/* Message sequence charts drawn as SVG: lanes from left to right, time from
** top to bottom, one row for each event. */

#include "report/chart/chart.h"
#include <stdio.h>
#include <string.h>

enum {
  MARGIN = 16,
  GUTTER = 44, /* step numbers at the left */
  HEAD = 28,   /* height of the names */
  ROW = 34,
  BOX = 22,        /* height of a box */
  FOOT = 38,       /* and of one with two lines */
  SPACE_MIN = 120, /* between lanes */
  SPACE_MAX = 340,
  TRACKS = 5,    /* of waiting messages between two lanes */
  TRACK = 7,     /* apart from each other */
  LABEL_MAX = 40 /* characters; longer labels are cut, with a tooltip */
};

typedef struct drawing {
  const chart *chart;
  text *out;
  double left; /* of the first lane */
  double space;
  double top;  /* of the first row */
  double foot; /* height of what stands below the rows in the lanes */
  double width, height;
} drawing;

/* Characters, not bytes: continuation bytes of UTF-8 do not count. */
static size_t characters(const char *s)
{
  size_t n = 0;
  for (; *s; s++)
    n += ((unsigned char)*s & 0xc0) != 0x80;
  return n;
}

/* About: which font there is, nobody knows here. */
static const double CHARACTER = 7.0, BOLD = 7.8;

static double text_width(const char *s)
{
  size_t n = characters(s);
  return CHARACTER * (double)(n < LABEL_MAX ? n : LABEL_MAX);
}

static void add_xml(text *out, const char *s, size_t most)
{
  size_t n = 0;
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if ((c & 0xc0) != 0x80 && n++ >= most)
      break;
    text_add_xml_char(out, *s);
  }
  if (*s)
    text_add(out, "&#8230;");
}

static double lane_x(const drawing *d, size_t index)
{
  return d->left + d->space * (double)index;
}

static double row_y(const drawing *d, size_t row)
{
  return d->top + ROW * ((double)row + 0.5);
}

/* A label of at most so many characters. */
static void add_short_label(const drawing *d, double x, double y,
                            const char *kind, const char *label, size_t most)
{
  text_printf(d->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", kind, x, y);
  add_xml(d->out, label, most);
  if (characters(label) > most) {
    text_add(d->out, "<title>");
    add_xml(d->out, label, SIZE_MAX);
    text_add(d->out, "</title>");
  }
  text_add(d->out, "</text>\n");
}

static void add_label(const drawing *d, double x, double y, const char *kind,
                      const char *label)
{
  add_short_label(d, x, y, kind, label, LABEL_MAX);
}

/* ---- measures ----------------------------------------------------------- */

static double widest(double a, double b)
{
  return a > b ? a : b;
}

/* The width of a lane's foot; 0: it has none. */
static double foot_width(const lane *l)
{
  if (!l->waits)
    return 0;
  return widest(text_width(l->waits), text_width(l->because)) + 16;
}

/* Whether a message is under way while something else happens, or goes back to
** its sender. */
static bool waits(const chart *c, const event *e)
{
  const event *to = e->arrival >= 0 ? &c->events.data[e->arrival] : NULL;
  return e->kind == EVENT_SEND && to && (to != e + 1 || to->lane == e->lane);
}

/* Lanes stand so far apart that the labels between neighbours fit, and boxes
** leave room for the tracks of messages that wait. */
static void measure(drawing *d)
{
  const chart *c = d->chart;
  double space = SPACE_MIN, left = 0, right = 0;
  for (size_t i = 0; i < c->lanes.len; i++)
    space = widest(space, widest(text_width(c->lanes.data[i].name) + 40,
                                 foot_width(&c->lanes.data[i]) + 10));
  for (size_t i = 0; i < c->lanes.len; i++)
    d->foot = c->lanes.data[i].waits ? FOOT + 8 : d->foot;
  for (size_t i = 0; i < c->events.len; i++) {
    const event *e = &c->events.data[i];
    double w = text_width(e->label) * BOLD / CHARACTER + 20;
    space = widest(space, w + 10 + TRACKS * TRACK);
    if (e->kind == EVENT_STEP && e->lane == 0)
      left = widest(left, w / 2);
    bool aside = e->kind == EVENT_SEND && e->arrival < 0;
    if (e->lane + 1 == c->lanes.len && (aside || e->kind == EVENT_STEP))
      right = widest(right, aside ? w + 40 : w / 2);
    /* What waits, or comes back, does so beside its lane. */
    if (e->lane + 1 == c->lanes.len && waits(c, e))
      right = SPACE_MAX / 2;
  }
  d->space = space < SPACE_MAX ? space : SPACE_MAX;
  d->left = MARGIN + GUTTER + widest(left, d->space / 2 - 10);
  d->top = MARGIN + HEAD + 10;
  d->width = d->left + widest(right, d->space / 2 - 10) + MARGIN;
  if (c->lanes.len > 1)
    d->width += d->space * (double)(c->lanes.len - 1);
  if (c->story->ending)
    d->width = widest(d->width, text_width(c->story->ending) + 80);
  double below = c->story->ending ? 1.4 : 0.2;
  d->height = d->top + ROW * ((double)c->events.len + below) + d->foot + MARGIN;
}

/* ---- parts -------------------------------------------------------------- */

static void draw_start(const drawing *d)
{
  text_printf(d->out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
              "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
              "font-family=\"Helvetica, Arial, sans-serif\" "
              "font-size=\"12\">\n",
              d->width, d->height, d->width, d->height);
  text_add(d->out,
           "<style>\n"
           ".paper{fill:#fff}\n"
           ".life{stroke:#b8bec8;stroke-width:1;stroke-dasharray:3 4}\n"
           ".alive{stroke:#6b7785;stroke-width:1.5}\n"
           ".head{fill:#2f4a6d}\n"
           ".name{fill:#fff;font-weight:bold;text-anchor:middle}\n"
           ".box{fill:#eef3fa;stroke:#7d97ba}\n"
           ".bad{fill:#fdeceb;stroke:#c23b2e}\n"
           ".wait{fill:#fff7e6;stroke:#b06a1b}\n"
           ".note{fill:#22303f;text-anchor:middle}\n"
           ".wrong{fill:#a3281c;text-anchor:middle;font-weight:bold}\n"
           ".arrow{stroke:#22303f;stroke-width:1.4;fill:none}\n"
           ".lost{stroke:#b06a1b;stroke-width:1.4;stroke-dasharray:5 3;"
           "fill:none}\n"
           ".said{fill:#123f7a;text-anchor:middle;paint-order:stroke;"
           "stroke:#fff;stroke-width:4px}\n"
           ".aside{fill:#123f7a}\n"
           ".row{fill:#9aa3ae;font-size:10px;text-anchor:end}\n"
           ".loop{stroke:#7a4fa3;stroke-width:1.4;stroke-dasharray:6 4}\n"
           ".again{fill:#7a4fa3}\n"
           "</style>\n"
           "<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" "
           "refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
           "orient=\"auto-start-reverse\">"
           "<path d=\"M0 0 L10 5 L0 10 z\" fill=\"#22303f\"/></marker>"
           "</defs>\n"
           "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
}

static void draw_line(const drawing *d, const char *kind, double x1, double y1,
                      double x2, double y2, const char *more)
{
  text_printf(d->out,
              "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
              "y2=\"%.1f\"%s/>\n",
              kind, x1, y1, x2, y2, more);
}

static void draw_box(const drawing *d, const char *kind, double x, double y,
                     double w, double h)
{
  text_printf(d->out,
              "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
              "height=\"%.1f\" rx=\"4\"/>\n",
              kind, x - w / 2, y - h / 2, w, h);
}

/* A life line is drawn strong between the first and the last event of its
** process. */
static void draw_lane(const drawing *d, size_t index)
{
  const chart *c = d->chart;
  const lane *l = &c->lanes.data[index];
  double x = lane_x(d, index), w = text_width(l->name) + 26;
  double end = d->top + ROW * (double)c->events.len;
  size_t first = SIZE_MAX, last = 0;
  for (size_t i = 0; i < c->events.len; i++) {
    const event *e = &c->events.data[i];
    if (e->lane != index && (e->kind != EVENT_MEET || e->other != index))
      continue;
    first = first == SIZE_MAX ? i : first;
    last = i;
  }
  draw_line(d, "life", x, MARGIN + HEAD, x, end, "");
  if (first != SIZE_MAX)
    draw_line(d, "alive", x, l->first == 0 ? MARGIN + HEAD : row_y(d, first), x,
              row_y(d, last), "");
  draw_box(d, "head", x, MARGIN + HEAD / 2.0, w > 60 ? w : 60, HEAD);
  add_label(d, x, MARGIN + HEAD / 2.0 + 4, "name", l->name);
}

/* An arrow between two rows of which nothing lies between. */
static void draw_arrow(const drawing *d, double x1, double y1, double x2,
                       double y2, const char *label)
{
  draw_line(d, "arrow", x1, y1, x2, y2, " marker-end=\"url(#tip)\"");
  /* The label stays above its arrow, also at the end where that is higher. */
  double slope = (y2 - y1) / (x2 > x1 ? x2 - x1 : x1 - x2);
  double rise = slope * text_width(label) / 2;
  rise = rise < 14 ? rise : 14;
  add_label(d, (x1 + x2) / 2, (y1 + y2) / 2 - 6 - rise, "said", label);
}

/* The track for a message in the gap beside its sender's lane: one that no other
** is on at the same time, as long as there are enough. */
static size_t track_of(const chart *c, size_t row)
{
  const event *e = &c->events.data[row];
  bool left = c->events.data[e->arrival].lane < e->lane;
  size_t before = 0;
  for (size_t i = 0; i < row; i++) {
    const event *o = &c->events.data[i];
    if (waits(c, o) && o->arrival >= (int64_t)row &&
        (o->lane == e->lane || o->lane + 1 == e->lane ||
         o->lane == e->lane + 1) &&
        (c->events.data[o->arrival].lane < o->lane) == left)
      before++;
  }
  return before % TRACKS;
}

/* A message that waits leaves its sender's lane in the row in which it is sent,
** goes down in the gap between two lanes, where no box is, and arrives in the
** row in which it is received. */
static void draw_waiting(const drawing *d, size_t row)
{
  const chart *c = d->chart;
  const event *e = &c->events.data[row];
  double x1 = lane_x(d, e->lane), y1 = row_y(d, row);
  double x2 = lane_x(d, c->events.data[e->arrival].lane);
  double y2 = row_y(d, (size_t)e->arrival);
  double side = x2 < x1 ? -1 : 1;
  double track = TRACK * ((double)track_of(c, row) - TRACKS / 2);
  double x = x1 + side * d->space / 2 + track;
  text_printf(d->out,
              "<path class=\"arrow\" marker-end=\"url(#tip)\" "
              "d=\"M%.1f %.1f H%.1f V%.1f H%.1f\"/>\n",
              x1, y1, x, y2, x2);
  add_label(d, (x1 + x) / 2, y1 - 6, "said", e->label);
  /* Far from where it was sent it is named again. */
  if (y2 - y1 > 2 * ROW && x2 != x1)
    add_label(d, x2 - side * d->space / 2, y2 - 6, "said", e->label);
}

static void draw_message(const drawing *d, size_t row)
{
  const event *e = &d->chart->events.data[row];
  double x = lane_x(d, e->lane), y = row_y(d, row);
  if (e->kind == EVENT_MEET) {
    draw_arrow(d, x, y, lane_x(d, e->other), y, e->label);
  } else if (waits(d->chart, e)) {
    draw_waiting(d, row);
  } else if (e->kind == EVENT_SEND && e->arrival >= 0) {
    const event *to = &d->chart->events.data[e->arrival];
    draw_arrow(d, x, y, lane_x(d, to->lane), row_y(d, (size_t)e->arrival),
               e->label);
  } else if (e->kind == EVENT_SEND) {
    /* Sent and never received. */
    draw_line(d, "lost", x, y, x + 34, y, "");
    text_printf(d->out,
                "<circle class=\"lost\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
                x + 38, y);
    add_label(d, x + 47, y + 4, "aside", e->label);
  } else if (e->kind == EVENT_RECEIVE && e->origin < 0) {
    draw_line(d, "lost", x - 34, y, x, y, " marker-end=\"url(#tip)\"");
    add_label(d, x - 20, y - 6, "said", e->label);
  }
}

/* A text that is cut to its box, which leaves room for tracks beside it. */
static void draw_step(const drawing *d, size_t row)
{
  const chart *c = d->chart;
  const event *e = &c->events.data[row];
  bool bad =
      c->story->end == TRACE_FAULT && e->step == &vec_last(&c->story->steps);
  double x = lane_x(d, e->lane), y = row_y(d, row);
  double character = bad ? BOLD : CHARACTER;
  double room = d->space - TRACKS * TRACK - 6;
  size_t n = characters(e->label), most = (size_t)((room - 16) / character);
  double w = character * (double)(n < most ? n : most) + 16;
  draw_box(d, bad ? "bad" : "box", x, y, w, BOX);
  add_short_label(d, x, y + 4, bad ? "wrong" : "note", e->label, most);
}

static void draw_loop(const drawing *d)
{
  double y = d->top + ROW * (double)d->chart->loop;
  draw_line(d, "loop", MARGIN + GUTTER - 10, y, d->width - MARGIN, y, "");
  add_label(d, MARGIN, y + 4, "again", "loop");
}

/* What the process of a lane waits for, cut to what fits between lanes. */
static void draw_foot(const drawing *d, size_t index)
{
  const lane *l = &d->chart->lanes.data[index];
  double x = lane_x(d, index), w = foot_width(l);
  double y = d->top + ROW * (double)d->chart->events.len + FOOT / 2.0;
  size_t most = (size_t)((d->space - 40) / CHARACTER);
  if (!l->waits)
    return;
  draw_box(d, "wait", x, y, w < d->space - 10 ? w : d->space - 10, FOOT);
  add_short_label(d, x, y - 4, "note", l->waits, most);
  add_short_label(d, x, y + 12, "note", l->because, most);
}

static void draw_ending(const drawing *d)
{
  const chart *c = d->chart;
  double y = d->top + ROW * ((double)c->events.len + 0.7) + d->foot;
  bool good = c->story->end == TRACE_WITNESS;
  draw_box(d, good ? "box" : "bad", d->width / 2, y, d->width - 2 * MARGIN,
           BOX + 4);
  add_label(d, d->width / 2, y + 4, good ? "note" : "wrong", c->story->ending);
}

void chart_svg(story *s, bool all, text *out)
{
  chart c;
  chart_create(&c, s, all);
  drawing d = {.chart = &c, .out = out};
  measure(&d);
  draw_start(&d);
  for (size_t i = 0; i < c.lanes.len; i++)
    draw_lane(&d, i);
  /* Boxes cover arrows, so that their texts stay readable. */
  for (size_t i = 0; i < c.events.len; i++) {
    char number[16];
    snprintf(number, sizeof number, "%u", c.events.data[i].step->number);
    add_label(&d, MARGIN + GUTTER - 16, row_y(&d, i) + 4, "row", number);
    if (c.events.data[i].kind != EVENT_STEP)
      draw_message(&d, i);
  }
  for (size_t i = 0; i < c.events.len; i++)
    if (c.events.data[i].kind == EVENT_STEP)
      draw_step(&d, i);
  if (c.loop >= 0)
    draw_loop(&d);
  for (size_t i = 0; i < c.lanes.len; i++)
    draw_foot(&d, i);
  if (s->ending)
    draw_ending(&d);
  text_add(out, "</svg>\n");
  chart_free(&c);
}
