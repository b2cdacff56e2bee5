/* Once the door is shut, only an unfair run does not fail: the guest can pass
** again and again, though not always. */
bool shut, asked;

active proctype door()
{
  if
  :: shut = true
  :: asked = true
  fi;
  do
  :: asked -> asked = false
  :: !asked -> asked = true
  od
}

active proctype guest()
{
  shut && asked;
  assert(false)
}
