/* This file is the memory that a recording is written to, line by line; its Python twin is `record/sink.py`. */
#ifndef WORLDLINE_SINK_H
#define WORLDLINE_SINK_H

#include "compat.h"

#define RESERVE (1 << 16) /* bytes kept for the last lines when the steps have used up all others */

typedef enum { ROOM, NO_ROOM, NO_MEMORY } Room;

typedef struct {
    char *bytes;
    size_t room;      /* bytes there may be */
    size_t allocated; /* bytes there are: of a map all, of our own memory what was needed so far */
    size_t capacity;  /* those of them that steps may use: not the reserve */
    size_t used;      /* whole lines; the rest is zero bytes, or the line that is being written */
    size_t end;       /* where the line that is being written goes on */
    Room state;       /* of the line that is being written: once it ran out, nothing more is written */
    int is_map;
    Py_buffer view;
} Sink;

int sink_open(Sink *sink, PyObject *target, size_t max_bytes);
void sink_close(Sink *sink);

/* A line: begin, put..., then end. What was put can be dropped again up to an earlier `end`. */
void sink_begin(Sink *sink);
Room sink_end_line(Sink *sink);
void sink_drop(Sink *sink, size_t end);
char *sink_grow(Sink *sink, size_t count);

/* A whole line of someone else's, which may use the reserve. */
Room sink_put_last(Sink *sink, const char *line, size_t count);

/* Room for `count` more bytes of the line, or NULL. */
static inline char *
sink_space(Sink *sink, size_t count)
{
    if (sink->state == ROOM && sink->end + count <= sink->capacity) {
        return sink->bytes + sink->end;
    }
    return sink_grow(sink, count);
}

static inline void
sink_put(Sink *sink, const char *bytes, size_t count)
{
    char *space = sink_space(sink, count);
    if (space != NULL) {
        memcpy(space, bytes, count);
        sink->end += count;
    }
}

#define SINK_LITERAL(sink, literal) sink_put((sink), (literal), sizeof(literal) - 1)

void sink_put_number(Sink *sink, long long number);

/* Put bytes that were written before. */
void sink_put_again(Sink *sink, size_t offset, size_t count);

/* Put characters `start` to `stop` of a str as the inside of a JSON string, all in ASCII. */
void sink_put_json(Sink *sink, PyObject *text, Py_ssize_t start, Py_ssize_t stop);

/* Decimal digits of a number at the end of a buffer of 24; gives where they begin. */
static inline char *
digits_of(long long number, char buffer[24])
{
    char *at = buffer + 24;
    unsigned long long left = number < 0 ? 0ULL - (unsigned long long)number : (unsigned long long)number;
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (number < 0) {
        *--at = '-';
    }
    return at;
}

#endif
