/* This file is a table from addresses to addresses. */
#ifndef WORLDLINE_MAP_H
#define WORLDLINE_MAP_H

#include <stddef.h>

typedef struct {
    const void *key;
    void *value;
} MapEntry;

typedef struct {
    MapEntry *entries;
    size_t size; /* a power of two, or 0 */
    size_t used; /* entries that hold something, or did */
} Map;

/* NULL if there is none. */
void *map_get(const Map *map, const void *key);

/* -1 if there is no memory. The value must not be NULL. */
int map_set(Map *map, const void *key, void *value);

/* Gives what was there, or NULL. */
void *map_take(Map *map, const void *key);

void map_free(Map *map);

#endif
