/* This file is the line of a step on which only numbers, short plain strings and the like have changed: most steps.

   It writes exactly what write.c would, with less ado: the room for the whole line is taken at once, and pieces are
   copied in blocks. What a block puts behind the end is zero bytes, which is what is there. */
#include "copy.h"
#include "recorder.h"

#define BLOCK PIECE_BLOCK
#define HEAD_ROOM 256 /* everything but names and strings */

static inline char *
copy_piece(char *to, const Piece *piece)
{
    for (size_t done = 0; done < piece->length; done += BLOCK) {
        memcpy(to + done, piece->bytes + done, BLOCK);
    }
    return to + piece->length;
}

/* Room for the whole line; 0: not a quick one. */
static size_t
room_of_line(Recorder *recorder, const Thread *thread, Frame *frame)
{
    size_t room = HEAD_ROOM + frame->code->function.length + BLOCK;
    for (int index = 0; index < thread->change_count; index++) {
        const Change *change = &thread->changes[index];
        size_t one = change->value != NULL ? quick_room(change->value) : 0;
        if (one == 0 || one > (size_t)recorder->max_value || (change->index >= 0 && frame_slot(frame, change->index)->kind > ATOM)) {
            return 0;
        }
        room += one + (change->index >= 0 ? frame_label(frame, change->index)->length + BLOCK : 0);
    }
    return room;
}

static inline char *
copy_head(Recorder *recorder, Thread *thread, Frame *frame, const Event *event, char *to)
{
    to = event->what == PyTrace_LINE   ? COPY(to, "{\"event\":\"line\",\"line\":")
         : event->what == PyTrace_CALL ? COPY(to, "{\"event\":\"call\",\"line\":")
                                       : COPY(to, "{\"event\":\"return\",\"line\":");
    to = copy_number(to, event->line);
    if (frame->number != recorder->current) {
        recorder->current = frame->number;
        to = copy_number(COPY(to, ",\"frame\":"), frame->number);
    }
    if (!event->is_entered) {
        return to;
    }
    if (thread->depth - 1 != frame->depth) {
        frame->depth = thread->depth - 1;
        to = copy_number(COPY(to, ",\"depth\":"), frame->depth);
    }
    if (frame->is_new) {
        to = copy_piece(COPY(to, ",\"function\":"), &frame->code->function);
    }
    if (thread->number != frame->thread) {
        frame->thread = thread->number;
        to = copy_number(COPY(to, ",\"thread\":"), frame->thread);
    }
    if (frame->is_new && frame->code->file) {
        to = copy_number(COPY(to, ",\"file\":"), frame->code->file);
    }
    frame->is_new = 0;
    return to;
}

/* One variable, unless its text is what it was. */
static inline char *
copy_change(Recorder *recorder, Frame *frame, const Change *change, char *to, int *is_first)
{
    Slot *slot = frame_slot(frame, change->index);
    char *begin = to;
    to = *is_first ? COPY(to, ",\"set\":{") : COPY(to, ",");
    to = copy_piece(to, frame_label(frame, change->index));
    char *text = to = COPY(to, ":\"");
    to = copy_text(to, change->value);
    size_t length = (size_t)(to - text);
    if (slot->kind == ATOM && length == slot->length && !memcmp(text, recorder->sink.bytes + slot->offset, length)) {
        memset(begin, 0, (size_t)(to - begin));
        to = begin;
    }
    else {
        *to++ = '"';
        *is_first = 0;
        slot->offset = (size_t)(text - recorder->sink.bytes);
        slot->length = length;
    }
    if (slot->kind == ABSENT) {
        slot->position = ++frame->positions;
        slot->kind = ATOM;
    }
    PyObject *before = slot->object;
    slot->object = Py_NewRef(change->value);
    Py_XDECREF(before); /* an atom, which runs nothing */
    return to;
}

int
write_quickly(Recorder *recorder, Thread *thread, Frame *frame, const Event *event)
{
    if (event->what == PyTrace_EXCEPTION || recorder->max_value < SHORT_ROOM) {
        return 0;
    }
    size_t room = room_of_line(recorder, thread, frame);
    Sink *sink = &recorder->sink;
    if (room == 0 || sink->used + room > sink->capacity) {
        return 0;
    }
    char *to = copy_head(recorder, thread, frame, event, sink->bytes + sink->used);
    int count = thread->change_count - (event->what == PyTrace_RETURN);
    int is_first = 1;
    for (int index = 0; index < count; index++) {
        to = copy_change(recorder, frame, &thread->changes[index], to, &is_first);
    }
    if (!is_first) {
        *to++ = '}';
    }
    if (event->what == PyTrace_RETURN) {
        to = copy_text(COPY(to, ",\"value\":\""), thread->changes[count].value);
        *to++ = '"';
        frame->is_value_plain = 1;
    }
    to = COPY(to, "}\n");
    sink->used = sink->end = (size_t)(to - sink->bytes);
    return 1;
}
