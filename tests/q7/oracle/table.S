/* The seventeen rows of a product library, in its order, every kernel a function of its own; the table's own getters. */
	.include "library.inc"
	.text
	.align	4
	.global	_start
_start:	entry	a1, 32
	movi	a4, kernel_info_table_start
	const16	a3, kernel_info_table_end@h
	nop.n
	const16	a3, kernel_info_table_end@l
	sub	a3, a3, a4
	srli	a3, a3, 3
	retw.n

	.macro	function op, spec, frame=32
	.text
	.align	4
k_\op\()_\spec: entry a1, \frame
	movi.n	a2, \spec
	retw.n
	kernel	\op, \spec, k_\op\()_\spec
	.endm
	function 0x7e, 0
	function 0x7c, 0
	function 0x7d, 0
	function 0x45, 0
	function 0x51, 0
	function 0x41, 0
	function 0xf0, 0
	function 0xf0, 1
	function 0xf0, 2
	function 0xf0, 4, 48
	function 0xf0, 3
	function 0x52, 0
	function 0x46, 0
	function 0x47, 0
	function 0xbe, 0
	function 0xf2, 0
	function 0x7b, 0
