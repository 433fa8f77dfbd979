/* A jump table in the data and one in the code; branches, zero-overhead loops, jumps of all widths. */
	.include "library.inc"
	.text
	.align	4
inner:	.long	case0, case1, case2
	.global	_start
_start:	entry	a1, 32
	movi	a3, cases
	extui	a4, a2, 0, 2
	addx4	a3, a4, a3
	l32i.n	a3, a3, 0
	jx	a3
case0:	l32r	a5, inner
	movi.n	a2, 0
	retw.n
case1:	movi	a6, 9
	loop	a6, 1f
	addi.n	a2, a2, 1
	nop
1:	loopnez	a2, 2f
	nop.n
	nop
2:	loopgtz	a2, 3f
	nop
	nop.n
3:	beqz	a2, case0
	bnez.n	a2, 4f
	bltz	a2, case0
4:	beqi	a2, 16, case2
	bltui	a2, 128, case0
	bgeu	a2, a3, case3
	bbci	a2, 31, case3
	bany	a2, a3, case0
case2:	j	case3
	.space	300
case3:	movi.n	a2, 3
	retw.n
	.section .rodata, "a"
	.align	4
cases:	.long	case0, case1, case2, case3
	kernel	0xbe, 0, _start
	kernel	0xf2, 0, case3
