/* Entries of type 0 between the others, an odd table. Type 0 has no place: its site is 0. */
	.include "library.inc"
	.section .q7.rela, "a"
	.long	0, 0, 0
	.long	0, 0, 0
	.long	0xffffffff, 0, 0x01000000
	.text
	.align	4
	.global	_start
_start:	entry	a1, 32
	movi	a2, value
	retw.n
	.data
value:	.long	value
	kernel	0x7b, 0, _start
