/* Noted signals: see interrupt.h. */
#include "util/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static volatile sig_atomic_t noted;

static void note(int number)
{
    if (!noted)
        noted = number;
}

void interrupt_catch(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old, now;
        memset(&now, 0, sizeof now);
        sigemptyset(&now.sa_mask);
        now.sa_handler = note;
        /* Without SA_RESTART, so that a blocked read or write ends. A closed pipe may tell many times. */
        now.sa_flags = numbers[i] == SIGPIPE ? 0 : (int)SA_RESETHAND;
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* as nohup wants it */
            sigaction(numbers[i], &now, NULL);
    }
}

int interrupt_pending(void)
{
    return noted;
}
