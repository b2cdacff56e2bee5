/* expect: 3:8: error: expected a statement, found ';'
*/
init { ; skip }
