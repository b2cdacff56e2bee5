/* m4, the macro processor in front of '.mdve' files.  Known besides its own
** macros:
**
**   default(N, 3)                  N is 3 unless it was given otherwise
**   forloop(i, 0, N - 1, `text')   text for i = 0, 1, ..., N - 1
**
** A model is data: the macros of m4 that run programs or write files do not
** exist here, nor does 'undivert', and 'include' takes files of the folders of
** the model only (see base/source/source.h). */

#ifndef NUT_LANG_DVE_M4_H
#define NUT_LANG_DVE_M4_H

#include "lang/command.h"
#include "lang/dve/dve.h"
#include "lang/scan.h"

/* One line of what m4 wrote comes from one line of a source. */
typedef struct m4_line {
  uint32_t start; /* in the output */
  uint32_t line;  /* in the source, from 1 */
} m4_line;

/* A word of the source, and whether it stands there once only. */
typedef struct m4_word {
  uint32_t start, length; /* length 0: a free place of the table */
  bool repeated;
} m4_word;

typedef struct m4_map {
  const sources *sources;
  uint32_t file;   /* as the user wrote it */
  uint32_t output; /* what m4 made of it, a source too */
  uint32_t count;
  const m4_line *lines;
  m4_word *words; /* a hash table */
  uint32_t table; /* its size, a power of two */
} m4_map;

/* Expands the source 'file' and fills in the map; false with diagnostics.
** 'ran' gets the texts of m4, for the caller to free, also when memory runs
** out on the way. */
bool m4_expand(arena *, sources *, diags *, uint32_t file, const dve_options *,
               filter_command *ran, m4_map *);
/* Where the user wrote what stands there in the output: for 'scan_map'. */
span m4_locate(const void *map, uint32_t start, uint32_t length);

#endif
