/* expect: 3:8: error: 'np_' may only be used in never claims and ltl formulas
*/
init { np_ }
