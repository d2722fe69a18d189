/* This file is what is known of a code object. */
#include "codes.h"

#include "frames.h"
#include "segments.h"

/* A JSON string with its quotes. */
int
piece_of(Piece *piece, PyObject *text)
{
    Sink sink;
    memset(&sink, 0, sizeof(sink));
    sink.room = (size_t)1 << 40;
    sink_begin(&sink);
    SINK_LITERAL(&sink, "\"");
    sink_put_json(&sink, text, 0, PyUnicode_GET_LENGTH(text));
    SINK_LITERAL(&sink, "\"");
    size_t size = (sink.end + PIECE_BLOCK - 1) / PIECE_BLOCK * PIECE_BLOCK;
    char *bytes = sink.state == ROOM ? realloc(sink.bytes, size) : NULL;
    if (bytes == NULL) {
        sink_close(&sink);
        return -1;
    }
    memset(bytes + sink.end, 0, size - sink.end);
    piece->bytes = bytes;
    piece->length = sink.end;
    return 0;
}

static void
code_free(Code *code)
{
    while (code->spare != NULL) {
        Frame *frame = code->spare;
        code->spare = frame->next;
        free(frame);
    }
    for (int index = 0; code->labels != NULL && index < code->count; index++) {
        free(code->labels[index].bytes);
    }
    segments_free(code);
    free(code->labels);
    free(code->function.bytes);
    free(code->flags);
    free(code->lines);
    free(code->folded_lines);
    Py_DECREF(code->code);
    free(code);
}

static long long
number_of(PyObject *facts, const char *name)
{
    PyObject *number = PyObject_GetAttrString(facts, name);
    long long value = number != NULL ? PyLong_AsLongLong(number) : -1;
    Py_XDECREF(number);
    return value;
}

static int
read_flags(Code *code, PyObject *facts)
{
    PyObject *flags = PyObject_GetAttrString(facts, "flags");
    if (flags == NULL || !PyBytes_CheckExact(flags)) {
        Py_XDECREF(flags);
        return -1;
    }
    code->size = (int)PyBytes_GET_SIZE(flags);
    code->flags = malloc((size_t)code->size + 1);
    code->lines = calloc((size_t)code->size + 1, sizeof(int));
    if (code->flags != NULL) {
        memcpy(code->flags, PyBytes_AS_STRING(flags), (size_t)code->size);
    }
    Py_DECREF(flags);
    return code->flags != NULL && code->lines != NULL ? 0 : -1;
}

static int
read_folded_lines(Code *code, PyObject *facts)
{
    PyObject *lines = PyObject_GetAttrString(facts, "comprehension_lines");
    if (lines == NULL || !PyDict_CheckExact(lines)) {
        Py_XDECREF(lines);
        return -1;
    }
    Py_ssize_t position = 0;
    PyObject *key, *value;
    int result = 0;
    if (PyDict_GET_SIZE(lines) > 0) {
        code->folded_lines = calloc((size_t)code->size + 1, sizeof(int));
        result = code->folded_lines != NULL ? 0 : -1;
    }
    while (result == 0 && PyDict_Next(lines, &position, &key, &value)) {
        long index = PyLong_AsLong(key);
        if (index >= 0 && index < code->size) {
            code->folded_lines[index] = (int)PyLong_AsLong(value);
        }
    }
    Py_DECREF(lines);
    return result;
}

static int
read_names(Code *code, PyObject *facts)
{
    PyObject *function = PyObject_GetAttrString(facts, "function");
    int result = function != NULL && PyUnicode_Check(function) ? piece_of(&code->function, function) : -1;
    Py_XDECREF(function);
    code->labels = calloc((size_t)code->count + 1, sizeof(Piece));
    if (code->labels == NULL) {
        return -1;
    }
    for (int index = 0; result == 0 && index < code->count; index++) {
        result = piece_of(&code->labels[index], PyTuple_GET_ITEM(code->code->co_localsplusnames, index));
    }
    return result;
}

static int
read_facts(Code *code, PyObject *facts)
{
    code->file = number_of(facts, "file");
    if (code->file < 0) {
        return 0;
    }
    PyObject *is_folded = PyObject_GetAttrString(facts, "is_folded");
    int folded = is_folded != NULL ? PyObject_IsTrue(is_folded) : -1;
    Py_XDECREF(is_folded);
    if (folded) {
        return folded < 0 ? -1 : 0;
    }
    if (read_flags(code, facts) < 0 || read_folded_lines(code, facts) < 0 || read_names(code, facts) < 0) {
        return -1;
    }
    code->is_recorded = 1;
    return 0;
}

static Code *
code_new(PyCodeObject *object)
{
    Code *code = calloc(1, sizeof(Code));
    if (code == NULL) {
        return NULL;
    }
    code->code = (PyCodeObject *)Py_NewRef(object);
    code->is_optimized = (object->co_flags & CO_OPTIMIZED) != 0;
    code->count = code->is_optimized ? object->co_nlocalsplus : 0;
    code->kinds = (const unsigned char *)PyBytes_AS_STRING(object->co_localspluskinds);
    for (int index = 0; index < code->count; index++) {
        code->has_cells |= (code->kinds[index] & (CO_FAST_CELL | CO_FAST_FREE)) != 0;
    }
    return code;
}

Code *
codes_get(Codes *codes, PyCodeObject *object, Teller *teller, Trouble *trouble)
{
    Code *code = map_get(&codes->map, object);
    if (code != NULL) {
        return code;
    }
    PyObject *facts = call_ours(teller, codes->facts, (PyObject *)object, trouble);
    code = map_get(&codes->map, object); /* another thread may have been here meanwhile */
    if (code == NULL) {
        code = code_new(object);
        if (code != NULL && map_set(&codes->map, object, code) < 0) {
            code_free(code);
            code = NULL;
        }
        if (code != NULL && facts != NULL) {
            Raised raised = raised_save();
            if (read_facts(code, facts) < 0) {
                PyErr_Clear();
            }
            raised_restore(raised);
        }
    }
    Py_XDECREF(facts);
    trouble->is_out_of_memory |= code == NULL;
    return code;
}

void
codes_clear(Codes *codes)
{
    for (size_t place = 0; place < codes->map.size; place++) {
        if (codes->map.entries[place].value != NULL) {
            code_free(codes->map.entries[place].value);
        }
    }
    map_free(&codes->map);
    Py_CLEAR(codes->facts);
}

int
code_line(Code *code, int instruction)
{
    int *line = &code->lines[instruction];
    if (*line == 0) {
        *line = PyCode_Addr2Line(code->code, instruction * (int)sizeof(_Py_CODEUNIT));
    }
    return *line;
}
