/* This file is which values are plain, so that their text needs no help of Python's. */
#include "text.h"

#define DIGITS_ALWAYS_SHOWN 64 /* such an int can be printed, whatever sys.set_int_max_str_digits says */

/* Whether the hash of an element is the same in every run; if not, `values.text` has its own order of the set. */
static int
is_steady(PyObject *value, int depth)
{
    if (PyLong_CheckExact(value) || PyUnicode_CheckExact(value) || PyBytes_CheckExact(value) ||
        PyBool_Check(value) || value == Py_None) {
        return 1;
    }
    if (PyFloat_CheckExact(value)) {
        return PyFloat_AS_DOUBLE(value) == PyFloat_AS_DOUBLE(value);
    }
    if (depth == MAX_NESTING) {
        return 0;
    }
    if (PyTuple_CheckExact(value)) {
        for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(value); index++) {
            if (!is_steady(PyTuple_GET_ITEM(value, index), depth + 1)) {
                return 0;
            }
        }
        return 1;
    }
    return 0;
}

typedef struct {
    Py_ssize_t left; /* values beyond are not shown: every one takes at least a character */
    int depth;
    PyObject *inside[MAX_NESTING];
} Check;

static int check_plain(Check *check, PyObject *value);

static inline int
check_item(Check *check, PyObject *item)
{
    if (PyUnicode_CheckExact(item) || (PyLong_CheckExact(item) && is_small_int(item))) {
        check->left--;
        return 1;
    }
    return check_plain(check, item);
}

static int
check_items(Check *check, PyObject *const *items, Py_ssize_t count)
{
    for (Py_ssize_t index = 0; index < count && check->left >= 0; index++) {
        if (!check_item(check, items[index])) {
            return 0;
        }
    }
    return 1;
}

static int
check_set(Check *check, PyObject *value)
{
    Py_ssize_t position = 0;
    PyObject *element;
    Py_hash_t hash;
    while (_PySet_NextEntry(value, &position, &element, &hash)) {
        if (!is_steady(element, 0) || !check_item(check, element)) {
            return 0;
        }
    }
    return 1;
}

static int
check_container(Check *check, PyObject *value, int kind)
{
    if (kind == LIST_KIND || kind == TUPLE_KIND) {
        PyObject *const *items =
            kind == LIST_KIND ? ((PyListObject *)value)->ob_item : ((PyTupleObject *)value)->ob_item;
        return check_items(check, items, Py_SIZE(value));
    }
    if (kind != DICT_KIND) {
        return check_set(check, value);
    }
    Py_ssize_t position = 0;
    PyObject *key, *item;
    while (check->left >= 0 && PyDict_Next(value, &position, &key, &item)) {
        if (!check_item(check, key) || !check_item(check, item)) {
            return 0;
        }
    }
    return 1;
}

static int
check_plain(Check *check, PyObject *value)
{
    check->left--;
    if (is_atom(value)) {
        return !PyLong_CheckExact(value) || int_digits(value) <= DIGITS_ALWAYS_SHOWN;
    }
    int kind = container_kind(value);
    if (kind == NO_KIND || check->depth == MAX_NESTING || is_inside(check->inside, check->depth, value)) {
        return 0;
    }
    check->inside[check->depth++] = value;
    int is_good = check_container(check, value, kind);
    check->depth--;
    return is_good;
}

int
is_plain(PyObject *value, Py_ssize_t limit)
{
    Check check;
    check.left = limit;
    check.depth = 0;
    return check_plain(&check, value);
}
