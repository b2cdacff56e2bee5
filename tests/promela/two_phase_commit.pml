/* A coordinator and two participants decide together, with messages that
 * carry the sender. */
/* expect: holds; states 1540; transitions 3400 */
#define N 2
mtype = { vote, yes, no, commit, rollback };
chan to[N] = [1] of { mtype };
chan back = [N] of { mtype, byte };
byte committed, undone;

proctype participant(byte k) {
  to[k] ? vote;
  if
  :: back ! yes, k
  :: back ! no, k; goto aborted
  fi;
  if
  :: to[k] ? commit -> committed++; goto done
  :: to[k] ? rollback -> skip
  fi;
aborted:
  undone++;
done:
  skip
}

init {
  byte i, who, ok;
  bool voted[N];
  atomic {
    for (i : 0 .. N - 1) {
      run participant(i)
    }
  };
  for (i : 0 .. N - 1) {
    to[i] ! vote
  }
  for (i : 1 .. N) {
    if
    :: back ? yes, who -> ok++; voted[who] = true
    :: back ? no, who
    fi
  }
  for (i : 0 .. N - 1) {
    if
    :: voted[i] -> if
                   :: ok == N -> to[i] ! commit
                   :: else -> to[i] ! rollback
                   fi
    :: else
    fi
  }
  _nr_pr == 1;
  assert(committed == 0 || undone == 0);
  assert(committed + undone == N)
}
