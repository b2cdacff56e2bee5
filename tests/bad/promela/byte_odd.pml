init {
  skip 
}
/*
expect: 2:8: error: unexpected byte 0x01: this is not Promela text
*/
