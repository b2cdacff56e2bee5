init { np_ }
/*
expect: 1:8: error: 'np_' may only be used in never claims and ltl formulas
*/
