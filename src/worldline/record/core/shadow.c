/* This file is shadows of containers, and the table in which they are found by address. */
#include "shadow.h"

#define LARGE 4096 /* a larger shadow is found by address only as long as some variable has it */

static inline int
is_large(const Shadow *shadow)
{
    return shadow->count > LARGE;
}

typedef struct {
    const Shadow *shadow;
    size_t position;
} Walk;

static int walk(Walk *at, PyObject *value);

static inline int
step(Walk *at, PyObject *token)
{
    return at->position < at->shadow->count && at->shadow->tokens[at->position++] == token;
}

/* A shadow owns its atoms, so an object at the address of one is that atom, and no container. */
static inline int
walk_item(Walk *at, PyObject *item)
{
    if (at->position < at->shadow->count && at->shadow->tokens[at->position] == item) {
        at->position++;
        return 1;
    }
    return walk(at, item);
}

/* The text of a cut value was over before its items were: what comes after the last token was never shown. */
static inline int
is_over(const Walk *at)
{
    return at->shadow->is_cut && at->position == at->shadow->count;
}

static int
walk_items(Walk *at, PyObject *const *items, Py_ssize_t count)
{
    for (Py_ssize_t index = 0; index < count && !is_over(at); index++) {
        if (!walk_item(at, items[index])) {
            return 0;
        }
    }
    return 1;
}

static int
walk_dict(Walk *at, PyObject *value)
{
    Py_ssize_t position = 0;
    PyObject *key, *item;
    while (!is_over(at) && PyDict_Next(value, &position, &key, &item)) {
        if (!walk_item(at, key) || (!is_over(at) && !walk_item(at, item))) {
            return 0;
        }
    }
    return 1;
}

static int
walk_set(Walk *at, PyObject *value)
{
    Py_ssize_t position = 0;
    PyObject *element;
    Py_hash_t hash;
    while (_PySet_NextEntry(value, &position, &element, &hash)) {
        if (!walk_item(at, element)) {
            return 0;
        }
    }
    return 1;
}

/* The marks in the shadow bound the nesting, so a cycle ends in a mismatch. */
static int
walk(Walk *at, PyObject *value)
{
    int kind = container_kind(value);
    switch (kind) {
    case LIST_KIND:
        return step(at, MARK(kind, Py_SIZE(value))) &&
               walk_items(at, ((PyListObject *)value)->ob_item, Py_SIZE(value));
    case TUPLE_KIND:
        return step(at, MARK(kind, Py_SIZE(value))) &&
               walk_items(at, ((PyTupleObject *)value)->ob_item, Py_SIZE(value));
    case DICT_KIND:
        return step(at, MARK(kind, PyDict_GET_SIZE(value))) && walk_dict(at, value);
    case SET_KIND:
    case FROZENSET_KIND:
        return step(at, MARK(kind, PySet_GET_SIZE(value))) && walk_set(at, value);
    default:
        return step(at, value);
    }
}

int
shadow_matches(Shadow *shadow, PyObject *value)
{
    if (shadow->is_flat) {
        int kind = container_kind(value);
        if (shadow->tokens[0] != MARK(kind, shadow->count - 1) || Py_SIZE(value) + 1 != (Py_ssize_t)shadow->count) {
            return 0;
        }
        PyObject *const *items =
            kind == LIST_KIND ? ((PyListObject *)value)->ob_item : ((PyTupleObject *)value)->ob_item;
        return shadow->count == 1 || !memcmp(items, shadow->tokens + 1, (shadow->count - 1) * sizeof(*items));
    }
    if (shadow->version && Py_IS_TYPE(value, &PyDict_Type) && dict_version(value) == shadow->version) {
        return 1;
    }
    Walk at = {shadow, 0};
    int is_equal = walk(&at, value) && at.position == shadow->count;
    if (is_equal && shadow->version) {
        shadow->version = dict_version(value); /* the same was put into it again */
    }
    return is_equal;
}

void
shadow_release(Shadow *shadow)
{
    if (shadow == NULL || --shadow->references > 0) {
        return;
    }
    if (shadow->table->entries[shadow->place].shadow == shadow) {
        shadow->table->entries[shadow->place].shadow = NULL;
    }
    for (size_t index = 0; index < shadow->count; index++) {
        if (!IS_MARK(shadow->tokens[index])) {
            Py_DECREF(shadow->tokens[index]);
        }
    }
    free(shadow);
}

static Shadow *
shadow_new(const Tokens *tokens)
{
    Shadow *shadow = malloc(sizeof(Shadow) + tokens->count * sizeof(PyObject *));
    if (shadow == NULL) {
        return NULL;
    }
    shadow->references = 1;
    shadow->count = tokens->count;
    shadow->is_flat = tokens->is_flat;
    shadow->is_single = tokens->is_single;
    memcpy(shadow->tokens, tokens->items, tokens->count * sizeof(PyObject *));
    for (size_t index = 0; index < tokens->count; index++) {
        if (!IS_MARK(shadow->tokens[index])) {
            Py_INCREF(shadow->tokens[index]);
        }
    }
    return shadow;
}

static inline size_t
place(PyObject *value)
{
    uintptr_t address = (uintptr_t)value >> 4;
    return (address ^ (address >> 10)) % SHADOWS;
}

Look
shadow_look(const Shadows *shadows, PyObject *value, const Shadow *outdated)
{
    size_t index = place(value);
    Shadow *shadow = shadows->entries[index].shadow;
    int is_known = shadow != NULL && shadow != outdated && shadows->entries[index].address == value &&
                   shadow_matches(shadow, value);
    return (Look){is_known ? KNOWN_TEXT : NEW_TEXT, shadow};
}

/* Whether the table has changed since. A new shadow in the place of an old one is that of another address, or right. */
static int
is_stale(Look look, const Shadows *shadows, PyObject *value)
{
    size_t index = place(value);
    return look.found == UNTRIED || look.at != shadows->entries[index].shadow ||
           (look.found == KNOWN_TEXT && shadows->entries[index].address != value);
}

static void
forget(Shadows *shadows, size_t index)
{
    Shadow *shadow = shadows->entries[index].shadow;
    shadows->entries[index].shadow = NULL;
    if (shadow != NULL && !is_large(shadow)) {
        shadow_release(shadow);
    }
}

Shadow *
shadow_write(Shadows *shadows, Sink *sink, PyObject *value, Py_ssize_t limit, Look look)
{
    size_t index = place(value);
    if (is_stale(look, shadows, value)) {
        look = shadow_look(shadows, value, NULL);
    }
    if (look.found == KNOWN_TEXT) {
        Shadow *shadow = shadows->entries[index].shadow;
        sink_put_again(sink, shadow->offset, shadow->length);
        shadow->references++;
        return shadow;
    }
    size_t offset = sink->end;
    Outcome outcome = text_write(sink, value, limit, &shadows->tokens);
    if (outcome == STRANGE) {
        return NULL;
    }
    Shadow *shadow = shadow_new(&shadows->tokens);
    if (shadow == NULL) {
        return NULL;
    }
    shadow->offset = offset;
    shadow->length = sink->end - offset;
    shadow->is_cut = outcome == CUT;
    shadow->version = shadow->is_single && Py_IS_TYPE(value, &PyDict_Type) ? dict_version(value) : 0;
    shadow->table = shadows;
    shadow->place = index;
    shadow->references += !is_large(shadow);
    forget(shadows, index);
    shadows->entries[index].shadow = shadow;
    shadows->entries[index].address = value;
    return shadow;
}

void
shadows_clear(Shadows *shadows)
{
    for (size_t index = 0; index < SHADOWS; index++) {
        forget(shadows, index);
    }
    free(shadows->tokens.items);
    memset(&shadows->tokens, 0, sizeof(shadows->tokens));
}
