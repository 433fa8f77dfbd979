/* L32R: literals with addresses and with numbers, in front of their function and far behind it in range. */
	.include "library.inc"
	.text
	.align	4
lit1:	.long	words
lit2:	.long	kernel2
lit3:	.long	0x01000000		/* looks like an address, is a number */
lit4:	.long	words+8
	.global	_start
_start:	entry	a1, 32
	l32r	a2, lit1
	l32r	a3, lit2
	l32r	a4, lit3
	l32r	a5, lit4
	callx8	a3
	retw.n
	.space	0x1800
	.align	4
lit5:	.long	lit1
kernel2: entry	a1, 32
	l32r	a2, lit1
	nop.n
	l32r	a3, lit5
	retw.n
	.data
words:	.long	1, 2, words, lit5
	kernel	0x7c, 0, _start
	kernel	0x7d, 0, kernel2
