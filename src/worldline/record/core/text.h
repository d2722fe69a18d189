/* This file is the text of plain values, written straight into the sink as the inside of a JSON string.

   Plain are the atoms and the exact built-in containers that hold nothing but plain values. The text is, to the
   last character, what `values.text` gives; whatever is not plain is left to that function (see told.h). */
#ifndef WORLDLINE_TEXT_H
#define WORLDLINE_TEXT_H

#include "sink.h"

/* What a container held when its text was written, flattened: atoms, and a mark for every container's begin. */
typedef struct {
    PyObject **items; /* borrowed */
    size_t count, allocated;
    int is_flat;   /* a list or tuple of atoms, and complete: items[1...] are its very items */
    int is_single; /* there is no container in it, and it is complete */
} Tokens;

typedef enum { WRITTEN, CUT, STRANGE } Outcome;

#define MAX_NESTING 24

/* A mark is told from an object by its lowest bit. */
#define MARK(kind, length) ((PyObject *)(((uintptr_t)(length) << 4) | ((uintptr_t)(kind) << 1) | 1))
#define IS_MARK(item) ((uintptr_t)(item) & 1)

enum { NO_KIND, LIST_KIND, TUPLE_KIND, DICT_KIND, SET_KIND, FROZENSET_KIND };

/* Objects that never change and hold nothing of the program's: the recorder may keep references to them. */
static inline int
is_atom(PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    return type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBool_Type || value == Py_None ||
           type == &PyFloat_Type || type == &PyBytes_Type || type == &PyComplex_Type || type == &PyRange_Type ||
           value == Py_Ellipsis || value == Py_NotImplemented;
}

static inline int
container_kind(PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    return type == &PyList_Type        ? LIST_KIND
           : type == &PyTuple_Type     ? TUPLE_KIND
           : type == &PyDict_Type      ? DICT_KIND
           : type == &PySet_Type       ? SET_KIND
           : type == &PyFrozenSet_Type ? FROZENSET_KIND
                                       : NO_KIND;
}

/* Whether the repr of ASCII text is the text itself in quotes, with nothing that JSON would escape. */
static inline int
is_simple(const unsigned char *text, Py_ssize_t count)
{
    static const uint64_t odd_ones[4] = {0xffffffff | 1ULL << '"' | 1ULL << '\'', 1ULL << ('\\' - 64) | 1ULL << 63,
                                         ~0ULL, ~0ULL};
    uint64_t odd = 0;
    if (count < 16) {
        for (Py_ssize_t index = 0; index < count; index++) {
            odd |= odd_ones[text[index] >> 6] >> (text[index] & 63);
        }
        return !(odd & 1);
    }
    unsigned char any = 0; /* compilers look at many bytes at once */
    for (Py_ssize_t index = 0; index < count; index++) {
        unsigned char byte = text[index];
        any |= (byte < ' ') | (byte > '~') | (byte == '\'') | (byte == '"') | (byte == '\\');
    }
    return !any;
}

static inline int
is_inside(PyObject *const *inside, int depth, PyObject *value)
{
    while (depth-- > 0) {
        if (inside[depth] == value) {
            return 1;
        }
    }
    return 0;
}

/* Whether `text_write` can write this value; `limit` as there. */
int is_plain(PyObject *value, Py_ssize_t limit);

/* Write at most `limit` characters of text, and the mark of a cut. STRANGE: the value was not plain after all (or
   there is no memory), and an arbitrary part was written. `tokens`, if given, gets what the value holds. */
Outcome text_write(Sink *sink, PyObject *value, Py_ssize_t limit, Tokens *tokens);

#endif
