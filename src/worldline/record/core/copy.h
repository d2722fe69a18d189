/* This file is the text of small numbers, plain strings and the like, copied to where there is room for it. */
#ifndef WORLDLINE_COPY_H
#define WORLDLINE_COPY_H

#include "text.h"

#define SHORT_ROOM 64   /* what a number takes, with quotes, separators and the rest of a block */
#define LONGEST 1000000 /* a longer string is no quick matter */

#define COPY(to, literal) (memcpy((to), (literal), sizeof(literal) - 1), (to) + sizeof(literal) - 1)

/* Digits are written where they belong: to copy them in a block just after would wait for them. */
static inline char *
copy_number(char *to, long long number)
{
    unsigned long long left = number < 0 ? 0ULL - (unsigned long long)number : (unsigned long long)number;
    if (number < 0) {
        *to++ = '-';
    }
    int count = 1;
    for (unsigned long long bound = 10; count < 19 && left >= bound; bound *= 10) {
        count++;
    }
    char *at = to + count;
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    return to + count;
}

/* `memcpy` for what is mostly a few bytes. */
static inline char *
copy_bytes(char *to, const char *from, size_t count)
{
    if (count > 16) {
        memcpy(to, from, count);
    }
    else if (count >= 8) {
        memcpy(to, from, 8);
        memcpy(to + count - 8, from + count - 8, 8);
    }
    else if (count >= 4) {
        memcpy(to, from, 4);
        memcpy(to + count - 4, from + count - 4, 4);
    }
    else {
        for (size_t index = 0; index < count; index++) {
            to[index] = from[index];
        }
    }
    return to + count;
}

/* Room that the text of a value takes, at most; 0: it is not a quick one. */
static inline size_t
quick_room(PyObject *value)
{
    if (PyLong_CheckExact(value)) {
        return is_small_int(value) ? SHORT_ROOM : 0;
    }
    if (PyUnicode_CheckExact(value)) {
        Py_ssize_t length = PyUnicode_GET_LENGTH(value);
        return PyUnicode_IS_COMPACT_ASCII(value) && length < LONGEST &&
                       is_simple(PyUnicode_1BYTE_DATA(value), length)
                   ? SHORT_ROOM + (size_t)length
                   : 0;
    }
    return value == Py_None || PyBool_Check(value) ? SHORT_ROOM : 0;
}

/* The text of a quick value. */
static inline char *
copy_text(char *to, PyObject *value)
{
    if (PyLong_CheckExact(value)) {
        return copy_number(to, small_int(value));
    }
    if (PyUnicode_CheckExact(value)) {
        *to++ = '\'';
        to = copy_bytes(to, (const char *)PyUnicode_1BYTE_DATA(value), (size_t)PyUnicode_GET_LENGTH(value));
        *to++ = '\'';
        return to;
    }
    return value == Py_None ? COPY(to, "None") : value == Py_True ? COPY(to, "True") : COPY(to, "False");
}

#endif
