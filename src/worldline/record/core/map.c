/* This file is a table from addresses to addresses: open addressing; an entry that was taken keeps its key. */
#include "map.h"

#include <stdint.h>
#include <stdlib.h>

static size_t
first_place(const Map *map, const void *key)
{
    uintptr_t bits = (uintptr_t)key >> 4;
    return (bits ^ (bits >> 9) ^ (bits >> 18)) & (map->size - 1);
}

static MapEntry *
find(const Map *map, const void *key)
{
    size_t place = first_place(map, key);
    while (map->entries[place].key != NULL && map->entries[place].key != key) {
        place = (place + 1) & (map->size - 1);
    }
    return &map->entries[place];
}

/* Make room: for twice the entries there are, without those that were taken. */
static int
renew(Map *map)
{
    size_t count = 0;
    for (size_t place = 0; place < map->size; place++) {
        count += map->entries[place].value != NULL;
    }
    Map next = {NULL, 64, count};
    while (next.size < count * 4) {
        next.size *= 2;
    }
    next.entries = calloc(next.size, sizeof(MapEntry));
    if (next.entries == NULL) {
        return -1;
    }
    for (size_t place = 0; place < map->size; place++) {
        if (map->entries[place].value != NULL) {
            *find(&next, map->entries[place].key) = map->entries[place];
        }
    }
    free(map->entries);
    *map = next;
    return 0;
}

void *
map_get(const Map *map, const void *key)
{
    return map->size ? find(map, key)->value : NULL;
}

int
map_set(Map *map, const void *key, void *value)
{
    if (map->used * 2 >= map->size && renew(map) < 0) {
        return -1;
    }
    MapEntry *entry = find(map, key);
    map->used += entry->key == NULL;
    entry->key = key;
    entry->value = value;
    return 0;
}

void *
map_take(Map *map, const void *key)
{
    if (!map->size) {
        return NULL;
    }
    MapEntry *entry = find(map, key);
    void *value = entry->value;
    entry->value = NULL;
    return value;
}

void
map_free(Map *map)
{
    free(map->entries);
    map->entries = NULL;
    map->size = map->used = 0;
}
