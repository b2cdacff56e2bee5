/* expect: 3:8: error: 'break' may only be used inside a loop
*/
init { break }
