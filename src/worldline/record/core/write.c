/* This file is the line of a step.

   First Python is asked for the texts that it has to give; then the whole line is written without anything else
   running in between, so that lines of other threads, and output, never get into it. */
#include "names.h"
#include "recorder.h"

#define COST_OF_ASKING 2000 /* in items of a container looked at */

static int
has_to_ask(Recorder *recorder, Frame *frame, Change *change)
{
    PyObject *value = change->value;
    if (Py_IS_TYPE(value, &PyUnicode_Type) || (is_atom(value) && is_plain(value, recorder->max_value))) {
        return 0;
    }
    if (recorder->user_repr || container_kind(value) == NO_KIND) {
        return 1;
    }
    const Slot *slot = change->index >= 0 ? frame_slot(frame, change->index) : NULL;
    if (slot != NULL && slot->kind == TOLD && slot->object == value) { /* the more likely answer first */
        return !is_plain(value, recorder->max_value);
    }
    const Shadow *outdated = slot != NULL && slot->kind == SHADED && slot->object == value ? slot->shadow : NULL;
    change->look = shadow_look(&recorder->shadows, value, outdated);
    return change->look.found == NEW_TEXT && !is_plain(value, recorder->max_value);
}

/* Ask for the texts of all changes that need it. The values are kept alive meanwhile. */
static void
ask(Recorder *recorder, Thread *thread, Trouble *trouble)
{
    int count = thread->change_count;
    for (int index = 0; index < count; index++) {
        Py_XINCREF(thread->changes[index].value);
    }
    for (int index = 0; index < count; index++) {
        Change *change = &thread->changes[index];
        if (change->is_to_ask) {
            PyObject *text = tell(&recorder->teller, change->value, trouble);
            change->text = text;
            trouble->is_out_of_memory |= text == NULL;
        }
    }
}

static void
release(Thread *thread)
{
    for (int index = 0; thread->has_asked && index < thread->change_count; index++) {
        Py_CLEAR(thread->changes[index].text);
        Py_CLEAR(thread->changes[index].value);
    }
    Py_CLEAR(thread->snapshot);
    thread->has_asked = thread->change_count = 0;
}

/* The text of a value; gives the shadow of a container. */
static Shadow *
write_text(Recorder *recorder, const Change *change, int has_asked)
{
    Sink *sink = &recorder->sink;
    size_t start = sink->end;
    if (change->text != NULL) {
        sink_put_json(sink, change->text, 0, PyUnicode_GET_LENGTH(change->text));
        return NULL;
    }
    if (is_atom(change->value)) {
        text_write(sink, change->value, recorder->max_value, NULL);
        return NULL;
    }
    Look look = has_asked ? (Look){UNTRIED, NULL} : change->look; /* what Python was asked may have changed it */
    Shadow *shadow = shadow_write(&recorder->shadows, sink, change->value, recorder->max_value, look);
    if (shadow == NULL && sink->state == ROOM) { /* another thread has just put something strange into it */
        sink_drop(sink, start);
        SINK_LITERAL(sink, "\\u2026");
    }
    return shadow;
}

static void
keep(Recorder *recorder, Slot *slot, const Change *change, Shadow *shadow)
{
    slot_clear(slot);
    slot->object = change->value;
    slot->is_mutable = (unsigned char)is_mutable(recorder, change->value);
    if (shadow != NULL) {
        slot->kind = SHADED;
        slot->shadow = shadow;
    }
    else if (is_atom(change->value)) {
        slot->kind = ATOM;
        Py_INCREF(change->value);
    }
    else {
        Telling *telling = calloc(1, sizeof(Telling));
        PyObject *text = change->text != NULL ? Py_NewRef(change->text) : PyUnicode_FromString("");
        if (telling == NULL || text == NULL) {
            free(telling);
            Py_XDECREF(text);
            slot->object = NULL; /* looks like a new variable the next time */
            return;
        }
        telling->text = text;
        if (is_cut_text(&recorder->teller, text) || !key_of(change->value, &telling->key)) {
            telling->key.first = telling->key.second = NULL;
        }
        key_keep(&telling->key);
        slot->kind = TOLD;
        slot->telling = telling;
    }
}

/* Write a variable if its text has changed; gives whether the names that share an object may have. */
static int
write_change(Recorder *recorder, Frame *frame, const Change *change, int has_asked, int *is_first)
{
    Sink *sink = &recorder->sink;
    Slot *slot = frame_slot(frame, change->index);
    PyObject *object = slot->object;
    int was_mutable = slot->is_mutable;
    if (slot->kind == TOLD && change->text != NULL && PyUnicode_Compare(slot->telling->text, change->text) == 0) {
        recorder->trust.waste += COST_OF_ASKING;
        keep(recorder, slot, change, NULL);
        return (was_mutable || slot->is_mutable) && (object != slot->object || was_mutable != slot->is_mutable);
    }
    size_t begin = sink->end;
    const Piece *label = frame_label(frame, change->index);
    *is_first ? SINK_LITERAL(sink, ",\"set\":{") : SINK_LITERAL(sink, ",");
    sink_put(sink, label->bytes, label->length);
    SINK_LITERAL(sink, ":\"");
    size_t offset = sink->end;
    Shadow *shadow = write_text(recorder, change, has_asked);
    size_t length = sink->end - offset;
    if (slot->kind != ABSENT && length == slot->length && sink->state == ROOM &&
        !memcmp(sink->bytes + offset, sink->bytes + slot->offset, length)) {
        sink_drop(sink, begin);
        if (shadow != NULL && shadow->offset == offset) {
            shadow->offset = slot->offset;
        }
    }
    else {
        SINK_LITERAL(sink, "\"");
        *is_first = 0;
        slot->offset = offset;
        slot->length = length;
        if (slot->kind == ABSENT) {
            slot->position = ++frame->positions;
        }
    }
    keep(recorder, slot, change, shadow);
    return (was_mutable || slot->is_mutable) && (object != slot->object || was_mutable != slot->is_mutable);
}

/* Write what is gone; gives how many changes that were, and whether one of them held a mutable object. */
static int
write_gone(Recorder *recorder, Thread *thread, Frame *frame, int *is_sharing_new)
{
    Sink *sink = &recorder->sink;
    int index = 0;
    for (; index < thread->change_count && thread->changes[index].value == NULL; index++) {
        Slot *slot = frame_slot(frame, thread->changes[index].index);
        const Piece *label = frame_label(frame, thread->changes[index].index);
        index == 0 ? SINK_LITERAL(sink, ",\"del\":[") : SINK_LITERAL(sink, ",");
        sink_put(sink, label->bytes, label->length);
        *is_sharing_new |= slot->is_mutable;
        slot_clear(slot);
    }
    if (index > 0) {
        SINK_LITERAL(sink, "]");
    }
    return index;
}

static int
write_state(Recorder *recorder, Thread *thread, Frame *frame, int count)
{
    int is_first = 1, is_sharing_new = 0;
    for (int index = write_gone(recorder, thread, frame, &is_sharing_new); index < count; index++) {
        is_sharing_new |= write_change(recorder, frame, &thread->changes[index], thread->has_asked, &is_first);
    }
    if (!is_first) {
        SINK_LITERAL(&recorder->sink, "}");
    }
    names_forget(frame);
    return is_sharing_new ? write_shared(recorder, frame) : 0;
}

/* Where the frame stands: on its first step, and when it is resumed elsewhere. */
static void
write_place(Recorder *recorder, Thread *thread, Frame *frame)
{
    Sink *sink = &recorder->sink;
    if (thread->depth - 1 != frame->depth) {
        frame->depth = thread->depth - 1;
        SINK_LITERAL(sink, ",\"depth\":");
        sink_put_number(sink, frame->depth);
    }
    if (frame->is_new) {
        SINK_LITERAL(sink, ",\"function\":");
        sink_put(sink, frame->code->function.bytes, frame->code->function.length);
    }
    if (thread->number != frame->thread) {
        frame->thread = thread->number;
        SINK_LITERAL(sink, ",\"thread\":");
        sink_put_number(sink, frame->thread);
    }
    if (frame->is_new && frame->code->file) {
        SINK_LITERAL(sink, ",\"file\":");
        sink_put_number(sink, frame->code->file);
    }
    frame->is_new = 0;
}

static void
write_head(Recorder *recorder, Thread *thread, Frame *frame, const Event *event)
{
    Sink *sink = &recorder->sink;
    switch (event->what) {
    case PyTrace_CALL:
        SINK_LITERAL(sink, "{\"event\":\"call\",\"line\":");
        break;
    case PyTrace_LINE:
        SINK_LITERAL(sink, "{\"event\":\"line\",\"line\":");
        break;
    case PyTrace_RETURN:
        SINK_LITERAL(sink, "{\"event\":\"return\",\"line\":");
        break;
    default:
        SINK_LITERAL(sink, "{\"event\":\"exception\",\"line\":");
    }
    sink_put_number(sink, event->line);
    if (frame->number != recorder->current) {
        recorder->current = frame->number;
        SINK_LITERAL(sink, ",\"frame\":");
        sink_put_number(sink, frame->number);
    }
    if (event->is_entered) {
        write_place(recorder, thread, frame);
    }
}

/* The returned value or the exception, as one more change at the end, which is of no variable. */
static int
add_value(Thread *thread, const Event *event)
{
    if (event->what != PyTrace_RETURN && event->what != PyTrace_EXCEPTION) {
        return 0;
    }
    Change *change = thread_change(thread);
    if (change == NULL) {
        return -1;
    }
    *change = (Change){.index = -1, .value = event->arg != NULL ? event->arg : Py_None};
    return 0;
}

static void
finish_line(Recorder *recorder, Trouble *trouble)
{
    Room room = sink_end_line(&recorder->sink);
    if (room == NO_ROOM) {
        meet_limit(recorder, "size");
    }
    trouble->is_out_of_memory |= room == NO_MEMORY;
}

/* Write a line that may need Python's help. */
static void
write_slowly(Recorder *recorder, Thread *thread, Frame *frame, const Event *event, Trouble *trouble)
{
    int count = thread->change_count - (event->what == PyTrace_RETURN || event->what == PyTrace_EXCEPTION);
    thread->has_asked = event->what == PyTrace_EXCEPTION;
    for (int index = 0; index < thread->change_count; index++) {
        Change *change = &thread->changes[index];
        if (change->value != NULL && (index < count || event->what == PyTrace_RETURN)) {
            thread->has_asked |= change->is_to_ask = has_to_ask(recorder, frame, change);
        }
    }
    if (thread->has_asked) {
        ask(recorder, thread, trouble);
        if (event->what == PyTrace_EXCEPTION) {
            thread->changes[count].text = tell_exception(&recorder->teller, event->arg, trouble);
        }
    }
    Sink *sink = &recorder->sink;
    sink_begin(sink);
    write_head(recorder, thread, frame, event);
    if (write_state(recorder, thread, frame, count) < 0) {
        trouble->is_out_of_memory = 1;
    }
    if (count < thread->change_count) {
        SINK_LITERAL(sink, ",\"value\":\"");
        Shadow *shadow = write_text(recorder, &thread->changes[count], thread->has_asked);
        frame->is_value_plain = shadow != NULL ? !shadow->is_cut : is_atom(thread->changes[count].value);
        shadow_release(shadow);
        SINK_LITERAL(sink, "\"");
    }
    SINK_LITERAL(sink, "}");
    finish_line(recorder, trouble);
}

void
write_step(Recorder *recorder, Thread *thread, Frame *frame, const Event *event, Trouble *trouble)
{
    trust_end_segment(recorder, frame, event);
    int is_seen = !(event->flags & (FOLDED | UNSEEN));
    if ((is_seen && scan(recorder, thread, frame, event, trouble) < 0) || add_value(thread, event) < 0) {
        trouble->is_out_of_memory = 1;
        release(thread);
        return;
    }
    thread->last_step = recorder->steps++;
    if (!write_quickly(recorder, thread, frame, event)) {
        write_slowly(recorder, thread, frame, event, trouble);
    }
    trust_begin_segment(recorder, frame, event, trouble);
    release(thread); /* only now: to let go of a value may run code of the program's */
}

void
write_output(Recorder *recorder, Thread *thread, PyObject *written)
{
    Sink *sink = &recorder->sink;
    Trouble trouble = {.has_foreign = 0};
    sink_begin(sink);
    SINK_LITERAL(sink, "{\"out\":\"");
    sink_put_json(sink, written, 0, PyUnicode_GET_LENGTH(written));
    SINK_LITERAL(sink, "\"");
    if (thread->last_step != recorder->steps - 1) {
        SINK_LITERAL(sink, ",\"step\":");
        sink_put_number(sink, thread->last_step);
    }
    SINK_LITERAL(sink, "}");
    finish_line(recorder, &trouble);
    if (trouble.is_out_of_memory) {
        meet_limit(recorder, "memory");
    }
}
