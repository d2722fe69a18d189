/* This file is asking Python for what the C core does not write itself: `values.text` of everything unusual.

   While our Python code runs, the program must not notice: an exception that is on its way is put aside, the
   recursion limit is out of reach, the garbage collector rests, and an error of ours never gets out. What a signal
   handler of the program's raises just then belongs to the program; it is kept and raised when the event is over. */
#ifndef WORLDLINE_TOLD_H
#define WORLDLINE_TOLD_H

#include "compat.h"

/* What decides the text of a function, class, module, generator or iterator, beside its type. */
typedef struct {
    PyTypeObject *type;
    PyObject *first, *second;
} Key;

#define TELLINGS 256

typedef struct {
    PyObject *text, *exception_text, *visible; /* the Python functions */
    PyObject *max_value, *user_repr;           /* their options */
    PyObject *folder;                          /* where their files are */
    Py_ssize_t limit;                          /* max_value as a number */
    struct {
        Key key; /* owned */
        PyObject *text;
    } tellings[TELLINGS];
} Teller;

/* What happened meanwhile. */
typedef struct {
    Raised foreign; /* raised by the program's own signal handler */
    int has_foreign;
    int is_out_of_memory;
} Trouble;

int teller_open(Teller *teller, PyObject *max_value, Py_ssize_t limit, PyObject *user_repr);
void teller_close(Teller *teller);
int teller_traverse(Teller *teller, visitproc visit, void *arg);

/* New references to str, or NULL if there is no memory. */
PyObject *tell(Teller *teller, PyObject *value, Trouble *trouble);
PyObject *tell_exception(Teller *teller, PyObject *arg, Trouble *trouble);

/* The names of a class body whose namespace is no plain dict, as a new dict; NULL if that failed. */
PyObject *tell_names(Teller *teller, PyObject *frame, Trouble *trouble);

/* Call Python code of ours with one argument; NULL, without an exception, if it failed. */
PyObject *call_ours(Teller *teller, PyObject *function, PyObject *argument, Trouble *trouble);

PyObject *call_ours_with(Teller *teller, PyObject *function, PyObject *one, PyObject *two, Trouble *trouble);

/* Whether the value has a key. Its objects are borrowed. A key decides the whole text, but not the mark of a cut. */
int key_of(PyObject *value, Key *key);

static inline int
key_equals(const Key *one, const Key *other)
{
    return one->type == other->type && one->first == other->first && one->second == other->second;
}

/* The type of iterators over ASCII text, which has no name in CPython's headers. */
extern PyTypeObject *ascii_iterator_type;

static inline int
is_cut_text(const Teller *teller, PyObject *text)
{
    return PyUnicode_GET_LENGTH(text) > teller->limit;
}

void key_keep(Key *key);
void key_release(Key *key);

#endif
