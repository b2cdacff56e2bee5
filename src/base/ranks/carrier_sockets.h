/* Carries messages between processes of one machine by sockets that they
** inherited; for tests, which can hold messages back.
**
**   NUT_RANKS_SOCKETS=1:5,-,7     this is rank 1 of three; 5 and 7 are sockets to
**                                 ranks 0 and 2
**   NUT_RANKS_HOLD=42             messages are held back at random, by this seed */

#ifndef NUT_BASE_RANKS_CARRIER_SOCKETS_H
#define NUT_BASE_RANKS_CARRIER_SOCKETS_H

#include "base/ranks/carrier.h"

#define CARRIER_SOCKETS "NUT_RANKS_SOCKETS"
#define CARRIER_HOLD "NUT_RANKS_HOLD"

extern const carrier_class carrier_sockets;

#endif
