/* The end of every emitted file: the one symbol the host looks for. */

#ifndef NUT_RUNTIME_MODEL_H
#define NUT_RUNTIME_MODEL_H

#include "runtime/expand.h"

#ifndef NUT_KEY
#define NUT_KEY "" /* given to the compiler */
#endif

extern const nut_native nut_native_model;

__attribute__((visibility("default")))
const nut_native nut_native_model = {.abi = NUT_ABI,
                                     .run_size = sizeof(nut_run),
                                     .key = NUT_KEY,
                                     .successors = nut_successors};

#endif
