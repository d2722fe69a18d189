/* This file is all that differs between CPython 3.11, 3.12 and 3.13 in what the recorder reads of them. */
#ifndef WORLDLINE_COMPAT_H
#define WORLDLINE_COMPAT_H

#define PY_SSIZE_T_CLEAN
#define Py_BUILD_CORE_MODULE 1

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#endif
#include <Python.h>
#include <frameobject.h>
#include "internal/pycore_code.h"
#include "internal/pycore_frame.h"
#include "internal/pycore_interp.h"
#if PY_VERSION_HEX >= 0x030d0000
#include "internal/pycore_setobject.h"
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#if PY_VERSION_HEX < 0x030b0000 || PY_VERSION_HEX >= 0x030e0000
#error "the C core knows the insides of CPython 3.11 to 3.13 only; other versions record with the pure twin"
#endif

typedef struct _PyInterpreterFrame Activation;

static inline PyCodeObject *
activation_code(Activation *activation)
{
#if PY_VERSION_HEX >= 0x030d0000
    return (PyCodeObject *)activation->f_executable;
#else
    return activation->f_code;
#endif
}

/* The index of the current instruction, in code units: `f_lasti // 2`. */
static inline int
activation_instruction(Activation *activation)
{
#if PY_VERSION_HEX >= 0x030d0000
    return (int)(activation->instr_ptr - _PyCode_CODE(activation_code(activation)));
#else
    return (int)(activation->prev_instr - _PyCode_CODE(activation_code(activation)));
#endif
}

/* The `depth`-th value from the top of the evaluation stack (0 is the top), borrowed; NULL if there is none. */
static inline PyObject *
activation_stack(Activation *activation, int depth)
{
    int index = activation->stacktop - 1 - depth;
    return index < activation_code(activation)->co_nlocalsplus ? NULL : activation->localsplus[index];
}

/* A dict that may hold names which the code itself does not have (`exec("x = 1")` up to 3.12, `f_locals["x"] = 1`
   on a frame), borrowed; usually NULL. Up to 3.12 it holds stale copies of the code's own names, too. */
static inline PyObject *
frame_extra_names(PyFrameObject *frame)
{
#if PY_VERSION_HEX >= 0x030d0000
    return frame->f_extra_locals;
#else
    return frame->f_frame->f_locals;
#endif
}

/* A number that a dict has only as long as nothing is put into it or taken out; 0: not known. From 3.13 on, an
   object's attributes can be set behind the back of its `__dict__`. */
static inline uint64_t
dict_version(PyObject *dict)
{
#if PY_VERSION_HEX >= 0x030d0000
    (void)dict;
    return 0;
#else
    return ((PyDictObject *)dict)->ma_version_tag;
#endif
}

/* How many digits of PyLong_SHIFT bits an int has. */
static inline Py_ssize_t
int_digits(PyObject *number)
{
#if PY_VERSION_HEX >= 0x030c0000
    return (Py_ssize_t)(((PyLongObject *)number)->long_value.lv_tag >> 3);
#else
    Py_ssize_t size = Py_SIZE(number);
    return size < 0 ? -size : size;
#endif
}

/* Whether an int has one digit, and what it is then. */
static inline int
is_small_int(PyObject *number)
{
    return int_digits(number) <= 1;
}

static inline long
small_int(PyObject *number)
{
#if PY_VERSION_HEX >= 0x030c0000
    const _PyLongValue *value = &((PyLongObject *)number)->long_value;
    return (1 - (long)(value->lv_tag & 3)) * (long)value->ob_digit[0];
#else
    return (long)Py_SIZE(number) * (long)((PyLongObject *)number)->ob_digit[0];
#endif
}

/* The exception that is on its way, put aside while Python code of ours runs. */
typedef struct {
    PyObject *type, *value, *traceback;
} Raised;

static inline Raised
raised_save(void)
{
    Raised raised = {NULL, NULL, NULL};
#if PY_VERSION_HEX >= 0x030c0000
    raised.value = PyErr_GetRaisedException();
#else
    PyErr_Fetch(&raised.type, &raised.value, &raised.traceback);
#endif
    return raised;
}

static inline void
raised_restore(Raised raised)
{
#if PY_VERSION_HEX >= 0x030c0000
    PyErr_SetRaisedException(raised.value);
#else
    PyErr_Restore(raised.type, raised.value, raised.traceback);
#endif
}

/* Python code of ours may be called where the program has nearly used up its recursion limit. */
#define HEADROOM 2000

static inline void
headroom_add(PyThreadState *thread, int frames)
{
#if PY_VERSION_HEX >= 0x030c0000
    thread->py_recursion_remaining += frames;
    thread->c_recursion_remaining += frames / 10;
#else
    thread->recursion_remaining += frames;
#endif
}

static inline int
is_only_thread(PyThreadState *thread)
{
    return thread->next == NULL && thread->interp->threads.head == thread;
}

/* How often the cyclic garbage collector has run. */
static inline Py_ssize_t
collections_so_far(PyThreadState *thread)
{
    struct gc_generation_stats *stats = thread->interp->gc.generation_stats;
    return stats[0].collections + stats[1].collections + stats[2].collections;
}

#endif
