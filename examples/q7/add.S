/*
 * A kernel library for the POOL cores with two kernels (docs/q7.md): what a library must have, and no more.
 * The kernels get a pointer to words in a2 and their number in a3, which is a choice of this example.
 */

/* ---- DT_INIT and DT_FINI: called when the library is loaded and unloaded */
	.section .init, "ax"
	.global	_init
_init:	entry	a1, 32
	movi	a2, count		/* an address: CONST16 pair, two relocations */
	movi.n	a3, 0
	s32i.n	a3, a2, 0
	retw.n

	.section .fini, "ax"
	.global	_fini
_fini:	entry	a1, 32
	retw.n

/* ---- e_entry: the start symbol. Never 0, so it may not be the first byte of a library linked at 0. */
	.text
	.align	4
	.global	_start
_start:	entry	a1, 32
	movi	a4, kernel_info_table_start
	const16	a3, kernel_info_table_end@h
	const16	a3, kernel_info_table_end@l
	sub	a3, a3, a4
	srli	a2, a3, 3		/* rows of the table */
	retw.n

/* ---- opcode 0x7e: a2[i] = i */
	.align	4
iota:	entry	a1, 32
	movi.n	a4, 0
	loopgtz	a3, 1f
	s32i.n	a4, a2, 0
	addi.n	a4, a4, 1
	addi.n	a2, a2, 4
1:	call8	bump
	retw.n

/* ---- opcode 0xf0, specialisation 1: a2[i] += a constant of the table `addends` */
	.align	4
add:	entry	a1, 32
	movi	a4, addends
	l32i.n	a5, a4, 4
	loopgtz	a3, 1f
	l32i.n	a6, a2, 0
	add.n	a6, a6, a5
	s32i.n	a6, a2, 0
	addi.n	a2, a2, 4
1:	call8	bump
	retw.n

	.align	4
bump:	entry	a1, 32
	movi	a2, count
	l32i.n	a3, a2, 0
	addi.n	a3, a3, 1
	s32i.n	a3, a2, 0
	retw.n

	.data
addends: .long	1, 100, 10000
	.bss
	.align	4
count:	.space	4

/* ---- one row per kernel: two zero bytes, specialisation, opcode, address */
	.section kernel_info_table, "aw"
	.byte	0, 0, 0, 0x7e
	.long	iota
	.byte	0, 0, 1, 0xf0
	.long	add

/* ---- the control block: READY word, sizes and limits */
	.section .globstruct, "aw"
	.align	8
	.long	0x6099cb34, 0, 0, 0, 0, 0
	.long	0x1000, 0x1000, 0x1000, 0x1000
	.long	0xffffff00, 0xffffff00, 0xffffff00, 0xffffff00
	.long	0, 0, -1, -1
