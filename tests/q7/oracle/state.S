/* A .bss with state pointers, initialised data around it, a pointer to each end, state kept through CONST16. */
	.include "library.inc"
	.text
	.align	4
	.global	_start
_start:	entry	a1, 32
	movi	a2, bss_start
	movi	a3, bss_end
	sub	a3, a3, a2
	srli	a3, a3, 2
	movi.n	a4, 0
	loopgtz	a3, 1f
	s32i.n	a4, a2, 0
	addi.n	a2, a2, 4
1:	movi	a5, state
	movi	a6, table_pointer
	l32i.n	a6, a6, 0
	s32i	a6, a5, 4
	retw.n
	.data
table_pointer: .long kernel_info_table_start, kernel_info_table_end, bss_start, bss_end
	.long	shared+12
	.bss
	.align	4
	.space	7
	.align	4
state:	.space	0x3c
	.comm	shared, 32, 8
	kernel	0x46, 0, _start
