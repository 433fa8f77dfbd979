/* Addresses behind the end of the code that are meant as code: a limit, a table index that starts at 1. Linked with the data
 * close behind, only a library without a scratch segment keeps them. */
	.include "library.inc"
	.text
	.align	4
	.global	_start
_start:	entry	a1, 32
	movi	a2, _start+0x700
	const16	a3, (_start+0x401)@h
	const16	a3, (_start+0x401)@l
	retw.n
	.data
limits:	.long	_start+0x600, _start+0x7e0, limits
	kernel	0x47, 0, _start
