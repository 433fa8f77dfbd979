/* Opens a backend by its command-line name: see device.h. */
#include "device/device.h"

#include <string.h>

static int open_record(const char *spec, const struct dev_config *cfg, struct device **dev, struct nerr *err)
{
    const char *comma = strrchr(spec, ',');
    bool on_ref = comma && strcmp(comma, ",ref") == 0;
    size_t len = on_ref ? (size_t)(comma - spec) : strlen(spec);
    char path[4096];
    if (len == 0 || len >= sizeof path)
        return nerr_set(err, NERR_INPUT, "--device",
                        "record needs a file name: record:FILE or record:FILE,ref");
    memcpy(path, spec, len);
    path[len] = '\0';

    struct device *inner = NULL;
    int rc = on_ref ? dev_open_ref(cfg, &inner, err) : dev_open_rtl(cfg, &inner, err);
    if (rc)
        return rc;
    rc = dev_open_record(inner, path, dev, err);
    if (rc)
        inner->ops->close(inner);
    return rc;
}

int dev_open(const char *spec, const struct dev_config *cfg, struct device **dev, struct nerr *err)
{
    *dev = NULL;
    if (strcmp(spec, "rtl") == 0)
        return dev_open_rtl(cfg, dev, err);
    bool replay = strncmp(spec, "replay:", 7) == 0;
    if (cfg->inject && (replay || strcmp(spec, "ref") == 0))
        return nerr_set(err, NERR_INPUT, "--inject",
                        "faults are injected into the RTL bench; device '%s' has none", spec);
    if (strcmp(spec, "ref") == 0)
        return dev_open_ref(cfg, dev, err);
    if (strncmp(spec, "record:", 7) == 0)
        return open_record(spec + 7, cfg, dev, err);
    if (replay)
        return dev_open_replay(spec + 7, dev, err);
    return nerr_set(err, NERR_INPUT, "--device",
                    "'%s' is no device; allowed: rtl, ref, record:FILE[,ref], replay:FILE", spec);
}
