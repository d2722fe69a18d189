/* This file is the recorder itself: its parts, and the functions that go over all of them. */
#ifndef WORLDLINE_RECORDER_H
#define WORLDLINE_RECORDER_H

#include "frames.h"
#include "segments.h"
#include "told.h"

typedef struct {
    PyObject_HEAD
    int is_running;
    int is_blind; /* for the negative control of a law: pretends that containers never change */
    int user_repr;
    Py_ssize_t max_value; /* characters of a value's text */
    long long max_steps;
    long long steps;
    long long frames;  /* numbers given out */
    long long threads; /* numbers given out */
    long long current; /* number of the frame last written */
    PyObject *on_limit;
    PyObject *immutable; /* types, see values.py */
    PyObject *implicit;  /* names, see twin.py */
    Sink sink;
    Teller teller;
    Codes codes;
    Shadows shadows;
    Trust trust;
    Map parked; /* the states of suspended generators, by the address of their frame */
    Thread *first_thread;
    Thread *last_seen; /* the thread of the last event */
} Recorder;

/* One event of a recorded frame. */
typedef struct {
    PyFrameObject *object;
    int what;
    PyObject *arg;
    int instruction;
    int flags;
    int line;
    int is_entered; /* the frame begins, or goes on after it was suspended */
} Event;

/* scan.c: find the variables that may have changed; they are left in thread->changes. -1: no memory. */
int scan(Recorder *recorder, Thread *thread, Frame *frame, const Event *event, Trouble *trouble);
int is_mutable(Recorder *recorder, PyObject *value);

/* write.c: write the line of a step. */
void write_step(Recorder *recorder, Thread *thread, Frame *frame, const Event *event, Trouble *trouble);
int write_quickly(Recorder *recorder, Thread *thread, Frame *frame, const Event *event); /* quick.c; 0: it cannot */
void write_output(Recorder *recorder, Thread *thread, PyObject *written);

/* shared.c: write which names share an object, if that changed. -1: no memory. */
int write_shared(Recorder *recorder, Frame *frame);

/* trust.c: tell what happened since the frame's last event, and what begins now. */
void trust_end_analysed(Recorder *recorder, Frame *frame, const Event *event);
void trust_begin_analysed(Recorder *recorder, Frame *frame, const Event *event, Trouble *trouble);
void trust_skip_event(Recorder *recorder, Frame *frame);
void trust_leave(Recorder *recorder, const Frame *frame);

static inline void
trust_end_segment(Recorder *recorder, Frame *frame, const Event *event)
{
    Trust *trust = &recorder->trust;
    trust->peeks += frame->code->is_peeking;
    trust->is_analysing = trust->waste >= trust->patience && !trust->is_careful;
    if (trust->is_analysing) {
        trust_end_analysed(recorder, frame, event);
        return;
    }
    frame->unseen = 0;
    frame->segment = NULL;
    trust->dirty++;
}

static inline void
trust_begin_segment(Recorder *recorder, Frame *frame, const Event *event, Trouble *trouble)
{
    if (recorder->trust.is_analysing) {
        trust_begin_analysed(recorder, frame, event, trouble);
    }
}

/* events.c: the trace function, and what it calls when a limit is met. */
int on_event(PyObject *self, PyFrameObject *object, int what, PyObject *arg);
void meet_limit(Recorder *recorder, const char *name);
Thread *this_thread(Recorder *recorder, int is_to_make);

#endif
