#include "base/verdict.h"

#include "base/text/list_text.h"

#define VERDICT(name, text, status) [VERDICT_##name] = text,
LIST_TEXT(verdict_text, verdict, VERDICTS(VERDICT))
#undef VERDICT

#define REASON(name, number, text) [REASON_##name] = text,
LIST_TEXT(reason_text, reason, REASONS(REASON))
#undef REASON
