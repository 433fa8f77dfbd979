/*
 * Conditions over the signals of one file: names (full, or an ending that only one signal has) with bit
 * selects, Verilog and decimal numbers, == != === !== < <= > >= & && || ! and brackets. An x or z in an
 * operand of a comparison makes the answer unknown, and an unknown answer does not hold.
 */
#ifndef NEFFSIM_WAVE_EXPR_H
#define NEFFSIM_WAVE_EXPR_H

#include "wave/names.h"

struct wave_expr;

/* Only checks the form. *column, from 1, says where it is wrong. NERR_INPUT. */
int wave_expr_check(const char *text, size_t *column, struct nerr *err);

/* NERR_INPUT with "expression, column N" as the place. */
int wave_expr_make(const char *text, struct wave_index *index, struct wave_expr **out, struct nerr *err);
void wave_expr_free(struct wave_expr *x); /* NULL is allowed */

/* The signals it depends on, each at least once. */
const struct wave_piece *wave_expr_pieces(const struct wave_expr *x, size_t *n);

/* value(ctx, signal): the bits of a signal of the file. */
bool wave_expr_holds(struct wave_expr *x, const char *(*value)(void *ctx, uint32_t signal), void *ctx);

#endif
