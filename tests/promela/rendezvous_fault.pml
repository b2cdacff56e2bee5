/* The answer of a rendezvous fails: its trail has both halves, as SPIN's has.
 * The receiver's index is wrong. */
/* expect bounds: violated */
chan c = [0] of { byte };
byte a[2], i = 5;

active proctype sender() { c!1 }

active proctype receiver() { c?a[i] }
