/*
 * The functions of the FST library under the names that host/wave/fst.mk gives them (third/fst.c). Include
 * this, never fstapi.h itself. The writer is here for the tests, which make their own waves.
 */
#ifndef NEFFSIM_WAVE_FST_NAMES_H
#define NEFFSIM_WAVE_FST_NAMES_H

#define fstReaderOpen                          wave_third_fstReaderOpen
#define fstReaderClose                         wave_third_fstReaderClose
#define fstReaderGetMaxHandle                  wave_third_fstReaderGetMaxHandle
#define fstReaderSetFacProcessMask             wave_third_fstReaderSetFacProcessMask
#define fstReaderIterBlocks2                   wave_third_fstReaderIterBlocks2
#define fstWriterCreate                        wave_third_fstWriterCreate
#define fstWriterClose                         wave_third_fstWriterClose
#define fstWriterCreateVar                     wave_third_fstWriterCreateVar
#define fstWriterSetScope                      wave_third_fstWriterSetScope
#define fstWriterSetUpscope                    wave_third_fstWriterSetUpscope
#define fstWriterSetTimescale                  wave_third_fstWriterSetTimescale
#define fstWriterSetTimezero                   wave_third_fstWriterSetTimezero
#define fstWriterSetPackType                   wave_third_fstWriterSetPackType
#define fstWriterSetRepackOnClose              wave_third_fstWriterSetRepackOnClose
#define fstWriterEmitTimeChange                wave_third_fstWriterEmitTimeChange
#define fstWriterEmitValueChange               wave_third_fstWriterEmitValueChange
#define fstWriterEmitVariableLengthValueChange wave_third_fstWriterEmitVariableLengthValueChange
#define fstWriterFlushContext                  wave_third_fstWriterFlushContext
#define LZ4_decompress_safe                    wave_third_LZ4_decompress_safe

#include <fstapi.h>
#include <lz4.h>

#endif
