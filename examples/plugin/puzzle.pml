/* The sliding puzzle of puzzle.c, of 3 times 2 or 3 times 3 tiles.
   expect: holds; states 360; transitions 841
*/

#ifndef WIDTH
#define WIDTH 3
#endif
#ifndef HEIGHT
#define HEIGHT 2
#endif

#if WIDTH * HEIGHT == 9
byte board[9] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
#else
byte board[6] = { 0, 1, 2, 3, 4, 5 };
#endif
byte hole;

inline move(to)
{
  board[hole] = board[to];
  hole = to;
  board[hole] = 0
}

active proctype puzzle()
{
end:
  do
  :: d_step { hole % WIDTH > 0 -> move(hole - 1) }
  :: d_step { hole % WIDTH < WIDTH - 1 -> move(hole + 1) }
  :: d_step { hole >= WIDTH -> move(hole - WIDTH) }
  :: d_step { hole + WIDTH < WIDTH * HEIGHT -> move(hole + WIDTH) }
  od
}
