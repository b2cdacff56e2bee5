/* printf with all formats and printm have no effect on the state but are
 * steps. */
/* expect: holds; states 57; transitions 99 */
mtype = { hello, bye };
byte n;

active [2] proctype P() {
  mtype m = hello;
  printf("plain\n");
  n++;
  printf("%d %u %x %o %c %e %%\n", n, n, n, n, 'a', m);
  printm(m);
  printm(bye);
  atomic { printf("in atomic %d\n", _pid); n++ }
}
