/* A tar archive (in a frame: members.h), its names as files of a folder, and the header it would be packed
 * with. */
#include "members.h"
#include "neff/pack_source.h"
#include "neff/unpack.h"
#include "neff/unpack_names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* No entry may leave the folder, and none may be a file and a folder at once. */
static void check_names(const struct neff *n)
{
    for (size_t i = 0; i < neff_entry_count(n); i++) {
        const char *name = neff_entry_at(n, i)->name;
        size_t len = strlen(name);
        DEMAND(len > 0 && name[0] != '/' && strcmp(name, NEFF_HEADER_FILE) != 0);
        DEMAND(!strstr(name, "//") && strncmp(name, "../", 3) != 0 && !strstr(name, "/../"));
        DEMAND(len < 3 || strcmp(name + len - 3, "/..") != 0);
        DEMAND(strcmp(name, "..") != 0 && strcmp(name, ".") != 0);
    }
}

/* What unpack writes as header.json is read again by pack. */
static void check_header(const struct neff *n)
{
    const struct neff_unpack_options opt = { .header_name = NULL };
    struct strbuf text = { 0 };
    struct neff_pack_settings settings;
    const json_value *order = NULL;
    struct json *j = NULL;
    struct nerr err;
    neff_header_json(n, &opt, &text);
    if (!text.failed) {
        DEMAND(json_parse(text.s, text.len, NEFF_HEADER_FILE, &j, &err) == 0);
        neff_pack_defaults(&settings);
        DEMAND(header_json_read(j, &settings, &order, &err) == 0);
    }
    json_free(j);
    strbuf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct neff *n = members_open(data, size);
    struct nerr err;
    if (n) {
        if (unpack_check_names(n, NEFF_HEADER_FILE, &err) == 0)
            check_names(n);
        else
            DEMAND(err.code != 0 && err.text[0]);
        check_header(n);
    }
    neff_close(n);
    return 0;
}
