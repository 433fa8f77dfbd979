/* One kernel, one row, no data of its own, no CONST16: the only relocation is the row's. */
	.include "library.inc"
	.text
	.global	_start
_start:	entry	a1, 32
	retw.n
	kernel	0x7e, 0, _start
