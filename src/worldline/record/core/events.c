/* This file is the trace function: which events of which frames become steps. */
#include "recorder.h"

Thread *
this_thread(Recorder *recorder, int is_to_make)
{
    PyThreadState *state = PyThreadState_Get();
    Thread *thread = recorder->last_seen;
    if (thread != NULL && thread->state == state && thread->id == state->id) {
        return thread;
    }
    for (thread = recorder->first_thread; thread != NULL; thread = thread->next) {
        if (thread->state == state && thread->id == state->id) {
            recorder->last_seen = thread;
            return thread;
        }
    }
    thread = is_to_make ? calloc(1, sizeof(Thread)) : NULL;
    if (thread != NULL) {
        thread->state = state;
        thread->id = state->id;
        thread->number = recorder->threads++;
        thread->last_step = -1;
        thread->next = recorder->first_thread;
        recorder->first_thread = recorder->last_seen = thread;
    }
    return thread;
}

void
meet_limit(Recorder *recorder, const char *name)
{
    Trouble trouble = {.has_foreign = 0};
    recorder->is_running = 0;
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL) {
        PyErr_Clear();
        return;
    }
    Py_XDECREF(call_ours(&recorder->teller, recorder->on_limit, text, &trouble));
    Py_DECREF(text);
    if (trouble.has_foreign) {
        Raised raised = raised_save();
        raised_restore(trouble.foreign);
        PyErr_WriteUnraisable(recorder->on_limit);
        raised_restore(raised);
    }
}

static int
line_of(Frame *frame, PyFrameObject *object, int instruction)
{
    Code *code = frame->code;
    if (code->folded_lines != NULL && code->folded_lines[instruction]) {
        return frame->line = code->folded_lines[instruction];
    }
    int line = object->f_lineno > 0 ? object->f_lineno : code_line(code, instruction); /* 3.13 leaves it to us often */
    return line < 0 ? frame->line : (frame->line = line);
}

/* A call starts a new frame, or goes on with a generator's. */
static Frame *
enter(Recorder *recorder, PyFrameObject *object, Trouble *trouble)
{
    Code *code = codes_get(&recorder->codes, activation_code(object->f_frame), &recorder->teller, trouble);
    if (code != NULL && !code->is_seen) {
        code->is_seen = 1;
        trust_see(&recorder->trust, code);
    }
    if (code == NULL || !code->is_recorded) {
        recorder->trust.dirty++;
        recorder->trust.peeks += code != NULL && code->is_peeking;
        object->f_trace_lines = 0; /* no line events of this frame any more */
        return NULL;
    }
    object->f_trace_lines = 1;
    Thread *thread = this_thread(recorder, 1);
    Frame *frame = map_take(&recorder->parked, object);
    if (frame != NULL && (frame->code != code || code->flags[activation_instruction(object->f_frame)] & FRESH)) {
        frame_release(frame); /* of a generator that is no more, and whose address was given away */
        frame = NULL;
    }
    if (frame == NULL && (frame = frame_new(code)) != NULL) {
        frame->number = recorder->frames++;
        frame->line = activation_code(object->f_frame)->co_firstlineno;
    }
    if (thread == NULL || frame == NULL || thread_push(thread, frame) < 0) {
        trouble->is_out_of_memory = 1;
        return NULL;
    }
    frame->object = object;
    return frame;
}

/* Whether a line event is left out because it is a part of a comprehension's expression. */
static int
is_folded(Frame *frame, const Event *event)
{
    if (event->flags & FOLDED) {
        return 1;
    }
    int line = frame->joined_line, instruction = frame->joined_instruction;
    frame->joined_line = event->line;
    frame->joined_instruction = event->flags & JOINED ? event->instruction : -1;
    return event->flags & JOINED && instruction >= 0 && line == event->line && instruction < event->instruction;
}

static void
leave(Recorder *recorder, Thread *thread, const Event *event, Trouble *trouble)
{
    Frame *frame = thread->stack[--thread->depth];
    if (!(event->flags & YIELDS)) {
        trust_leave(recorder, frame);
        frame_release(frame);
        return;
    }
    Frame *before = map_take(&recorder->parked, event->object);
    if (before != NULL) {
        frame_release(before);
    }
    if (map_set(&recorder->parked, event->object, frame) < 0) {
        frame_release(frame);
        trouble->is_out_of_memory = 1;
    }
}

/* 3.11 goes on with a generator without a call when its delegate ends a throw. */
static int
is_suspended(const Recorder *recorder, PyFrameObject *object)
{
    const Frame *frame = map_get(&recorder->parked, object);
    return frame != NULL && frame->code->code == activation_code(object->f_frame);
}

static void
handle(Recorder *recorder, PyFrameObject *object, int what, PyObject *arg, Trouble *trouble)
{
    if (what == PyTrace_CALL && enter(recorder, object, trouble) == NULL) {
        return;
    }
    Thread *thread = this_thread(recorder, 0);
    int is_entered = what == PyTrace_CALL;
    if (thread == NULL || thread->depth == 0 || thread->stack[thread->depth - 1]->object != object) {
        if (!is_suspended(recorder, object) || enter(recorder, object, trouble) == NULL) {
            return; /* a frame that was running before, or is none of the user's */
        }
        is_entered = 1;
        thread = this_thread(recorder, 0);
    }
    Frame *frame = thread->stack[thread->depth - 1];
    Event event = {.object = object, .what = what, .arg = arg, .is_entered = is_entered};
    event.instruction = activation_instruction(object->f_frame);
    event.flags = frame->code->flags[event.instruction];
    event.line = line_of(frame, object, event.instruction);
    if (what != PyTrace_LINE || !is_folded(frame, &event)) {
        if (recorder->steps >= recorder->max_steps) {
            meet_limit(recorder, "steps");
        }
        else {
            write_step(recorder, thread, frame, &event, trouble);
        }
    }
    else {
        trust_skip_event(recorder, frame);
    }
    if (what == PyTrace_RETURN) {
        leave(recorder, thread, &event, trouble);
    }
}

int
on_event(PyObject *self, PyFrameObject *object, int what, PyObject *arg)
{
    Recorder *recorder = (Recorder *)self;
    if (!recorder->is_running || what > PyTrace_RETURN) {
        return 0;
    }
    Trouble trouble = {.has_foreign = 0};
    handle(recorder, object, what, arg, &trouble);
    if (trouble.is_out_of_memory && recorder->is_running) {
        meet_limit(recorder, "memory");
    }
    if (trouble.has_foreign) {
        raised_restore(trouble.foreign);
        return -1;
    }
    return 0;
}
