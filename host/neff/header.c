/* The 1024-byte header: codec, gates 2 to 10 with the runtime's own messages (neff-container.md §2-4). */
#include "neff/container.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "regs.h"
#include "util/bytes.h"
#include "util/hash.h"

_Static_assert(sizeof((struct neff_header *)0)->hash == NEFF_HDR_HASH_BYTES, "hash");
_Static_assert(sizeof((struct neff_header *)0)->uuid == NEFF_HDR_UUID_BYTES, "uuid");
_Static_assert(sizeof((struct neff_header *)0)->tpb_per_node == NEFF_HDR_TPB_PER_NODE_BYTES, "tpb_per_node");
_Static_assert(sizeof((struct neff_header *)0)->build_version == NEFF_HDR_BUILD_VERSION_BYTES + 1,
               "build_version");
_Static_assert(sizeof((struct neff_header *)0)->name == NEFF_HDR_NAME_BYTES + 1, "name");
_Static_assert(sizeof((struct neff_header *)0)->pad == NEFF_HDR_PAD_BYTES, "pad");
_Static_assert(NEFF_MD5_BYTES == HASH_MD5_BYTES && NEFF_SHA256_BYTES == HASH_SHA256_BYTES, "digests");

int gate_error(struct nerr *err, int code, unsigned runtime_code, int gate, const char *where,
               const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(err, code, where, fmt, ap);
    va_end(ap);
    err->runtime_code = (int)runtime_code;
    err->gate = gate;
    return code;
}

int gate_error_at(struct nerr *err, int code, unsigned runtime_code, int gate, const char *where,
                  const char *unit, uint64_t offset, const char *fmt, ...)
{
    char place[sizeof err->where];
    snprintf(place, sizeof place, "%s%s%s 0x%" PRIx64, where, where[0] ? " " : "", unit, offset);
    va_list ap;
    va_start(ap, fmt);
    nerr_vset(err, code, place, fmt, ap);
    va_end(ap);
    err->runtime_code = (int)runtime_code;
    err->gate = gate;
    return code;
}

const char *neff_feature_name(unsigned bit)
{
    static const char *const names[] = {
        [NEFF_FEAT_BINARY_WEIGHTS_BIT] = "binary weight files",
        [NEFF_FEAT_COLLECTIVE_OFFSET_BIT] = "collective_has_offset",
        [NEFF_FEAT_CUSTOM_OPS_BIT] = "neff_feature_custom_ops",
        [NEFF_FEAT_COALESCED_CCOPS_BIT] = "neff_coalesced_ccops",
        [NEFF_FEAT_QUEUE_SET_BIT] = "neff_queue_set_instances",
        [NEFF_FEAT_FUNCTIONS_BIT] = "neff_has_functions",
        [NEFF_FEAT_DYNAMIC_PWP_BIT] = "neff_feature_dynamic_pwp",
        [NEFF_FEAT_INDIRECT_SEM_WAIT_BIT] = "neff_feature_indirect_memcpy_32b_sem_wait",
        [NEFF_FEAT_INDIRECT_BOUND_BIT] = "neff_feature_indirect_memcpy_bound_check",
        [NEFF_FEAT_DMA_HIGHER_DIM_BIT] = "neff_feature_DMA_desc_higher_dim",
        [NEFF_FEAT_VNC_BIT] = "neff_feature_vnc",
        [NEFF_FEAT_DVE_PERF_BIT] = "DVE performance mode",
        [NEFF_FEAT_DGE_BIT] = "DGE",
        [NEFF_FEAT_POOL_RSQRT_BIT] = "POOL rsqrt",
        [NEFF_FEAT_REMOTE_SEM_BIT] = "neff_feature_remote_sem",
        [NEFF_FEAT_DGE_CAST_BIT] = "DGE with cast",
        [NEFF_FEAT_VECTOR_DGE_BIT] = "vector DGE",
        [NEFF_FEAT_EMBEDDING_STRIDE_BIT] = "embedding stride 32",
        [NEFF_FEAT_QUEUE_NO_REARM_BIT] = "queue instance without re-arm",
        [NEFF_FEAT_HW_DGE_BIT] = "hardware DGE",
        [NEFF_FEAT_PARTIAL_SB2SB_BIT] = "partial SB-to-SB collective",
        [NEFF_FEAT_ARCH_39_BIT] = "arch level > 39",
        [NEFF_FEAT_LARGE_TENSORS_BIT] = "large tensors",
    };
    return bit < sizeof names / sizeof names[0] ? names[bit] : NULL;
}

static void decode(const uint8_t *p, struct neff_header *h)
{
    memset(h, 0, sizeof *h);
    h->pkg_version = get_le64(p + NEFF_HDR_PKG_VERSION_OFF);
    h->header_size = get_le64(p + NEFF_HDR_HEADER_SIZE_OFF);
    h->data_size = get_le64(p + NEFF_HDR_DATA_SIZE_OFF);
    h->version_major = get_le64(p + NEFF_HDR_VERSION_MAJOR_OFF);
    h->version_minor = get_le64(p + NEFF_HDR_VERSION_MINOR_OFF);
    h->feature_bits = get_le64(p + NEFF_HDR_FEATURE_BITS_OFF);
    h->unused_0 = get_le32(p + NEFF_HDR_UNUSED_0_OFF);
    h->requested_tpb_count = get_le32(p + NEFF_HDR_TPB_COUNT_OFF);
    h->vnc_size = get_le32(p + NEFF_HDR_VNC_SIZE_OFF);
    memcpy(h->build_version, p + NEFF_HDR_BUILD_VERSION_OFF, NEFF_HDR_BUILD_VERSION_BYTES);
    memcpy(h->hash, p + NEFF_HDR_HASH_OFF, NEFF_HDR_HASH_BYTES);
    memcpy(h->uuid, p + NEFF_HDR_UUID_OFF, NEFF_HDR_UUID_BYTES);
    memcpy(h->name, p + NEFF_HDR_NAME_OFF, NEFF_HDR_NAME_BYTES - 1); /* §2: a NUL is forced at byte 255 */
    memcpy(h->tpb_per_node, p + NEFF_HDR_TPB_PER_NODE_OFF, NEFF_HDR_TPB_PER_NODE_BYTES);
    memcpy(h->pad, p + NEFF_HDR_PAD_OFF, NEFF_HDR_PAD_BYTES);
}

/* Rows 4 to 7, in the runtime's order: its sentence, and in brackets what it leaves out. */
static int check(const struct neff_header *h, uint64_t len, const char *where, struct nerr *err)
{
    uint64_t trapped = h->feature_bits & NEFF_FEATURES_TRAP;
    uint64_t behind = len - NEFF_HDR_SIZE;
    if (h->version_major > NEFF_MAJOR_MAX)
        return gate_error_at(
            err, NERR_RULE, NRT_UNSUPPORTED_NEFF_VERSION, 4, where, "byte", NEFF_HDR_VERSION_MAJOR_OFF,
            "NEFF version: %" PRIu64 ".%" PRIu64 " is not supported, accepted version range: %u.x-%u.x",
            h->version_major, h->version_minor, 0u, NEFF_MAJOR_MAX);
    if (h->version_major == NEFF_MAJOR_FEATURES && trapped)
        return gate_error_at(
            err, NERR_RULE, NRT_UNSUPPORTED_NEFF_VERSION, 5, where, "byte", NEFF_HDR_FEATURE_BITS_OFF,
            "This NEFF (version: %" PRIu64 ".%" PRIu64 ", features: 0x%" PRIx64
            ") has been compiled by a newer version of Neuron compiler. Features supported by this "
            "Neuron Runtime: 0x%" PRIx64
            ". Please update the aws-neuronx-runtime-lib package to the latest version.",
            h->version_major, h->version_minor, trapped, (uint64_t)NEFF_FEATURES_KNOWN);
    if (behind < h->data_size)
        return gate_error_at(err, NERR_INPUT, NRT_INVALID, 6, where, "byte", NEFF_HDR_DATA_SIZE_OFF,
                             "Invalid NEFF data size(%" PRIx64 " vs %" PRIx64 ") (at most 0x%" PRIx64
                             " bytes follow the header)",
                             h->data_size, len, behind);
    if (h->pkg_version != NEFF_PKG_TAR_SHA256 && h->pkg_version != NEFF_PKG_GZIP_MD5)
        return gate_error_at(
            err, NERR_RULE, NRT_UNSUPPORTED_NEFF_VERSION, 7, where, "byte", NEFF_HDR_PKG_VERSION_OFF,
            "Unsupported NEFF packager: %" PRIu64 " (1 and 2 are supported)", h->pkg_version);
    return 0;
}

int header_read(const uint8_t *head, uint64_t len, const char *where, struct neff_header *h, struct nerr *err)
{
    if (len < NEFF_HDR_SIZE)
        return gate_error(err, NERR_INPUT, NRT_INVALID, 2, where,
                          "Invalid number of NEFF bytes received %" PRIx64 " (a header alone has 0x%x)", len,
                          NEFF_HDR_SIZE);
    decode(head, h);
    if (h->header_size >= len)
        return gate_error_at(err, NERR_INPUT, NRT_INVALID, 3, where, "byte", NEFF_HDR_HEADER_SIZE_OFF,
                             "Invalid NEFF file size hdr sz: %" PRIx64 ", file sz: %" PRIx64
                             ": (the header has 0x%x bytes, an archive follows)",
                             h->header_size, len, NEFF_HDR_SIZE);
    if (h->header_size != NEFF_HDR_SIZE) /* CONVENTION of §2: the runtime only compares with the file size */
        return gate_error_at(err, NERR_INPUT, NRT_INVALID, 3, where, "byte", NEFF_HDR_HEADER_SIZE_OFF,
                             "header_size is 0x%" PRIx64 ", the only known header has 0x%x bytes",
                             h->header_size, NEFF_HDR_SIZE);
    return check(h, len, where, err);
}

static bool wants_sha256(const struct neff_header *h)
{
    return h->pkg_version == NEFF_PKG_TAR_SHA256;
}

int header_check_size(const struct neff_header *h, const char *where, struct nerr *err)
{
    if (h->data_size > 0)
        return 0;
    return gate_error_at(
        err, NERR_INPUT, NRT_INVALID, 8, where, "byte", NEFF_HDR_DATA_SIZE_OFF,
        "data_size is 0 (the runtime aborts: assertion `len > 0' failed in neff.cpp line %s)",
        wants_sha256(h) ? "0x34 (sha256)" : "0x40 (md5)");
}

int header_check_digest(const struct neff_header *h, const uint8_t *digest, const char *where,
                        struct nerr *err)
{
    bool sha = wants_sha256(h);
    size_t n = sha ? NEFF_SHA256_BYTES : NEFF_MD5_BYTES;
    char in_header[2 * NEFF_SHA256_BYTES + 1], of_window[2 * NEFF_SHA256_BYTES + 1];
    if (memcmp(digest, h->hash, n) == 0)
        return 0;
    return gate_error_at(err, NERR_RULE, NRT_INVALID, sha ? 9 : 10, where, "byte", NEFF_HDR_HASH_OFF,
                         "%s (the header has %s, the data window gives %s)",
                         sha ? "SHA256 mismatch!" : "MD5 mismatch!", hash_hex(h->hash, n, in_header),
                         hash_hex(digest, n, of_window));
}

int header_set_hash(struct neff_header *h, const uint8_t *window, struct nerr *err)
{
    size_t len = (size_t)h->data_size;
    memset(h->hash, NEFF_HASH_FILL, sizeof h->hash);
    return wants_sha256(h) ? hash_sha256(window, len, h->hash, err) : hash_md5(window, len, h->hash, err);
}

void header_write(const struct neff_header *h, uint8_t *out)
{
    memset(out, 0, NEFF_HDR_SIZE);
    put_le64(out + NEFF_HDR_PKG_VERSION_OFF, h->pkg_version);
    put_le64(out + NEFF_HDR_HEADER_SIZE_OFF, h->header_size);
    put_le64(out + NEFF_HDR_DATA_SIZE_OFF, h->data_size);
    put_le64(out + NEFF_HDR_VERSION_MAJOR_OFF, h->version_major);
    put_le64(out + NEFF_HDR_VERSION_MINOR_OFF, h->version_minor);
    put_le64(out + NEFF_HDR_FEATURE_BITS_OFF, h->feature_bits);
    put_le32(out + NEFF_HDR_UNUSED_0_OFF, h->unused_0);
    put_le32(out + NEFF_HDR_TPB_COUNT_OFF, h->requested_tpb_count);
    put_le32(out + NEFF_HDR_VNC_SIZE_OFF, h->vnc_size);
    memcpy(out + NEFF_HDR_BUILD_VERSION_OFF, h->build_version, NEFF_HDR_BUILD_VERSION_BYTES);
    memcpy(out + NEFF_HDR_HASH_OFF, h->hash, NEFF_HDR_HASH_BYTES);
    memcpy(out + NEFF_HDR_UUID_OFF, h->uuid, NEFF_HDR_UUID_BYTES);
    memcpy(out + NEFF_HDR_NAME_OFF, h->name, NEFF_HDR_NAME_BYTES - 1);
    memcpy(out + NEFF_HDR_TPB_PER_NODE_OFF, h->tpb_per_node, NEFF_HDR_TPB_PER_NODE_BYTES);
    memcpy(out + NEFF_HDR_PAD_OFF, h->pad, NEFF_HDR_PAD_BYTES);
}
