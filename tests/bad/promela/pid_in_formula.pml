/* expect: 7:13: error: '_pid' may only be used in processes
   expect: 8:14: error: '_priority' may only be used in processes
   expect: 9:17: error: '_pid' may only be used in processes
*/
byte x[2];
active proctype P() { x[_pid] = 1 }
ltl p { [] (_pid == 0) }
ltl q { [] !(_priority == 2) }
never { do :: x[_pid] == 1 -> break :: true od }
