/* The UCPL image: header and bytes (q7-prelink.md §12). */
#include <string.h>

#include "q7/q7.h"
#include "util/bytes.h"

void q7_ucpl_encode(const struct q7_ucpl *u, uint8_t out[UCPL_SIZE])
{
    put_le64(out + UCPL_MAGIC_OFF, UCPL_MAGIC);
    put_le32(out + UCPL_CODE_LEN_OFF, u->code_len);
    put_le32(out + UCPL_DATA_OFF_OFF, u->data_off);
    put_le32(out + UCPL_DATA_LEN_OFF, u->data_len);
    put_le32(out + UCPL_INIT_OFF, u->init);
    put_le32(out + UCPL_FINI_OFF, u->fini);
    put_le32(out + UCPL_START_OFF, u->start);
}

/* Largest lengths of any window set. */
static const uint32_t code_max =
    Q7_SUNDA_CODE_BYTES > Q7_CAYMAN_CODE_BYTES ? Q7_SUNDA_CODE_BYTES : Q7_CAYMAN_CODE_BYTES;
static const uint32_t data_max =
    Q7_SUNDA_DATA_BYTES > Q7_CAYMAN_DATA_BYTES ? Q7_SUNDA_DATA_BYTES : Q7_CAYMAN_DATA_BYTES;

static int check_extents(const struct q7_ucpl *u, size_t len, struct nerr *err)
{
    if (u->code_len % UCPL_LEN_ALIGN || u->code_len > code_max)
        return nerr_set(err, NERR_RULE, "byte 0x8",
                        "code_seg_len is 0x%x, must be a multiple of %u up to 0x%x", u->code_len,
                        UCPL_LEN_ALIGN, code_max);
    if (u->data_off % UCPL_DATA_ALIGN || u->data_off < UCPL_SIZE + u->code_len)
        return nerr_set(err, NERR_RULE, "byte 0xc",
                        "data_seg_off is 0x%x, must be a multiple of 0x%x from 0x%x on", u->data_off,
                        UCPL_DATA_ALIGN, UCPL_SIZE + u->code_len);
    if (u->data_len % UCPL_LEN_ALIGN || u->data_len > data_max)
        return nerr_set(err, NERR_RULE, "byte 0x10",
                        "data_seg_len is 0x%x, must be a multiple of %u up to 0x%x", u->data_len,
                        UCPL_LEN_ALIGN, data_max);
    if ((uint64_t)u->data_off + u->data_len > len)
        return nerr_set(err, NERR_RULE, "byte 0xc",
                        "the data, 0x%x bytes at 0x%x, exceeds the image of 0x%zx", u->data_len, u->data_off,
                        len);
    if (u->start == 0)
        return nerr_set(err, NERR_RULE, "byte 0x1c", "Corrupted prelink library; NULL start symbol");
    return 0;
}

int q7_ucpl_decode(const void *image, size_t len, struct q7_ucpl *u, struct nerr *err)
{
    const uint8_t *b = image;
    if (len < UCPL_SIZE)
        return nerr_set(err, NERR_INPUT, "", "%zu bytes, a UCPL header has %u", len, UCPL_SIZE);
    if (get_le64(b + UCPL_MAGIC_OFF) != UCPL_MAGIC)
        return nerr_set(err, NERR_INPUT, "byte 0x0",
                        "not a UCPL image: the magic is 0x%016llx, must be 0x%016llx",
                        (unsigned long long)get_le64(b + UCPL_MAGIC_OFF), (unsigned long long)UCPL_MAGIC);
    u->code_len = get_le32(b + UCPL_CODE_LEN_OFF);
    u->data_off = get_le32(b + UCPL_DATA_OFF_OFF);
    u->data_len = get_le32(b + UCPL_DATA_LEN_OFF);
    u->init = get_le32(b + UCPL_INIT_OFF);
    u->fini = get_le32(b + UCPL_FINI_OFF);
    u->start = get_le32(b + UCPL_START_OFF);
    return check_extents(u, len, err);
}

void q7_image_write(const struct q7_image *img, uint8_t *out)
{
    const struct q7_ucpl *u = &img->ucpl;
    memcpy(out, img->header, UCPL_SIZE);
    memcpy(out + UCPL_SIZE, img->code, u->code_len);
    memset(out + UCPL_SIZE + u->code_len, 0, u->data_off - UCPL_SIZE - u->code_len);
    memcpy(out + u->data_off, img->data, u->data_len);
}
