/* This file is shadows: what a container held when its text was last written.

   A shadow keeps references to atoms only, never to a container or an object of the program's, so nothing lives
   longer than it would have. Going through container and shadow side by side tells exactly whether the text is
   still right. Shadows are also found by the address of the container, so that one that is handed from function to
   function is written once and then copied; the address is only a hint, the content decides. */
#ifndef WORLDLINE_SHADOW_H
#define WORLDLINE_SHADOW_H

#include "text.h"

struct Shadows;

typedef struct {
    Py_ssize_t references;
    struct Shadows *table;
    size_t place; /* in the table, where it is if no other shadow took its place */
    size_t offset, length; /* its text in the sink */
    size_t count;
    uint64_t version; /* of a dict of atoms, see dict_version */
    int is_flat, is_single, is_cut; /* see Tokens; the text was cut */
    PyObject *tokens[]; /* atoms are owned */
} Shadow;

typedef struct {
    enum { UNTRIED, NEW_TEXT, KNOWN_TEXT } found;
    const Shadow *at; /* what the table had */
} Look;

#define SHADOWS 1024

typedef struct Shadows {
    struct {
        PyObject *address;
        Shadow *shadow; /* owned if it is small */
    } entries[SHADOWS];
    Tokens tokens;
} Shadows;

/* Whether the container still holds what it did. */
int shadow_matches(Shadow *shadow, PyObject *value);

void shadow_release(Shadow *shadow);

/* Write the text of a container; gives its shadow, owned by the caller, or NULL if the value is not plain or there is
   no memory (then an arbitrary part was written). It takes the word of a look at the container as it is now. */
Shadow *shadow_write(Shadows *shadows, Sink *sink, PyObject *value, Py_ssize_t limit, Look look);

/* Whether the text of this container is known already; not by a shadow that is known to be out of date. */
Look shadow_look(const Shadows *shadows, PyObject *value, const Shadow *outdated);

void shadows_clear(Shadows *shadows);

#endif
