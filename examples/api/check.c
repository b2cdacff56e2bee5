/* Checks a model with libnutshell and tells what it found.
**
**   cc -o check check.c $(pkg-config --cflags --libs nutshell)
**   ./check model.pml
**
** Everything here comes from the one public header. */

#include <nutshell.h>
#include <stdio.h>

/* Tells one step of a counterexample: where, who, what, and what changed. */
static void tell_step(const nut_trace *trace, size_t index)
{
  nut_step step = nut_trace_step(trace, index);
  printf("  %s:%u  %s(%u)  %s\n", step.file ? step.file : "?", step.line,
         step.process_type, step.process, step.text);
  for (size_t i = 0; i < step.change_count; i++) {
    nut_change change = nut_trace_change(trace, index, i);
    printf("      %s: %s -> %s\n", change.name, change.before, change.after);
  }
}

static void tell_property(nut_property property)
{
  printf("%s: %s", property.name, nut_verdict_name(property.verdict));
  if (property.reason)
    printf(" (%s)", property.reason);
  printf("\n");
  if (!property.trace)
    return;
  for (size_t i = 0; i < nut_trace_length(property.trace); i++)
    tell_step(property.trace, i);
  printf("  %s\n", nut_trace_ending(property.trace));
}

int main(int argc, char **argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODEL\n", argv[0]);
    return NUT_ERROR;
  }

  /* A model that cannot be read is still an object: it knows what is wrong. */
  nut_load load = nut_load_defaults();
  nut_model *model = nut_load_file(argv[1], &load);
  fputs(nut_model_messages(model), stderr);
  if (!nut_model_good(model)) {
    nut_model_free(model);
    return NUT_ERROR;
  }

  /* A shortest counterexample, and no more than ten seconds. */
  nut_options options = nut_default_options();
  options.shortest = true;
  options.seconds = 10;
  nut_result *result = nut_check(model, &options);

  for (size_t i = 0; i < nut_result_property_count(result); i++)
    tell_property(nut_result_property(result, i));

  nut_figures figures = nut_result_figures(result);
  printf("%llu states, %llu transitions\n", (unsigned long long)figures.states,
         (unsigned long long)figures.transitions);

  /* Verdicts are numbered like the exit statuses of the program nutshell. */
  int status = (int)nut_result_verdict(result);
  nut_result_free(result);
  nut_model_free(model);
  return status;
}
