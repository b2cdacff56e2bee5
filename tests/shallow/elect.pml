/* Rounds of an election are numbered for ever; nobody need ever win.
** expect elected: violated */

int round;
byte votes;
bool leader;

active proctype Count()
{
  do
  :: votes == 2 -> leader = true; votes = 0
  :: votes < 2 -> round++; votes = 0
  od
}

active [2] proctype Voter()
{
  do
  :: votes < 2 -> votes++
  :: votes > 0 -> votes--
  od
}

ltl elected { <> leader }
