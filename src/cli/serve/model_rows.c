/* Rows of JSON: diagnostics, questions, values, processes, moves, steps. */

#include "cli/serve/model_rows.h"
#include "cli/formats/formats.h"

void row_put_text(json_t *j, const char *key, const char *words)
{
  if (words && *words)
    json_put(j, key, json_lines(words));
}

void row_put_place(json_t *j, nut_place at)
{
  if (!at.file || !at.line)
    return;
  json_put(j, "file", json_shown(at.file));
  json_put(j, "line", json_integer(at.line));
  json_put(j, "column", json_integer(at.column));
  if (at.end_line) {
    json_put(j, "end_line", json_integer(at.end_line));
    json_put(j, "end_column", json_integer(at.end_column));
  }
}

json_t *rows_of_diagnostics(nut_workspace *w, size_t most)
{
  static const char *const severities[] = {"error", "warning", "note"};
  size_t count = 0;
  const nut_diagnostic *d = nut_diagnostics(w, &count);
  json_t *list = json_array();
  for (size_t i = 0; i < count && i < most; i++) {
    json_t *j = json_pack("{s:s,s:o}", "severity", severities[d[i].severity],
                          "message", json_lines(d[i].message));
    row_put_place(j, d[i].at);
    json_array_append_new(list, j);
  }
  return list;
}

json_t *rows_of_questions(nut_workspace *w, size_t most)
{
  size_t count = 0;
  const nut_question *q = nut_questions(w, &count);
  json_t *list = json_array();
  for (size_t i = 0; i < count && i < most; i++) {
    json_t *j = json_pack("{s:o,s:o}", "name", json_shown(q[i].name), "kind",
                          json_shown(q[i].kind));
    row_put_text(j, "formula", q[i].formula);
    row_put_place(j, q[i].at);
    json_array_append_new(list, j);
  }
  return list;
}

json_t *rows_of_values(const nut_value *v, size_t count, size_t most)
{
  json_t *list = json_array();
  for (size_t i = 0; i < count && i < most; i++) {
    json_t *j =
        json_pack("{s:o,s:o,s:o}", "name", json_shown(v[i].name), "type",
                  json_shown(v[i].type), "value", json_shown(v[i].text));
    if (v[i].process >= 0)
      json_put(j, "process", json_integer(v[i].process));
    json_array_append_new(list, j);
  }
  return list;
}

json_t *rows_of_processes(const nut_process *p, size_t count)
{
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t *j =
        json_pack("{s:i,s:o,s:i}", "process", p[i].number, "process_type",
                  json_shown(p[i].type), "location", p[i].location);
    if (p[i].end)
      json_put(j, "end", json_true());
    row_put_place(j, p[i].at);
    row_put_text(j, "label", p[i].label);
    json_array_append_new(list, j);
  }
  return list;
}

json_t *rows_of_blocked(nut_workspace *w, nut_state s, size_t most, size_t *all)
{
  size_t count = 0;
  json_t *list = json_array();
  const nut_blocked *b = nut_not_enabled(w, s, &count);
  for (size_t i = 0; i < count && i < most; i++) {
    json_t *j = json_pack("{s:i,s:o,s:o,s:o,s:o}", "process", b[i].process,
                          "process_type", json_shown(b[i].process_type), "text",
                          json_shown(b[i].text), "why", json_shown(b[i].word),
                          "because", json_shown(b[i].because));
    row_put_place(j, b[i].at);
    json_array_append_new(list, j);
  }
  if (all)
    *all = count;
  return list;
}

json_t *row_of_move(const nut_move *m, size_t choice)
{
  json_t *j = json_pack(
      "{s:I,s:i,s:o,s:o}", "choice", (json_int_t)choice, "process", m->process,
      "process_type", json_shown(m->process_type), "text", json_shown(m->text));
  row_put_place(j, m->at);
  row_put_text(j, "fault", m->fault);
  return j;
}

json_t *row_of_step(const nut_trace *t, size_t index, size_t number,
                    size_t most)
{
  nut_step s = nut_trace_step(t, index);
  json_t *j =
      json_pack("{s:I,s:i,s:o,s:o}", "number", (json_int_t)number, "process",
                s.process, "process_type", json_shown(s.process_type), "text",
                json_shown(s.written));
  json_t *changes = json_array();
  row_put_place(j, nut_trace_place(t, index));
  row_put_text(j, "output", s.output);
  for (size_t k = 0; k < s.change_count && k < most; k++) {
    nut_change c = nut_trace_change(t, index, k);
    json_array_append_new(changes,
                          json_pack("{s:o,s:o,s:o}", "name", json_shown(c.name),
                                    "before", json_shown(c.before), "after",
                                    json_shown(c.after)));
  }
  json_put(j, "changes", changes);
  return j;
}
