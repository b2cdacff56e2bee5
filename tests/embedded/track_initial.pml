/* Tracked memory starts with the value that C gave it. */
/* expect: holds; states 31; transitions 51 */
c_decl { int value = 41; char word[6] = "hello"; int *nowhere; }
c_track "&value" "sizeof(int)"
c_track "word" "sizeof(word)"
c_track "nowhere" "sizeof(int)" "UnMatched"

active [2] proctype main()
{
  c_code { value++; };
  assert(c_expr { value == 42 || value == 43 });
  c_code { word[Pmain->_pid] = 'x'; };
  assert(c_expr { word[4] == 'o' })
}
