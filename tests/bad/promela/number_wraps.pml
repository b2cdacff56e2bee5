/* expect: 3:9: warning: this number does not fit an int: it is read as -1
*/
int x = 4294967295;
init { x = 2 }
