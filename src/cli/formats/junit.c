/* JUnit: a suite for each model.  There is no standard; attributes and elements
** are those that build servers agree on. */

#include "cli/formats/cases.h"
#include "cli/formats/formats.h"

/* Line ends of an attribute must be written as characters. */
static void add_xml(text *out, const char *s)
{
  for (; *s; s++)
    if (*s == '\n')
      text_add(out, "&#10;");
    else
      text_add_xml_char(out, (unsigned char)*s < ' ' ? '?' : *s);
}

static void add_attribute(text *out, const char *name, const char *value)
{
  text_printf(out, " %s=\"", name);
  add_xml(out, value);
  text_add_char(out, '"');
}

static void add_case(const result_case *c, const char *file, text *out)
{
  text_add(out, "    <testcase");
  add_attribute(out, "classname", file);
  add_attribute(out, "name", c->name);
  if (c->result == CASE_OK) {
    text_add(out, "/>\n");
    return;
  }
  const char *element = c->result == CASE_FAILED ? "failure" : "error";
  text_printf(out, ">\n      <%s", element);
  add_attribute(out, "type", c->kind);
  add_attribute(out, "message", text_string(&c->message));
  text_add_char(out, '>');
  add_xml(out, text_string(&c->message));
  text_printf(out, "</%s>\n    </testcase>\n", element);
}

typedef struct junit_sums {
  size_t tests, failures, errors;
} junit_sums;

static void add_sums(junit_sums s, text *out)
{
  text_printf(out,
              " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
              "skipped=\"0\"",
              s.tests, s.failures, s.errors);
}

static junit_sums add_suite(const json_t *run, text *out)
{
  case_list cases = {0};
  cases_of(run, &cases);
  junit_sums sums = {.tests = cases.len};
  for (size_t i = 0; i < cases.len; i++) {
    sums.failures += cases.data[i].result == CASE_FAILED;
    sums.errors += cases.data[i].result == CASE_NO_ANSWER;
  }
  const json_t *seconds = json_object_get(run, "seconds");
  text_add(out, "  <testsuite");
  add_attribute(out, "name", case_file(run));
  add_sums(sums, out);
  text_printf(out, " time=\"%.3f\">\n", json_number_value(seconds));
  for (size_t i = 0; i < cases.len; i++)
    add_case(&cases.data[i], case_file(run), out);
  text_add(out, "  </testsuite>\n");
  cases_free(&cases);
  return sums;
}

void format_junit(const json_t *all, text *out)
{
  text suites = {0};
  junit_sums sums = {0};
  size_t i;
  json_t *run;
  json_array_foreach(json_object_get(all, "runs"), i, run)
  {
    junit_sums one = add_suite(run, &suites);
    sums.tests += one.tests;
    sums.failures += one.failures;
    sums.errors += one.errors;
  }
  text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<testsuites name=\"nutshell\"");
  add_sums(sums, out);
  text_printf(out, ">\n%s</testsuites>\n", text_string(&suites));
  text_free(&suites);
}
