/* In the last state nobody is at an accept label: Q still offers c!1, which
 * nobody takes.  With fairness pan takes it for an accepting one. */
/* spin -a: errors 0 */
/* spin -a -f: errors 1 */
/* expect acceptance: holds */
/* expect acceptance: holds; with --fair weak */
chan c = [0] of { byte };
byte x;
active proctype P() { accept_p: x = 1 }
active proctype Q() { c!1; accept_q: x = 1 }
