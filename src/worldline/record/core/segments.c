/* This file is segments as Python found them, and the names in code that forbid to trust them. */
#include "segments.h"

static PyObject *
attribute(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *found = module != NULL ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return found;
}

int
trust_open(Trust *trust, long long patience, int is_careful)
{
    trust->patience = patience;
    trust->is_careful = is_careful;
    trust->dirty = 1;
    trust->segment_of = attribute("worldline.record.segments", "segment_of");
    trust->peeking = attribute("worldline.record.segments", "PEEKING");
    trust->untrusted = attribute("worldline.record.segments", "UNTRUSTED");
    PyObject *names = attribute("builtins", "__dict__");
    trust->builtins = names != NULL ? PyDict_Copy(names) : NULL;
    Py_XDECREF(names);
    return trust->segment_of && trust->peeking && trust->untrusted && trust->builtins ? 0 : -1;
}

void
trust_close(Trust *trust)
{
    Py_CLEAR(trust->segment_of);
    Py_CLEAR(trust->peeking);
    Py_CLEAR(trust->untrusted);
    Py_CLEAR(trust->builtins);
}

/* Whether a tuple holds one of the names. */
static int
has_one(PyObject *tuple, PyObject *names)
{
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(tuple); index++) {
        PyObject *item = PyTuple_GET_ITEM(tuple, index);
        if (PyUnicode_CheckExact(item) && PySet_Contains(names, item) == 1) {
            return 1;
        }
    }
    return 0;
}

static int
is_imported(const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
    int found = text != NULL && modules != NULL ? PyDict_Contains(modules, text) : 0;
    Py_XDECREF(text);
    PyErr_Clear();
    return found == 1;
}

void
trust_see(Trust *trust, Code *code)
{
    PyCodeObject *object = code->code;
    code->is_peeking = has_one(object->co_names, trust->peeking) || has_one(object->co_consts, trust->peeking);
    if (code->is_recorded &&
        (has_one(object->co_names, trust->untrusted) || has_one(object->co_consts, trust->untrusted))) {
        trust->is_careful = 1;
    }
    trust->has_ctypes = trust->has_ctypes || is_imported("_ctypes");
}

static void
segment_free(Segment *segment)
{
    Py_XDECREF(segment->functions);
    Py_XDECREF(segment->builtins);
    free(segment->places);
    free(segment);
}

void
segments_free(Code *code)
{
    for (int index = 0; code->segments != NULL && index < code->size; index++) {
        if (code->segments[index] != NULL) {
            segment_free(code->segments[index]);
        }
    }
    free(code->segments);
    code->segments = NULL;
}

static uint64_t
mask_of(PyObject *number)
{
    return PyLong_AsUnsignedLongLong(number);
}

/* The fields, by position, of what `segment_of` gave. */
static int
read_segment(Segment *segment, PyObject *fields, int size)
{
    if (!PyTuple_Check(fields) || PyTuple_GET_SIZE(fields) != 9) {
        return -1;
    }
    segment->is_pure = PyObject_IsTrue(PyTuple_GET_ITEM(fields, 0)) == 1;
    segment->atoms = mask_of(PyTuple_GET_ITEM(fields, 1));
    segment->plain = mask_of(PyTuple_GET_ITEM(fields, 2));
    segment->iterator = (int)PyLong_AsLong(PyTuple_GET_ITEM(fields, 3));
    segment->functions = Py_NewRef(PyTuple_GET_ITEM(fields, 4));
    segment->builtins = Py_NewRef(PyTuple_GET_ITEM(fields, 5));
    segment->touched = mask_of(PyTuple_GET_ITEM(fields, 6));
    segment->stored = mask_of(PyTuple_GET_ITEM(fields, 7));
    PyObject *places = PyTuple_GET_ITEM(fields, 8);
    segment->places = calloc((size_t)size + 1, 1);
    if (segment->places == NULL || PyErr_Occurred() || !PyBytes_Check(places) ||
        !PyTuple_Check(segment->functions) || !PyTuple_Check(segment->builtins)) {
        return -1;
    }
    Py_ssize_t length = PyBytes_GET_SIZE(places) < size ? PyBytes_GET_SIZE(places) : size;
    memcpy(segment->places, PyBytes_AS_STRING(places), (size_t)length);
    return 0;
}

static Segment *
find_segment(Trust *trust, Code *code, int instruction, Teller *teller, Trouble *trouble)
{
    PyObject *index = PyLong_FromLong(instruction);
    if (index == NULL) {
        PyErr_Clear();
        return NULL;
    }
    PyObject *fields = call_ours_with(teller, trust->segment_of, (PyObject *)code->code, index, trouble);
    Py_DECREF(index);
    Segment *segment = calloc(1, sizeof(Segment));
    if (segment != NULL && fields != NULL && read_segment(segment, fields, code->size) < 0) {
        PyErr_Clear();
        Py_CLEAR(segment->functions);
        Py_CLEAR(segment->builtins);
        free(segment->places);
        memset(segment, 0, sizeof(*segment)); /* which knows no place, so it is never trusted */
    }
    Py_XDECREF(fields);
    return segment;
}

Segment *
code_segment(Trust *trust, Code *code, int instruction, Teller *teller, Trouble *trouble)
{
    if (!code->is_optimized || code->count > MAX_VARIABLES) {
        return NULL;
    }
    if (code->segments == NULL) {
        code->segments = calloc((size_t)code->size + 1, sizeof(Segment *));
    }
    if (code->segments == NULL) {
        return NULL;
    }
    if (code->segments[instruction] == NULL) {
        Segment *segment = find_segment(trust, code, instruction, teller, trouble);
        if (code->segments[instruction] == NULL) { /* unless another thread was quicker */
            code->segments[instruction] = segment;
        }
        else if (segment != NULL) {
            segment_free(segment);
        }
    }
    return code->segments[instruction];
}
