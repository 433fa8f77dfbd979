/* Windowed calls of all kinds, forward and backward, direct and through a register. */
	.include "library.inc"
	.text
	.align	4
leaf:	entry	a1, 16
	mov.n	a2, a3
	retw.n
	.align	4
	.global	_start
_start:	entry	a1, 48
	movi	a8, leaf
	callx8	a8
	call8	leaf
	call8	later
	movi	a8, later
	callx8	a8
	call4	leaf
	call12	later
	retw
	.align	4
plain:	addi.n	a2, a2, 1
	ret.n
	.align	4
later:	entry	a1, 32
	mov	a12, a0
	call0	plain
	movi	a5, plain
	callx0	a5
	mov	a0, a12
	j	1f
	ill
1:	retw.n
	kernel	0x41, 0, _start
	kernel	0xf0, 3, later
	kernel	0xf0, 1, leaf
