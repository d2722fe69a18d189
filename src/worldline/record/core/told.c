/* This file is asking Python for the text of unusual values. */
#include "told.h"

static PyObject *module_key, *name_key; /* interned, and kept for good */

PyTypeObject *ascii_iterator_type;

static int
find_ascii_iterator_type(void)
{
    PyObject *text = PyUnicode_FromString("a");
    PyObject *iterator = text != NULL ? PyObject_GetIter(text) : NULL;
    if (iterator != NULL) {
        ascii_iterator_type = Py_TYPE(iterator); /* static, so it stays */
    }
    Py_XDECREF(iterator);
    Py_XDECREF(text);
    return iterator != NULL ? 0 : -1;
}

static PyObject *
attribute_of_module(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    if (module == NULL) {
        return NULL;
    }
    PyObject *attribute = PyObject_GetAttrString(module, name);
    Py_DECREF(module);
    return attribute;
}

/* The folder of a file, with the slash. */
static PyObject *
folder_of(PyObject *path)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(path);
    Py_ssize_t slash = PyUnicode_FindChar(path, '/', 0, length, -1);
    return PyUnicode_Substring(path, 0, slash + 1);
}

int
teller_open(Teller *teller, PyObject *max_value, Py_ssize_t limit, PyObject *user_repr)
{
    teller->limit = limit;
    module_key = module_key != NULL ? module_key : PyUnicode_InternFromString("__module__");
    name_key = name_key != NULL ? name_key : PyUnicode_InternFromString("__name__");
    if (module_key == NULL || name_key == NULL || find_ascii_iterator_type() < 0) {
        return -1;
    }
    teller->text = attribute_of_module("worldline.record.values", "text");
    teller->exception_text = attribute_of_module("worldline.record.values", "exception_text");
    teller->visible = attribute_of_module("worldline.record.twin", "visible");
    PyObject *file = attribute_of_module("worldline.record.values", "__file__");
    teller->folder = file != NULL ? folder_of(file) : NULL;
    Py_XDECREF(file);
    teller->max_value = Py_NewRef(max_value);
    teller->user_repr = Py_NewRef(user_repr);
    return teller->text && teller->exception_text && teller->visible && teller->folder ? 0 : -1;
}

void
teller_close(Teller *teller)
{
    for (int index = 0; index < TELLINGS; index++) {
        key_release(&teller->tellings[index].key);
        Py_CLEAR(teller->tellings[index].text);
    }
    Py_CLEAR(teller->text);
    Py_CLEAR(teller->exception_text);
    Py_CLEAR(teller->visible);
    Py_CLEAR(teller->max_value);
    Py_CLEAR(teller->user_repr);
    Py_CLEAR(teller->folder);
}

int
teller_traverse(Teller *teller, visitproc visit, void *arg)
{
    Py_VISIT(teller->text);
    Py_VISIT(teller->exception_text);
    Py_VISIT(teller->visible);
    return 0;
}

/* Whether the exception came out of code that is not ours: the innermost frame of its traceback lies elsewhere. */
static int
is_foreign(Teller *teller, PyObject *type, PyObject *traceback)
{
    if (PyErr_GivenExceptionMatches(type, PyExc_KeyboardInterrupt)) {
        return 1;
    }
    PyTracebackObject *innermost = (PyTracebackObject *)traceback;
    if (innermost == NULL) {
        return 0;
    }
    while (innermost->tb_next != NULL) {
        innermost = innermost->tb_next;
    }
    PyCodeObject *code = PyFrame_GetCode(innermost->tb_frame);
    Py_ssize_t found = PyUnicode_Tailmatch(code->co_filename, teller->folder, 0, PY_SSIZE_T_MAX, -1);
    Py_DECREF(code);
    return found == 0;
}

/* Take the exception that our call ended with: keep it if it is the program's, forget it if it is ours. */
static void
settle(Teller *teller, Trouble *trouble)
{
    Raised raised = raised_save();
    PyObject *type = raised.value != NULL && PyExceptionInstance_Check(raised.value)
                         ? (PyObject *)Py_TYPE(raised.value)
                         : raised.type;
#if PY_VERSION_HEX >= 0x030c0000
    PyObject *traceback = PyException_GetTraceback(raised.value);
#else
    PyObject *traceback = Py_XNewRef(raised.traceback);
#endif
    if (PyErr_GivenExceptionMatches(type, PyExc_MemoryError)) {
        trouble->is_out_of_memory = 1;
    }
    else if (!trouble->has_foreign && is_foreign(teller, type, traceback)) {
        trouble->foreign = raised;
        trouble->has_foreign = 1;
        memset(&raised, 0, sizeof(raised));
    }
    Py_XDECREF(traceback);
    Py_XDECREF(raised.type);
    Py_XDECREF(raised.value);
    Py_XDECREF(raised.traceback);
}

static PyObject *
call(Teller *teller, PyObject *function, PyObject *const *arguments, size_t count, Trouble *trouble)
{
    PyThreadState *thread = PyThreadState_Get();
    Raised raised = raised_save();
    int is_collecting = PyGC_Disable();
    headroom_add(thread, HEADROOM);
    PyObject *result = PyObject_Vectorcall(function, arguments, count, NULL);
    if (result == NULL) {
        settle(teller, trouble);
    }
    headroom_add(thread, -HEADROOM);
    if (is_collecting) {
        PyGC_Enable();
    }
    raised_restore(raised);
    return result;
}

PyObject *
call_ours(Teller *teller, PyObject *function, PyObject *argument, Trouble *trouble)
{
    return call(teller, function, &argument, 1, trouble);
}

PyObject *
call_ours_with(Teller *teller, PyObject *function, PyObject *one, PyObject *two, Trouble *trouble)
{
    PyObject *arguments[] = {one, two};
    return call(teller, function, arguments, 2, trouble);
}

static PyObject *
ask(Teller *teller, PyObject *function, PyObject *value, Trouble *trouble)
{
    PyObject *arguments[] = {value, teller->max_value, teller->user_repr};
    PyObject *text = call(teller, function, arguments, 3, trouble);
    if (text != NULL && PyUnicode_CheckExact(text)) {
        return text;
    }
    Py_XDECREF(text);
    Raised raised = raised_save();
    text = PyUnicode_FromFormat("<%.200s text failed>", Py_TYPE(value)->tp_name);
    PyErr_Clear();
    raised_restore(raised);
    return text;
}

PyObject *
tell_exception(Teller *teller, PyObject *arg, Trouble *trouble)
{
    return ask(teller, teller->exception_text, arg, trouble);
}

PyObject *
tell_names(Teller *teller, PyObject *frame, Trouble *trouble)
{
    PyObject *names = call_ours(teller, teller->visible, frame, trouble);
    if (names != NULL && !PyDict_CheckExact(names)) {
        Py_CLEAR(names);
    }
    return names;
}

PyObject *
tell(Teller *teller, PyObject *value, Trouble *trouble)
{
    Key key;
    if (!key_of(value, &key)) {
        return ask(teller, teller->text, value, trouble);
    }
    uintptr_t mixed = (uintptr_t)key.first ^ ((uintptr_t)key.second >> 3);
    size_t index = ((mixed >> 4) ^ (mixed >> 12)) % TELLINGS;
    if (teller->tellings[index].text == NULL || !key_equals(&teller->tellings[index].key, &key)) {
        key_keep(&key);
        PyObject *text = ask(teller, teller->text, value, trouble);
        if (text == NULL || is_cut_text(teller, text)) {
            key_release(&key);
            return text;
        }
        key_release(&teller->tellings[index].key);
        teller->tellings[index].key = key;
        Py_XSETREF(teller->tellings[index].text, text);
    }
    return Py_NewRef(teller->tellings[index].text);
}

/* Built-in iterators are shown by their type alone. */
static int
is_iterator(PyTypeObject *type)
{
    return type == &PyRangeIter_Type || type == &PyLongRangeIter_Type || type == &PyListIter_Type ||
           type == &PyListRevIter_Type || type == &PyTupleIter_Type || type == &PyUnicodeIter_Type ||
           type == &PyBytesIter_Type || type == &PySetIter_Type || type == &PyDictIterKey_Type ||
           type == &PyDictIterValue_Type || type == &PyDictIterItem_Type || type == &PyEnum_Type ||
           type == ascii_iterator_type || type == &PyZip_Type || type == &PyMap_Type || type == &PyFilter_Type || type == &PyReversed_Type;
}

static PyObject *
exact_string(PyObject *value)
{
    return value != NULL && PyUnicode_CheckExact(value) ? value : NULL;
}

static void
key_of_class(PyTypeObject *type, Key *key)
{
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        key->first = (PyObject *)type;
    }
    else if (type->tp_dict != NULL) {
        key->second = exact_string(PyDict_GetItem(type->tp_dict, module_key));
        key->first = key->second != NULL ? exact_string(((PyHeapTypeObject *)type)->ht_qualname) : NULL;
    }
}

int
key_of(PyObject *value, Key *key)
{
    PyTypeObject *type = Py_TYPE(value);
    key->type = type;
    key->first = key->second = NULL;
    if (type == &PyFunction_Type) {
        key->first = exact_string(((PyFunctionObject *)value)->func_qualname);
    }
    else if (type == &PyGen_Type || type == &PyCoro_Type || type == &PyAsyncGen_Type) {
        key->first = exact_string(((PyGenObject *)value)->gi_qualname);
    }
    else if (type == &PyModule_Type) {
        PyObject *names = PyModule_GetDict(value);
        key->first = names != NULL ? exact_string(PyDict_GetItem(names, name_key)) : NULL;
    }
    else if (type == &PyType_Type) {
        key_of_class((PyTypeObject *)value, key);
    }
    else if (type == &PyCFunction_Type) {
        PyObject *owner = PyCFunction_GET_SELF(value);
        key->first = owner == NULL || Py_IS_TYPE(owner, &PyModule_Type) ? value : NULL;
    }
    else if (is_iterator(type)) {
        key->first = (PyObject *)type;
    }
    return key->first != NULL;
}

void
key_keep(Key *key)
{
    Py_XINCREF(key->first);
    Py_XINCREF(key->second);
}

void
key_release(Key *key)
{
    Py_CLEAR(key->first);
    Py_CLEAR(key->second);
}
