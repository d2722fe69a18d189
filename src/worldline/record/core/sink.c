/* This file is the memory that a recording is written to: a map that another process reads, or memory of our own. */
#include "sink.h"

#define FIRST_SIZE ((size_t)1 << 20)

static size_t
room_for_steps(Sink *sink)
{
    return sink->room > RESERVE ? sink->room - RESERVE : 0;
}

int
sink_open(Sink *sink, PyObject *target, size_t max_bytes)
{
    memset(sink, 0, sizeof(*sink));
    if (target == Py_None) {
        sink->room = max_bytes;
        return 0;
    }
    if (PyObject_GetBuffer(target, &sink->view, PyBUF_WRITABLE) < 0) {
        return -1;
    }
    sink->is_map = 1;
    sink->bytes = sink->view.buf;
    sink->room = (size_t)sink->view.len;
    sink->allocated = sink->room;
    sink->capacity = room_for_steps(sink);
    return 0;
}

void
sink_close(Sink *sink)
{
    if (sink->is_map) {
        PyBuffer_Release(&sink->view);
    }
    else {
        free(sink->bytes);
    }
    memset(sink, 0, sizeof(*sink));
}

void
sink_begin(Sink *sink)
{
    sink->end = sink->used;
    sink->state = ROOM;
}

/* Make memory of our own at least `needed` bytes large, which is not more than there may be. */
static int
enlarge(Sink *sink, size_t needed)
{
    size_t size = sink->allocated > FIRST_SIZE ? sink->allocated : FIRST_SIZE;
    while (size < needed) {
        size *= 2;
    }
    size = size > sink->room ? sink->room : size;
    char *bytes = realloc(sink->bytes, size);
    if (bytes == NULL) {
        return -1;
    }
    sink->bytes = bytes;
    sink->allocated = size;
    sink->capacity = size < room_for_steps(sink) ? size : room_for_steps(sink);
    return 0;
}

char *
sink_grow(Sink *sink, size_t count)
{
    if (sink->state != ROOM) {
        return NULL;
    }
    size_t needed = sink->end + count;
    if (needed < count || needed > room_for_steps(sink)) {
        sink->state = NO_ROOM;
        return NULL;
    }
    if (enlarge(sink, needed) < 0) {
        sink->state = NO_MEMORY;
        return NULL;
    }
    return sink->bytes + sink->end;
}

Room
sink_end_line(Sink *sink)
{
    SINK_LITERAL(sink, "\n");
    if (sink->state == ROOM) {
        sink->used = sink->end;
        return ROOM;
    }
    Room state = sink->state;
    sink_drop(sink, sink->used);
    return state;
}

void
sink_drop(Sink *sink, size_t end)
{
    if (sink->is_map) { /* a reader takes everything up to the zero bytes */
        memset(sink->bytes + end, 0, sink->end - end);
    }
    sink->end = end;
}

Room
sink_put_last(Sink *sink, const char *line, size_t count)
{
    if (count > sink->room || sink->used > sink->room - count) {
        return NO_ROOM;
    }
    if (sink->used + count > sink->allocated && enlarge(sink, sink->used + count) < 0) {
        return NO_MEMORY;
    }
    memcpy(sink->bytes + sink->used, line, count);
    sink->used += count;
    sink->end = sink->used;
    return ROOM;
}

void
sink_put_number(Sink *sink, long long number)
{
    char buffer[24];
    char *digits = digits_of(number, buffer);
    sink_put(sink, digits, (size_t)(buffer + 24 - digits));
}

void
sink_put_again(Sink *sink, size_t offset, size_t count)
{
    char *space = sink_space(sink, count);
    if (space != NULL) {
        memcpy(space, sink->bytes + offset, count);
        sink->end += count;
    }
}

static char *
put_unit(char *to, unsigned int unit)
{
    static const char hex[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
        *to++ = hex[(unit >> shift) & 15];
    }
    return to;
}

/* The escapes of `json.dumps`: at most twelve bytes a character. */
static char *
put_escaped(char *to, Py_UCS4 character)
{
    static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *pair = shorts; *pair; pair += 2) {
        if (character == (Py_UCS4)*pair) {
            *to++ = '\\';
            *to++ = pair[1];
            return to;
        }
    }
    if (character >= 0x10000) {
        to = put_unit(to, 0xd800 + ((character - 0x10000) >> 10));
        return put_unit(to, 0xdc00 + ((character - 0x10000) & 0x3ff));
    }
    return put_unit(to, character);
}

void
sink_put_json(Sink *sink, PyObject *text, Py_ssize_t start, Py_ssize_t stop)
{
    enum { PIECE = 512 };
    char piece[PIECE * 12];
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    while (start < stop && sink->state == ROOM) {
        char *to = piece;
        Py_ssize_t until = stop - start > PIECE ? start + PIECE : stop;
        for (; start < until; start++) {
            Py_UCS4 character = PyUnicode_READ(kind, data, start);
            if (character >= ' ' && character <= '~' && character != '"' && character != '\\') {
                *to++ = (char)character;
            }
            else {
                to = put_escaped(to, character);
            }
        }
        sink_put(sink, piece, (size_t)(to - piece));
    }
}
