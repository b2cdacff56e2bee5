/* A receive of more values than the channel has fields is no error as long as
 * it is not executed; to look at fewer values is none at all. */
/* expect: holds; states 10; transitions 10 */
chan q = [1] of { byte };
chan two = [1] of { byte, byte };
byte x;

init {
  if
  :: q ? _, _
  :: empty(q)
  fi;
  two ! 3, 4;
  two ? <x>;
  if
  :: two ? [3] -> x = 5
  fi;
  two ?? <eval(3)>;
  q ! 1;
  if
  :: q ? 2, x
  :: x = 6
  fi
}
