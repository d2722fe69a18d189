/* This file is which variables of a frame may have changed since its last step. */
#include "names.h"
#include "recorder.h"

int
is_mutable(Recorder *recorder, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyList_Type || type == &PyDict_Type || type == &PySet_Type) {
        return 1;
    }
    if (is_atom(value) || type == &PyTuple_Type) {
        return 0;
    }
    /* Only of a class without a metaclass of its own can one ask without running code of the program's. */
    return !Py_IS_TYPE(type, &PyType_Type) || PySet_Contains(recorder->immutable, (PyObject *)type) != 1;
}

/* Whether the text last written is right for sure, of an object that is at the same address. */
static int
is_unchanged(Recorder *recorder, const Slot *slot, PyObject *value)
{
    if (slot->kind <= ATOM || recorder->is_blind) {
        return 1;
    }
    if (slot->kind == SHADED) {
        recorder->trust.waste += slot->shadow->is_flat      ? slot->shadow->count / 8
                                 : slot->shadow->version == 0 ? slot->shadow->count
                                                              : 0;
        return shadow_matches(slot->shadow, value);
    }
    Key key;
    return slot->telling->key.first != NULL && key_of(value, &key) && key_equals(&slot->telling->key, &key);
}

/* Those that are gone come first, then those that were there, then new ones. */
static int
add(Thread *thread, const Slot *slot, int index, PyObject *value)
{
    Change *change = thread_change(thread);
    if (change == NULL) {
        return -1;
    }
    *change = (Change){.index = index, .value = value};
    change->order = value == NULL            ? slot->position
                    : slot->kind != ABSENT ? (1ULL << 40) + slot->position
                                           : (2ULL << 40) + (unsigned)index;
    return 0;
}

/* Whether nothing can have happened to the object in this slot. */
static inline int
is_unseen(const Frame *frame, int index, PyObject *value)
{
    if (index >= MAX_VARIABLES || !(frame->unseen >> index & 1)) {
        return 0;
    }
    return !(frame->is_refcounted >> index & 1) || Py_REFCNT(value) == 1;
}

static int
scan_slots(Recorder *recorder, Thread *thread, Frame *frame, Activation *activation)
{
    const Code *code = frame->code;
    for (int index = 0; index < code->count; index++) {
        PyObject *value = activation->localsplus[index];
        if (code->has_cells && value != NULL && (code->kinds[index] & (CO_FAST_CELL | CO_FAST_FREE)) &&
            PyCell_Check(value)) {
            value = PyCell_GET(value);
        }
        const Slot *slot = &frame->slots[index];
        if (value == slot->object && (slot->kind <= ATOM || is_unseen(frame, index, value) ||
                                      is_unchanged(recorder, slot, value))) {
            continue;
        }
        if (add(thread, slot, index, value) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
scan_names(Recorder *recorder, Thread *thread, Frame *frame, PyObject *dict)
{
    if (names_follow(frame, dict, recorder->implicit) < 0) {
        return -1;
    }
    Names *names = &frame->names;
    int first = frame->code->count;
    Py_ssize_t position = 0;
    PyObject *key, *value;
    for (int index = 0; dict != NULL && PyDict_Next(dict, &position, &key, &value); index++) {
        const Name *name = &names->items[index];
        if (name->is_hidden || (name->slot.object == value && is_unchanged(recorder, &name->slot, value))) {
            continue;
        }
        if (add(thread, &name->slot, first + index, value) < 0) {
            return -1;
        }
    }
    for (int index = names->count; index < names->count + names->gone; index++) {
        const Name *name = &names->items[index];
        if (name->slot.kind != ABSENT && add(thread, &name->slot, first + index, NULL) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The names of a module or class body; a class body may have any mapping for that. */
static int
scan_body(Recorder *recorder, Thread *thread, Frame *frame, const Event *event, Trouble *trouble)
{
    PyObject *dict = event->object->f_frame->f_locals;
    if (dict != NULL && !PyDict_CheckExact(dict)) {
        recorder->trust.dirty++; /* a mapping of the program's own runs its code now */
        recorder->trust.peeks++;
        dict = thread->snapshot = tell_names(&recorder->teller, (PyObject *)event->object, trouble);
        thread->change_count = 0; /* another thread's events are not ours, but the memory may have moved */
    }
    return dict != NULL ? scan_names(recorder, thread, frame, dict) : 0;
}

static int
scan_function(Recorder *recorder, Thread *thread, Frame *frame, const Event *event)
{
    if (scan_slots(recorder, thread, frame, event->object->f_frame) < 0) {
        return -1;
    }
    PyObject *extra = frame_extra_names(event->object);
    if (extra == NULL && frame->names.count == 0) {
        return 0;
    }
    return scan_names(recorder, thread, frame, extra != NULL && PyDict_CheckExact(extra) ? extra : NULL);
}

static void
sort(Change *changes, int count)
{
    for (int index = 1; index < count; index++) {
        Change change = changes[index];
        int place = index;
        for (; place > 0 && changes[place - 1].order > change.order; place--) {
            changes[place] = changes[place - 1];
        }
        changes[place] = change;
    }
}

int
scan(Recorder *recorder, Thread *thread, Frame *frame, const Event *event, Trouble *trouble)
{
    int result = frame->code->is_optimized ? scan_function(recorder, thread, frame, event)
                                           : scan_body(recorder, thread, frame, event, trouble);
    if (result == 0) {
        sort(thread->changes, thread->change_count);
    }
    return result;
}
