/* This file is variables that live in a dict. */
#include "names.h"

static int
is_hidden(Frame *frame, PyObject *name, PyObject *implicit)
{
    if (!PyUnicode_CheckExact(name)) {
        return 1; /* `globals()[1] = 2` */
    }
    int found = frame->code->is_optimized ? PySequence_Contains(frame->code->code->co_localsplusnames, name)
                                          : PySet_Contains(implicit, name);
    if (found < 0) {
        PyErr_Clear();
    }
    return found != 0;
}

static int
name_open(Name *name, Frame *frame, PyObject *key, PyObject *implicit)
{
    memset(name, 0, sizeof(*name));
    name->is_hidden = is_hidden(frame, key, implicit);
    if (!name->is_hidden && piece_of(&name->label, key) < 0) {
        return -1;
    }
    name->name = Py_NewRef(key);
    return 0;
}

/* The old name that this key is, which is taken out; NULL if it is new. */
static Name *
find(Names *old, Map *by_address, PyObject *key)
{
    Name *name = map_take(by_address, key);
    if (name != NULL || !PyUnicode_CheckExact(key)) {
        return name;
    }
    for (int index = 0; index < old->count; index++) {
        name = &old->items[index];
        if (name->name != NULL && PyUnicode_CheckExact(name->name) && PyUnicode_Compare(name->name, key) == 0) {
            map_take(by_address, name->name);
            return name;
        }
    }
    return NULL;
}

/* Fill `names` with the names of the dict, moved from `old` as far as they are there. */
static int
rebuild(Names *names, Names *old, Map *by_address, Frame *frame, PyObject *dict, PyObject *implicit)
{
    Py_ssize_t position = 0;
    PyObject *key, *value;
    while (dict != NULL && PyDict_Next(dict, &position, &key, &value)) {
        Name *known = find(old, by_address, key);
        if (known != NULL) {
            names->items[names->count] = *known;
            known->name = NULL;
        }
        else if (name_open(&names->items[names->count], frame, key, implicit) < 0) {
            return -1;
        }
        names->count++;
    }
    for (int index = 0; index < old->count; index++) {
        if (old->items[index].name != NULL) {
            names->items[names->count + names->gone++] = old->items[index];
            old->items[index].name = NULL;
        }
    }
    return 0;
}

static int
reorder(Frame *frame, PyObject *dict, PyObject *implicit)
{
    Names old = frame->names;
    Names names = {NULL, 0, 0, old.count + (dict != NULL ? (int)PyDict_GET_SIZE(dict) : 0) + 8};
    names.items = malloc((size_t)names.allocated * sizeof(Name));
    Map by_address = {NULL, 0, 0};
    int result = names.items != NULL ? 0 : -1;
    for (int index = 0; result == 0 && index < old.count; index++) {
        result = map_set(&by_address, old.items[index].name, &old.items[index]);
    }
    if (result == 0) {
        result = rebuild(&names, &old, &by_address, frame, dict, implicit);
    }
    map_free(&by_address);
    if (result < 0) { /* the recording ends here; what was moved is left to leak */
        free(names.items);
        memset(&frame->names, 0, sizeof(frame->names));
        return -1;
    }
    free(old.items);
    frame->names = names;
    return 0;
}

static int
append(Frame *frame, PyObject *key, PyObject *implicit)
{
    Names *names = &frame->names;
    if (names->count == names->allocated) {
        int allocated = names->allocated ? names->allocated * 2 : 16;
        Name *items = realloc(names->items, (size_t)allocated * sizeof(Name));
        if (items == NULL) {
            return -1;
        }
        names->items = items;
        names->allocated = allocated;
    }
    if (name_open(&names->items[names->count], frame, key, implicit) < 0) {
        return -1;
    }
    names->count++;
    return 0;
}

int
names_follow(Frame *frame, PyObject *dict, PyObject *implicit)
{
    Names *names = &frame->names;
    Py_ssize_t position = 0;
    PyObject *key, *value;
    int index = 0;
    while (dict != NULL && PyDict_Next(dict, &position, &key, &value)) {
        if (index == names->count) {
            if (append(frame, key, implicit) < 0) {
                return -1;
            }
        }
        else if (names->items[index].name != key) {
            return reorder(frame, dict, implicit);
        }
        index++;
    }
    return index == names->count ? 0 : reorder(frame, dict, implicit);
}

void
names_forget(Frame *frame)
{
    Names *names = &frame->names;
    while (names->gone > 0) {
        name_clear(&names->items[names->count + --names->gone]);
    }
}
