/* Arrays that grow by doubling. */
#ifndef NEFFSIM_WAVE_GROW_H
#define NEFFSIM_WAVE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes room for n elements of `size` bytes in *array. false when out of memory; *array stays valid. */
static inline bool wave_grow(void **array, size_t *capacity, size_t n, size_t size)
{
    if (n <= *capacity)
        return true;
    size_t more = *capacity ? *capacity : 8;
    while (more < n) {
        if (more > SIZE_MAX / 2)
            return false;
        more *= 2;
    }
    if (more > SIZE_MAX / size)
        return false;
    void *p = realloc(*array, more * size);
    if (!p)
        return false;
    *array = p;
    *capacity = more;
    return true;
}

/* WAVE_GROW(&list, &capacity, n): as above for any pointer type. */
#define WAVE_GROW(array, capacity, n) wave_grow((void **)(array), (capacity), (n), sizeof **(array))

#endif
