/* This file is the text of plain values. */
#include "copy.h"

typedef struct {
    Sink *sink;
    Tokens *tokens;
    Py_ssize_t left; /* characters that may still be written */
    int is_full;
    int is_strange;
    int depth;
    int containers;
    PyObject *inside[MAX_NESTING]; /* the containers that this one is in */
} Writer;

static void write_value(Writer *writer, PyObject *value);

/* Put ASCII text in which there is nothing to escape. */
static inline void
put(Writer *writer, const char *text, Py_ssize_t count)
{
    if (count > writer->left) {
        count = writer->left;
        writer->is_full = 1;
    }
    sink_put(writer->sink, text, (size_t)count);
    writer->left -= count;
}

#define NOTHING "\0\0"
#define PUT(writer, literal) put((writer), (literal), (Py_ssize_t)sizeof(literal) - 1)

/* Put what `tp_repr` of a type that runs no code of the program's gave. */
static void
put_repr(Writer *writer, PyObject *text)
{
    if (text == NULL) {
        PyErr_Clear();
        writer->is_strange = 1;
        return;
    }
    Py_ssize_t count = PyUnicode_GET_LENGTH(text);
    if (count > writer->left) {
        count = writer->left;
        writer->is_full = 1;
    }
    sink_put_json(writer->sink, text, 0, count);
    writer->left -= count;
    Py_DECREF(text);
}

static int
grow(Tokens *tokens)
{
    size_t allocated = tokens->allocated ? tokens->allocated * 2 : 256;
    PyObject **items = realloc(tokens->items, allocated * sizeof(*items));
    if (items == NULL) {
        return -1;
    }
    tokens->items = items;
    tokens->allocated = allocated;
    return 0;
}

static inline void
push(Writer *writer, PyObject *token)
{
    Tokens *tokens = writer->tokens;
    if (tokens == NULL) {
        return;
    }
    if (tokens->count == tokens->allocated && grow(tokens) < 0) {
        writer->is_strange = 1;
        return;
    }
    tokens->items[tokens->count++] = token;
}

static void
write_int(Writer *writer, PyObject *value)
{
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (!overflow) {
        char buffer[24];
        char *digits = digits_of(number, buffer);
        put(writer, digits, buffer + 24 - digits);
    }
    else {
        put_repr(writer, PyLong_Type.tp_repr(value));
    }
}

static void
write_string(Writer *writer, PyObject *value)
{
    if (PyUnicode_IS_COMPACT_ASCII(value)) {
        Py_ssize_t count = PyUnicode_GET_LENGTH(value);
        const unsigned char *text = PyUnicode_1BYTE_DATA(value);
        if (is_simple(text, count)) {
            PUT(writer, "'");
            put(writer, (const char *)text, count);
            PUT(writer, "'");
            return;
        }
    }
    put_repr(writer, PyUnicode_Type.tp_repr(value));
}

static void
write_bytes(Writer *writer, PyObject *value)
{
    Py_ssize_t count = PyBytes_GET_SIZE(value);
    const char *text = PyBytes_AS_STRING(value);
    if (is_simple((const unsigned char *)text, count)) {
        PUT(writer, "b'");
        put(writer, text, count);
        PUT(writer, "'");
        return;
    }
    put_repr(writer, PyBytes_Type.tp_repr(value));
}

static void
write_float(Writer *writer, PyObject *value)
{
    char *text = PyOS_double_to_string(PyFloat_AS_DOUBLE(value), 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (text == NULL) {
        PyErr_Clear();
        writer->is_strange = 1;
        return;
    }
    put(writer, text, (Py_ssize_t)strlen(text));
    PyMem_Free(text);
}

static void
write_atom(Writer *writer, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyLong_Type) {
        write_int(writer, value);
    }
    else if (type == &PyUnicode_Type) {
        write_string(writer, value);
    }
    else if (value == Py_None) {
        PUT(writer, "None");
    }
    else if (value == Py_True) {
        PUT(writer, "True");
    }
    else if (value == Py_False) {
        PUT(writer, "False");
    }
    else if (type == &PyFloat_Type) {
        write_float(writer, value);
    }
    else if (type == &PyBytes_Type) {
        write_bytes(writer, value);
    }
    else {
        put_repr(writer, type->tp_repr(value));
    }
}

/* Write an item of a container if it is a quick one, and there is room for all of it. */
static inline int
write_quick_item(Writer *writer, const char *separator, PyObject *item)
{
    Sink *sink = writer->sink;
    size_t room = quick_room(item);
    if (room == 0 || room > (size_t)writer->left || sink->end + room > sink->capacity || sink->state != ROOM) {
        return 0;
    }
    char *begin = sink->bytes + sink->end;
    memcpy(begin, separator, 2);
    char *end = copy_text(*separator ? begin + 2 : begin, item);
    size_t length = (size_t)(end - sink->bytes) - sink->end;
    sink->end += length;
    writer->left -= (Py_ssize_t)length;
    push(writer, item);
    return 1;
}

/* Write an item, and what separates it from the one before: two characters, or none. */
static inline void
write_item(Writer *writer, const char separator[3], PyObject *item)
{
    if (!write_quick_item(writer, separator, item)) {
        put(writer, separator, *separator ? 2 : 0);
        write_value(writer, item);
    }
}

static void
write_items(Writer *writer, PyObject *const *items, Py_ssize_t count)
{
    for (Py_ssize_t index = 0; index < count && !writer->is_full; index++) {
        write_item(writer, index ? ", " : NOTHING, items[index]);
    }
}

static void
write_dict(Writer *writer, PyObject *value)
{
    Py_ssize_t position = 0;
    PyObject *key, *item;
    int is_first = 1;
    PUT(writer, "{");
    while (!writer->is_full && PyDict_Next(value, &position, &key, &item)) {
        write_item(writer, is_first ? NOTHING : ", ", key);
        is_first = 0;
        write_item(writer, ": ", item);
    }
    PUT(writer, "}");
}

/* All elements become tokens, even where the text is cut: a strange one among the rest would change the order. */
static void
write_set(Writer *writer, PyObject *value)
{
    int is_frozen = Py_IS_TYPE(value, &PyFrozenSet_Type);
    if (PySet_GET_SIZE(value) == 0) {
        is_frozen ? PUT(writer, "frozenset()") : PUT(writer, "set()");
        return;
    }
    is_frozen ? PUT(writer, "frozenset({") : PUT(writer, "{");
    Py_ssize_t position = 0;
    PyObject *element;
    Py_hash_t hash;
    int is_first = 1;
    while (_PySet_NextEntry(value, &position, &element, &hash)) {
        write_item(writer, is_first ? NOTHING : ", ", element);
        is_first = 0;
    }
    is_frozen ? PUT(writer, "})") : PUT(writer, "}");
}

static Py_ssize_t
container_size(PyObject *value, int kind)
{
    return kind == DICT_KIND                            ? PyDict_GET_SIZE(value)
           : kind == SET_KIND || kind == FROZENSET_KIND ? PySet_GET_SIZE(value)
                                                        : Py_SIZE(value);
}

static void
write_value(Writer *writer, PyObject *value)
{
    if (is_atom(value)) {
        push(writer, value);
        write_atom(writer, value);
        return;
    }
    int kind = container_kind(value);
    if (kind == NO_KIND || writer->depth == MAX_NESTING || is_inside(writer->inside, writer->depth, value)) {
        writer->is_strange = writer->is_full = 1;
        return;
    }
    Py_ssize_t size = container_size(value, kind);
    push(writer, MARK(kind, size));
    writer->containers++;
    writer->inside[writer->depth++] = value;
    if (kind == LIST_KIND) {
        PUT(writer, "[");
        write_items(writer, ((PyListObject *)value)->ob_item, size);
        PUT(writer, "]");
    }
    else if (kind == TUPLE_KIND) {
        PUT(writer, "(");
        write_items(writer, ((PyTupleObject *)value)->ob_item, size);
        size == 1 ? PUT(writer, ",)") : PUT(writer, ")");
    }
    else if (kind == DICT_KIND) {
        write_dict(writer, value);
    }
    else {
        write_set(writer, value);
    }
    writer->depth--;
}

/* `…<list of 1000000>` */
static void
write_mark(Sink *sink, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    Py_ssize_t size = 0;
    if (type == &PyLong_Type) {
        size = (Py_ssize_t)_PyLong_NumBits(value);
    }
    else if (type == &PyUnicode_Type) {
        size = PyUnicode_GET_LENGTH(value);
    }
    else if (type == &PyBytes_Type) {
        size = PyBytes_GET_SIZE(value);
    }
    else if (!is_atom(value)) {
        size = container_size(value, container_kind(value));
    }
    SINK_LITERAL(sink, "\\u2026<");
    sink_put(sink, type->tp_name, strlen(type->tp_name));
    SINK_LITERAL(sink, " of ");
    sink_put_number(sink, size);
    SINK_LITERAL(sink, ">");
}

Outcome
text_write(Sink *sink, PyObject *value, Py_ssize_t limit, Tokens *tokens)
{
    Writer writer;
    writer.sink = sink;
    writer.tokens = tokens;
    writer.left = limit;
    writer.is_full = writer.is_strange = writer.depth = writer.containers = 0;
    if (tokens != NULL) {
        tokens->count = 0;
    }
    write_value(&writer, value);
    if (writer.is_strange) {
        return STRANGE;
    }
    if (tokens != NULL) {
        int kind = container_kind(value);
        tokens->is_single = !writer.is_full && writer.containers == 1;
        tokens->is_flat = tokens->is_single && (kind == LIST_KIND || kind == TUPLE_KIND);
    }
    if (writer.is_full) {
        write_mark(sink, value);
        return CUT;
    }
    return WRITTEN;
}
