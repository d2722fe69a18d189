/* This file is what happened between two events of a frame, as far as that decides which variables to look at. */
#include "recorder.h"

static Segment suspended = {.is_pure = 0}; /* a generator's frame between `return` and `call` runs nothing */

typedef enum { OTHER_ITERATOR, PLAIN_ITERATOR, TUPLE_ITERATOR, SCALAR_ITERATOR } IteratorKind;

/* The insides of two iterators that CPython has no header for; the same from 3.11 to 3.13. */
typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject *iterator;
} Enumerate;

typedef struct {
    PyObject_HEAD
    Py_ssize_t count;
    PyObject *iterators; /* a tuple */
} Zip;

static IteratorKind
iterator_kind(PyObject *iterator)
{
    PyTypeObject *type = Py_TYPE(iterator);
    if (type == &PyRangeIter_Type || type == &PyLongRangeIter_Type || type == &PyUnicodeIter_Type ||
        type == &PyBytesIter_Type || type == ascii_iterator_type) {
        return SCALAR_ITERATOR;
    }
    if (type == &PyDictIterItem_Type) {
        return TUPLE_ITERATOR;
    }
    if (type == &PyListIter_Type || type == &PyTupleIter_Type || type == &PyListRevIter_Type ||
        type == &PySetIter_Type || type == &PyDictIterKey_Type || type == &PyDictIterValue_Type) {
        return PLAIN_ITERATOR;
    }
    if (type == &PyEnum_Type) {
        PyObject *inner = ((Enumerate *)iterator)->iterator;
        return inner != NULL && iterator_kind(inner) != OTHER_ITERATOR ? TUPLE_ITERATOR : OTHER_ITERATOR;
    }
    if (type == &PyZip_Type) {
        PyObject *inner = ((Zip *)iterator)->iterators;
        for (Py_ssize_t index = 0; inner != NULL && index < PyTuple_GET_SIZE(inner); index++) {
            if (iterator_kind(PyTuple_GET_ITEM(inner, index)) == OTHER_ITERATOR) {
                return OTHER_ITERATOR;
            }
        }
        return inner != NULL ? TUPLE_ITERATOR : OTHER_ITERATOR;
    }
    return OTHER_ITERATOR;
}

static int
is_plain_slot(const Slot *slot)
{
    return slot->kind <= ATOM || (slot->kind == SHADED && !slot->shadow->is_cut);
}

static int
has_plain_slots(const Frame *frame, const Segment *segment)
{
    for (uint64_t left = segment->plain & ~(SCALAR | TUPLES); left; left &= left - 1) {
        if (!is_plain_slot(&frame->slots[__builtin_ctzll(left)])) {
            return 0;
        }
    }
    for (uint64_t left = segment->atoms & ~(SCALAR | TUPLES); left; left &= left - 1) {
        if (frame->slots[__builtin_ctzll(left)].kind > ATOM) {
            return 0;
        }
    }
    return 1;
}

static int
has_plain_iterator(Frame *frame, const Segment *segment, Activation *activation)
{
    frame->is_scalar = 1;
    if (segment->iterator < 0) {
        return 1;
    }
    PyObject *iterator = activation_stack(activation, segment->iterator);
    IteratorKind kind = iterator != NULL ? iterator_kind(iterator) : OTHER_ITERATOR;
    frame->is_scalar = kind == SCALAR_ITERATOR;
    if ((segment->plain | segment->atoms) & SCALAR && kind != SCALAR_ITERATOR) {
        return 0;
    }
    return segment->plain & TUPLES ? kind == TUPLE_ITERATOR : kind != OTHER_ITERATOR;
}

/* Whether the global names that the segment calls are Python functions, or the built-in ones of that name. */
static int
has_known_functions(const Trust *trust, const Segment *segment, Activation *activation)
{
    PyObject *globals = activation->f_globals, *builtins = activation->f_builtins;
    if (!PyDict_CheckExact(globals) || !PyDict_CheckExact(builtins)) {
        return 0;
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(segment->functions); index++) {
        PyObject *function = PyDict_GetItem(globals, PyTuple_GET_ITEM(segment->functions, index));
        if (function == NULL || !PyFunction_Check(function)) {
            return 0;
        }
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(segment->builtins); index++) {
        PyObject *name = PyTuple_GET_ITEM(segment->builtins, index);
        PyObject *function = PyDict_GetItem(builtins, name);
        if (function == NULL || PyDict_GetItem(globals, name) != NULL ||
            function != PyDict_GetItem(trust->builtins, name)) {
            return 0;
        }
    }
    return 1;
}

/* The variables whose container nobody else refers to, and which holds nothing but atoms. */
static uint64_t
alone(const Frame *frame)
{
    uint64_t found = 0;
    for (int index = 0; index < frame->code->count; index++) {
        const Slot *slot = &frame->slots[index];
        if (slot->kind == SHADED && slot->shadow->is_single && !(frame->code->kinds[index] & (CO_FAST_CELL | CO_FAST_FREE)) &&
            Py_REFCNT(slot->object) == 1) {
            found |= (uint64_t)1 << index;
        }
    }
    return found;
}

void
trust_end_analysed(Recorder *recorder, Frame *frame, const Event *event)
{
    Trust *trust = &recorder->trust;
    frame->unseen = 0;
    PyThreadState *thread = PyThreadState_Get();
    if (trust->collections != collections_so_far(thread)) {
        trust->collections = collections_so_far(thread);
        trust->dirty++;
    }
    const Segment *segment = frame->segment;
    if (!is_only_thread(thread) || trust->is_careful) {
        trust->dirty++;
        return;
    }
    if (frame->is_new) {
        return; /* nothing of it was seen yet */
    }
    if (segment == &suspended) {
        frame->unseen = frame->peeks == trust->peeks ? frame->alone : 0;
        frame->is_refcounted = ~(uint64_t)0;
        return;
    }
    if (segment == NULL || segment->places == NULL || !(segment->places[event->instruction] & KNOWN)) {
        trust->dirty++;
        return;
    }
    if (segment->places[event->instruction] & LOOSE && !frame->is_scalar) {
        trust->dirty++;
    }
    uint64_t clean = !event->is_entered && frame->verified == trust->dirty ? ~segment->stored : 0;
    uint64_t alone_still = frame->peeks == trust->peeks ? frame->alone & ~segment->touched : 0;
    frame->unseen = clean | alone_still;
    frame->is_refcounted = ~clean;
}

void
trust_begin_analysed(Recorder *recorder, Frame *frame, const Event *event, Trouble *trouble)
{
    Trust *trust = &recorder->trust;
    frame->segment = NULL;
    frame->alone = 0;
    if (event->what == PyTrace_RETURN && !(event->flags & YIELDS)) {
        return; /* of a frame that is over, see trust_leave */
    }
    if (event->flags & (FOLDED | UNSEEN)) {
        trust->dirty++;
        return;
    }
    frame->verified = trust->dirty;
    Segment *segment = NULL;
    if (event->what == PyTrace_LINE || event->what == PyTrace_CALL) {
        segment = code_segment(trust, frame->code, event->instruction, &recorder->teller, trouble);
    }
    else if (event->what == PyTrace_RETURN && event->flags & YIELDS) {
        segment = &suspended;
    }
    Activation *activation = event->object->f_frame;
    int is_pure = segment != NULL && segment->is_pure && has_plain_slots(frame, segment) &&
                  has_plain_iterator(frame, segment, activation) &&
                  has_known_functions(trust, segment, activation) && is_only_thread(PyThreadState_Get());
    frame->segment = segment;
    trust->dirty += !is_pure;
    if (!is_pure && segment != NULL && !frame->code->is_peeking && !trust->has_ctypes &&
        frame_extra_names(event->object) == NULL) {
        frame->alone = alone(frame);
        frame->peeks = trust->peeks;
    }
}

void
trust_skip_event(Recorder *recorder, Frame *frame)
{
    recorder->trust.dirty++;
    frame->segment = NULL;
}

/* When a frame is gone, so may be the last reference to what its variables held, and to what it returned. */
void
trust_leave(Recorder *recorder, const Frame *frame)
{
    int is_plain = frame->is_value_plain && frame->names.count == 0;
    for (int index = 0; is_plain && index < frame->code->count; index++) {
        is_plain = is_plain_slot(&frame->slots[index]);
    }
    recorder->trust.dirty += !is_plain;
}
