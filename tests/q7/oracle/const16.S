/* CONST16: adjacent halves, gaps of 16- and 24-bit instructions, interleaved pairs, one half alone, plain numbers, carries. */
	.include "library.inc"
	.text
	.align	4
	.global	_start
_start:	entry	a1, 32
	const16	a2, block@h
	const16	a2, block@l
	const16	a3, (block+5)@h
	nop.n
	const16	a3, (block+5)@l
	const16	a4, (block+0x7fff)@h
	addi	a5, a5, 1
	addi.n	a5, a5, 1
	const16	a4, (block+0x7fff)@l
	const16	a6, _start@h
	const16	a7, block@h
	const16	a6, _start@l
	const16	a7, block@l
	const16	a8, (block-4)@l
	const16	a9, (_start+0x8000)@h
	const16	a9, (_start+0x8000)@l
	const16	a10, 0x1234
	const16	a10, 0x5678
	const16	a11, tail@l
	const16	a11, tail@h
	movi	a12, block+0x1000
	movi	a13, 0x01234567
	movi	a14, -7
	retw.n
	.data
block:	.space	0x40, 0xee
tail:	.byte	1
	kernel	0x45, 0, _start
