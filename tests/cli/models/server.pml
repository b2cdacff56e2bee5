chan request = [1] of { byte };
active proctype Server()
{
  byte n;
  do
  :: request?n -> n = 0
  od
}
active proctype Client() { request!1 }
