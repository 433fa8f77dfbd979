/*
 * Protobuf messages from files: protobuf-c decodes them, this file makes that safe and says what is wrong
 * where. protobuf-c answers a bad message with NULL only, and allocates whatever many tiny fields ask for.
 */
#ifndef NEFFSIM_UTIL_PROTOBUF_H
#define NEFFSIM_UTIL_PROTOBUF_H

#include <protobuf-c/protobuf-c.h>
#include <stddef.h>
#include <stdint.h>

#include "util/nerr.h"

/*
 * Decodes len bytes as one message of type *type. Unknown fields are skipped and counted in *unknown, unknown
 * enum values are kept; repeated numbers may be packed or single. *out is freed with
 * protobuf_c_message_free_unpacked (no allocator).
 *
 * NERR_INPUT with place "where byte 0xN" for a varint, tag or length that is cut or too long, a field that is
 * longer than the message it is in, a wire type that is not the field's, groups, and a message that needs
 * more than 2 * len + 64 MiB of memory. NERR_MEM when out of memory.
 */
int protobuf_read(const uint8_t *buf, size_t len, const ProtobufCMessageDescriptor *type, const char *where,
                  size_t *unknown, ProtobufCMessage **out, struct nerr *err);

#endif
