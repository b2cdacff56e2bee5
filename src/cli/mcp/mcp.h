/* The server for assistants, by the Model Context Protocol: a few tools, each
** with a limit of time that must be given, over the files of one folder.
**
**   client ── rpc ──> mcp.c          the protocol; each call has a thread
**                  ──> mcp_tools.c   what the tools do
**                  ──> mcp_schema.c  what they take
**
** Nothing is kept between calls.  No file outside of the folder is opened, no C
** of a model is run, no plug-in is loaded, and nothing is written.  What comes
** in is compared with the schema by hand, and what goes out is bounded. */

#ifndef NUT_CLI_MCP_MCP_H
#define NUT_CLI_MCP_MCP_H

#include "base/text/text.h"
#include "nutshell.h"
#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>

/* Counts the changes after which a client could go wrong. */
#define MCP_SCHEMA "nutshell-mcp/1"
enum { MCP_SECONDS_MOST = 3600 };

/* A call of a tool, in a thread of its own. */
typedef struct mcp_call {
  const json_t *arguments;
  const char *root;
  /* What 'mcp_cancel' stops; under the lock. */
  pthread_mutex_t lock;
  nut_workspace *workspace;
  bool cancelled;
  text problem; /* why there is no answer */
} mcp_call;

/* The answer of a tool; NULL: 'problem' tells why there is none. */
typedef json_t *mcp_tool(mcp_call *);

typedef struct mcp_entry {
  const char *name, *summary;
  mcp_tool *work;
  const char *properties; /* of its arguments, JSON */
} mcp_entry;

/* NULL: there is none of that name. */
const mcp_entry *mcp_find(const char *name);
json_t *mcp_list(void);
/* Whether the arguments are those of the tool; false with the reason. */
bool mcp_fits(const mcp_entry *, const json_t *arguments, text *why);
void mcp_cancel(mcp_call *);

mcp_tool mcp_load, mcp_check, mcp_explain, mcp_step, mcp_replay;

#endif
