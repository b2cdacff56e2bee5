/* expect: 4:9: error: a never claim cannot send or receive
*/
chan q = [1] of { byte };
never { q!1 }
init { skip }
