/* This file is the Python face of the C core: the type `worldline.record._core.Recorder`, used as twin.Recorder is. */
#include "recorder.h"

#include <structmember.h>

#ifdef Py_GIL_DISABLED
#error "the C core relies on the GIL; free-threaded builds record with the pure twin"
#endif

static PyObject *
attribute(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *found = module != NULL ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return found;
}

static int
read_number(PyObject *options, const char *name, long long *number)
{
    PyObject *value = PyObject_GetAttrString(options, name);
    if (value == NULL) {
        return -1;
    }
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(value, &overflow);
    Py_DECREF(value);
    if (overflow) {
        *number = overflow > 0 ? PY_SSIZE_T_MAX : 0;
    }
    return PyErr_Occurred() ? -1 : 0;
}

static int
read_options(Recorder *self, PyObject *options, PyObject *sink)
{
    long long max_bytes, patience, max_value = PY_SSIZE_T_MAX;
    PyObject *limit = PyObject_GetAttrString(options, "max_value");
    PyObject *user_repr = PyObject_GetAttrString(options, "user_repr");
    int result = -1;
    if (limit != NULL && user_repr != NULL && read_number(options, "max_steps", &self->max_steps) == 0 &&
        read_number(options, "max_bytes", &max_bytes) == 0 && read_number(options, "patience", &patience) == 0 &&
        (limit == Py_None || read_number(options, "max_value", &max_value) == 0)) {
        self->max_value = (Py_ssize_t)max_value;
        self->user_repr = PyObject_IsTrue(user_repr);
        if (sink_open(&self->sink, sink, max_bytes > 0 ? (size_t)max_bytes : 0) == 0) {
            result = teller_open(&self->teller, limit, self->max_value, user_repr);
            result = result < 0 ? result : trust_open(&self->trust, patience, self->user_repr);
        }
    }
    Py_XDECREF(limit);
    Py_XDECREF(user_repr);
    return result;
}

static PyObject *
recorder_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"options", "facts", "sink", "on_limit", NULL};
    PyObject *options, *facts, *sink, *on_limit;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOOO", names, &options, &facts, &sink, &on_limit)) {
        return NULL;
    }
    Recorder *self = (Recorder *)type->tp_alloc(type, 0); /* all zero */
    if (self == NULL) {
        return NULL;
    }
    self->current = -1;
    self->on_limit = Py_NewRef(on_limit);
    self->codes.facts = Py_NewRef(facts);
    self->immutable = attribute("worldline.record.values", "IMMUTABLE");
    self->implicit = attribute("worldline.record.twin", "IMPLICIT_NAMES");
    if (self->immutable == NULL || self->implicit == NULL || read_options(self, options, sink) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static int
recorder_traverse(Recorder *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->on_limit);
    Py_VISIT(self->codes.facts);
    return teller_traverse(&self->teller, visit, arg);
}

static int
recorder_clear(Recorder *self)
{
    self->is_running = 0;
    Py_CLEAR(self->on_limit);
    Py_CLEAR(self->codes.facts);
    return 0;
}

static void
recorder_dealloc(Recorder *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    while (self->first_thread != NULL) {
        Thread *thread = self->first_thread;
        self->first_thread = thread->next;
        thread_free(thread);
    }
    for (size_t place = 0; place < self->parked.size; place++) {
        if (self->parked.entries[place].value != NULL) {
            frame_free(self->parked.entries[place].value);
        }
    }
    map_free(&self->parked);
    codes_clear(&self->codes);
    shadows_clear(&self->shadows);
    trust_close(&self->trust);
    teller_close(&self->teller);
    sink_close(&self->sink);
    Py_CLEAR(self->on_limit);
    Py_CLEAR(self->immutable);
    Py_CLEAR(self->implicit);
    type->tp_free(self);
    Py_DECREF(type);
}

static int
set_thread_hook(PyObject *hook)
{
    PyObject *settrace = attribute("threading", "settrace");
    PyObject *result = settrace != NULL ? PyObject_CallOneArg(settrace, hook) : NULL;
    Py_XDECREF(settrace);
    Py_XDECREF(result);
    return result != NULL ? 0 : -1;
}

static PyObject *
recorder_start(Recorder *self, PyObject *Py_UNUSED(ignored))
{
    if (set_thread_hook((PyObject *)self) < 0) {
        return NULL;
    }
    self->is_running = 1;
    self->trust.is_careful |= PyThreadState_Get()->c_profilefunc != NULL; /* which runs code that has no events */
    PyEval_SetTrace(on_event, (PyObject *)self);
    Py_RETURN_NONE;
}

static PyObject *
recorder_stop(Recorder *self, PyObject *Py_UNUSED(ignored))
{
    PyEval_SetTrace(NULL, NULL);
    self->is_running = 0;
    if (set_thread_hook(Py_None) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* What `threading` calls with the first event of a new thread, and whoever takes this for a Python trace function:
   from there on the thread is traced in C. */
static PyObject *
recorder_call(Recorder *self, PyObject *args, PyObject *keywords)
{
    static const char *const names[] = {"call", "exception", "line", "return"}; /* in the order of PyTrace_... */
    PyFrameObject *frame;
    const char *event;
    PyObject *arg;
    if ((keywords != NULL && PyDict_GET_SIZE(keywords) > 0) ||
        !PyArg_ParseTuple(args, "O!sO", &PyFrame_Type, &frame, &event, &arg)) {
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a trace function takes no keywords");
    }
    self->trust.dirty++;
    self->trust.peeks++;
    PyEval_SetTrace(self->is_running ? on_event : NULL, self->is_running ? (PyObject *)self : NULL);
    for (int what = PyTrace_CALL; what <= PyTrace_RETURN; what++) {
        if (strcmp(event, names[what]) == 0 && on_event((PyObject *)self, frame, what, arg) < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *
recorder_output(Recorder *self, PyObject *written)
{
    if (!PyUnicode_Check(written)) {
        return PyErr_Format(PyExc_TypeError, "output is a str, not %s", Py_TYPE(written)->tp_name);
    }
    Thread *thread = self->is_running ? this_thread(self, 0) : NULL;
    if (thread != NULL && thread->last_step >= 0) {
        write_output(self, thread, written);
    }
    Py_RETURN_NONE;
}

static PyObject *
recorder_put(Recorder *self, PyObject *line)
{
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(line, &bytes, &length) < 0) {
        return NULL;
    }
    sink_put_last(&self->sink, bytes, (size_t)length);
    Py_RETURN_NONE;
}

static PyObject *
recorder_contents(Recorder *self, PyObject *Py_UNUSED(ignored))
{
    return PyBytes_FromStringAndSize(self->sink.bytes, (Py_ssize_t)self->sink.used);
}

static PyMethodDef methods[] = {
    {"start", (PyCFunction)recorder_start, METH_NOARGS, "Begin to record this thread and threads started later."},
    {"stop", (PyCFunction)recorder_stop, METH_NOARGS, "End recording in this thread, and silence it in all others."},
    {"output", (PyCFunction)recorder_output, METH_O, "Attach what the program wrote to the running step."},
    {"put", (PyCFunction)recorder_put, METH_O, "Write a line that is no step."},
    {"contents", (PyCFunction)recorder_contents, METH_NOARGS, "What was written so far."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"steps", T_LONGLONG, offsetof(Recorder, steps), READONLY, "How many steps were recorded."},
    {"_is_blind", T_INT, offsetof(Recorder, is_blind), 0, "For a negative control: containers never change."},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Records the calling thread, and threads started later, from `start` to `stop`."},
    {Py_tp_new, recorder_new},
    {Py_tp_dealloc, recorder_dealloc},
    {Py_tp_traverse, recorder_traverse},
    {Py_tp_clear, recorder_clear},
    {Py_tp_call, recorder_call},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "worldline.record._core.Recorder",
    .basicsize = sizeof(Recorder),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

static int
module_exec(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&spec);
    int result = type != NULL ? PyModule_AddObjectRef(module, "Recorder", type) : -1;
    Py_XDECREF(type);
    return result;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "worldline.record._core",
    .m_doc = "The C core of the recorder; its pure-Python twin is worldline.record.twin.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC
PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
