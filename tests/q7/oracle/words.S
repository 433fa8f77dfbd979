/* Words with addresses at every byte offset, next to each other, with addends, across the sections of the data segment. */
	.include "library.inc"
	.text
	.align	4
	.global	_start
_start:	entry	a1, 32
	retw.n
	.byte	0xf0
	.long	a0_			/* in the code, off by one */
	.byte	1, 2
	.long	_start+3
	.section .rodata, "a"
r0:	.byte	0xa1
	.long	r0, a0_, bytes
	.byte	0xa2, 0xa3
	.long	_start
	.data
a0_:	.long	a0_, a0_+1, a0_+0x400, bytes-1
	.byte	0xb1
a1_:	.long	_start, a1_
	.byte	0xb2
a2_:	.long	r0+2, _start+0x10
	.byte	0xb3
a3_:	.long	bytes+15, end
	.byte	0xb4
	.long	a0_-0x3fc		/* below the segment, still taken as data */
end:
	.bss
bytes:	.space	16
	kernel	0x52, 0, _start
