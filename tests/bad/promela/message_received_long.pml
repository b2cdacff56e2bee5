/* expect: 11:3: warning: 2 values for channel 'q', which has 1 field
   expect: 12:3: warning: 3 values, but no channel has more than 2 fields
   expect: 13:7: error: 'y' is not declared
*/
chan q = [1] of { byte };
chan two = [1] of { byte, byte };
chan any;
byte x;

init {
  q?x,_;
  any?x,_,_;
  x = y
}
