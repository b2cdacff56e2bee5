/* A guest who looks through the open door for ever and does not come in; the
** counter beside counts as long as it likes.
** expect served: violated; with --fair strong */

int seen;
bool open, service;

active proctype Counter()
{
  do
  :: seen++
  :: seen > 1 -> seen--
  :: seen == 1 -> break
  od
}

active proctype Door()
{
  do
  :: open = true; open = false
  od
}

active proctype Guest()
{
  do
  :: open -> skip
  :: open -> service = true; break
  od
}

ltl served { <> service }
