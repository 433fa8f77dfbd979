/*
 * Signals that end a run (architecture §6): they are noted, long work asks for them at places where it can
 * stop, closes its files properly, and the program ends with 128 + n.
 */
#ifndef NEFFSIM_UTIL_INTERRUPT_H
#define NEFFSIM_UTIL_INTERRUPT_H

/* Notes SIGINT, SIGTERM, SIGHUP and SIGPIPE from now on; a second one of the same kind ends the process at
 * once. */
void interrupt_catch(void);

/* Number of the first noted signal, 0 for none. */
int interrupt_pending(void);

#endif
