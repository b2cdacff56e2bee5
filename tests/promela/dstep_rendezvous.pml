/* Nobody can answer inside of a d_step: a send to a rendezvous channel that is
 * not its first statement blocks there, which is an error of the step.
 *
 * expect bounds: violated
 */
chan c = [0] of { byte };
byte x;

active proctype S() { d_step { x = 1; c!3; x = 2 } }

active proctype R() { byte y; c?y; assert(x == 0) }
