/*
 * Which rules apply to a name. Rules are many and names are many, so globs are found by a piece of their
 * literal text instead of being tried one after the other.
 */
#ifndef NEFFSIM_WAVE_SELECT_H
#define NEFFSIM_WAVE_SELECT_H

#include "wave/compare.h"

/* Of several rules of a kind the last one counts. Numbers of rules, from 1; 0: none. */
struct wave_choice {
    bool ignored;
    bool only; /* named by an only rule, or there is no such rule */
    uint32_t mask, tol, when;
};

struct wave_selector;

int wave_selector_make(const struct wave_rule *rules, size_t n, struct wave_selector **out, struct nerr *err);
void wave_selector_free(struct wave_selector *s); /* NULL is allowed */

/* Rules for a full name; a glob without a range also meets "name[3:0]". */
struct wave_choice wave_selector_look(struct wave_selector *s, const char *name);

/* Whether the rule ever applied to a name that was looked at. */
bool wave_selector_used(const struct wave_selector *s, size_t rule);

#endif
