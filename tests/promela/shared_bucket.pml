/* How several threads insert pairs into a bucket of roots
** (docs/internals/levels.md): looking needs no lock, and what was not seen is
** looked for again, and put, under it.  A slot is free while its tag is 0; its
** low is written before its tag.  Both pairs have the same tag.
**
** In the end each pair was new to one thread.  With the tag first a thread takes
** a slot that is half written for its own pair, and a state is lost; without
** the second look a pair is put twice.
**
** expect: holds; states 3203; transitions 7672
** expect: violated; with -D TAG_FIRST
** expect: violated; with -D ONE_LOOK */

#define SLOTS 2

byte tag[SLOTS], low[SLOTS], news[2], done;
bit locked;

inline look() {
  i = 0;
  do
  :: i < SLOTS && tag[i] == 0 -> break
  :: i < SLOTS && tag[i] != 0 ->
     if
     :: low[i] == pair -> seen = true; break
     :: else -> i++
     fi
  :: i == SLOTS -> break
  od
}

inline put() {
  assert(i < SLOTS);
#ifdef TAG_FIRST
  tag[i] = 1;
  low[i] = pair;
#else
  low[i] = pair;
  tag[i] = 1;
#endif
  news[pair]++
}

proctype insert(byte pair) {
  byte i;
  bool seen;
  look();
  if
  :: seen
  :: else ->
     atomic { locked == 0 -> locked = 1 }
#ifdef ONE_LOOK
     do
     :: i < SLOTS && tag[i] != 0 -> i++
     :: else -> break
     od;
#else
     look();
#endif
     if
     :: seen
     :: else -> put()
     fi;
     locked = 0
  fi;
  done++
}

init {
  atomic { run insert(0); run insert(1); run insert(1) }
  done == 3;
  assert(news[0] == 1 && news[1] == 1)
}
