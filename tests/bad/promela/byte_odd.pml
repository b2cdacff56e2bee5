/* expect: 4:8: error: unexpected byte 0x01: this is not Promela text
*/
init {
  skip 
}
