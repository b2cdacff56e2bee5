/* expect: 26:26: error: the inlines expand to too much text
*/
inline f0() { f1(); f1() }
inline f1() { f2(); f2() }
inline f2() { f3(); f3() }
inline f3() { f4(); f4() }
inline f4() { f5(); f5() }
inline f5() { f6(); f6() }
inline f6() { f7(); f7() }
inline f7() { f8(); f8() }
inline f8() { f9(); f9() }
inline f9() { f10(); f10() }
inline f10() { f11(); f11() }
inline f11() { f12(); f12() }
inline f12() { f13(); f13() }
inline f13() { f14(); f14() }
inline f14() { f15(); f15() }
inline f15() { f16(); f16() }
inline f16() { f17(); f17() }
inline f17() { f18(); f18() }
inline f18() { f19(); f19() }
inline f19() { f20(); f20() }
inline f20() { f21(); f21() }
inline f21() { f22(); f22() }
inline f22() { f23(); f23() }
inline f23() { f24(); f24() }
inline f24() { skip }
init { f0() }
