/*
 * What only source folders hold (docs/neff-pack.md): hex dumps, and header.json when the text starts with
 * '{'.
 */
#include <ctype.h>

#include "frame.h"
#include "neff/pack_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Offsets up to 256 MiB are right, but zeros up to there make the fuzzer slow: at most five digits here. */
static bool large_offset(const uint8_t *text, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == ':' && digits > 5)
            return true;
        digits = isxdigit(text[i]) ? digits + 1 : 0;
    }
    return false;
}

static void header(const uint8_t *text, size_t size)
{
    struct neff_pack_settings settings;
    const json_value *order = NULL;
    struct json *j = NULL;
    struct nerr err;
    neff_pack_defaults(&settings);
    if (json_parse(text, size, "header.json", &j, &err))
        return;
    int rc = header_json_read(j, &settings, &order, &err);
    DEMAND(rc == 0 || err.text[0]);
    if (rc == 0)
        DEMAND(memchr(settings.header.name, 0, sizeof settings.header.name) &&
               memchr(settings.header.build_version, 0, sizeof settings.header.build_version));
    json_free(j);
}

static void dump(const uint8_t *text, size_t size)
{
    struct strbuf out = { 0 };
    struct nerr err;
    unsigned line;
    if (hex_read((const char *)text, size, "f.hex", &out, &err) == 0)
        DEMAND(out.len <= (size_t)1 << 28);
    else if (err.code != NERR_MEM)
        DEMAND(err.code == NERR_INPUT && sscanf(err.where, "f.hex:%u", &line) == 1);
    strbuf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *text = malloc(size ? size : 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    if (size && text[0] == '{') {
        header(text, size);
    } else if (!large_offset(text, size)) {
        dump(text, size);
    }
    free(text);
    return 0;
}
