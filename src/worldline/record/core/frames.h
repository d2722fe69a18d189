/* This file is what was last written about every frame and its variables, and the stack of frames of each thread. */
#ifndef WORLDLINE_FRAMES_H
#define WORLDLINE_FRAMES_H

#include "codes.h"
#include "segments.h"
#include "shadow.h"

typedef enum { ABSENT, ATOM, SHADED, TOLD } SlotKind;

/* A text that Python gave; with a key, it holds as long as the key does. */
typedef struct {
    PyObject *text;
    Key key;
} Telling;

/* One variable, as it was last written. */
typedef struct {
    PyObject *object; /* ATOM: owned. Else an address to compare with, which may be anybody's by now */
    union {
        Shadow *shadow;   /* SHADED: a plain container */
        Telling *telling; /* TOLD: anything else */
    };
    size_t offset, length; /* its text in the sink */
    unsigned position;     /* the order in which variables were bound, from 1 */
    unsigned char kind;
    unsigned char is_mutable; /* two names may share it, and that is told */
} Slot;

/* A variable that has no slot in the code: of a module or class body, or bound from outside. */
typedef struct {
    PyObject *name; /* owned */
    Piece label;
    int is_hidden; /* no part of the state */
    Slot slot;
} Name;

typedef struct {
    Name *items; /* in the order of the dict, then those that it has no longer */
    int count, gone, allocated;
} Names;

typedef struct Frame {
    Code *code;
    PyFrameObject *object; /* an address to compare with */
    struct Frame *next;    /* in a list of spare ones */
    long long number;
    long long depth;
    long long thread;
    int line; /* of the last event; some instructions of 3.12+ belong to none */
    int is_new;
    int joined_line, joined_instruction; /* see `_is_folded` in twin.py; instruction -1: none */
    unsigned positions;                  /* given out so far */
    unsigned *shared;                    /* groups of names that share an object, by position; 0 ends each */
    int shared_count;
    struct Segment *segment; /* what has been running since its last event */
    uint64_t verified;       /* Trust.dirty when all variables were last right */
    uint64_t alone;          /* variables whose container nobody else referred to at the last event */
    uint64_t peeks;          /* Trust.peeks then */
    uint64_t unseen;         /* variables that need no look at this event... */
    uint64_t is_refcounted;  /* ...of these, those of which that holds only if still nobody else has the container */
    int is_scalar;           /* the iterator that the segment advances holds no objects */
    int is_value_plain;      /* what it returned */
    Names names;
    Slot slots[];
} Frame;

/* A variable that may have changed. */
typedef struct {
    int index;       /* of a slot, or behind these of a name */
    PyObject *value; /* what it is now; NULL: nothing */
    PyObject *text;  /* what Python tells of it, owned; NULL: not asked */
    int is_to_ask;
    Look look;                /* of a container: whether its text is known */
    unsigned long long order; /* changes are told by this */
} Change;

typedef struct Thread {
    struct Thread *next;
    PyThreadState *state;
    uint64_t id;
    long long number;
    long long last_step; /* -1: none yet */
    Frame **stack;
    int depth, allocated;
    PyObject *snapshot; /* of the event at hand: names that had to be asked for, owned */
    Change *changes;    /* of the event at hand */
    int change_count, change_allocated;
    int has_asked; /* for texts of changes: their values are owned meanwhile */
} Thread;

Frame *frame_new(Code *code);
void frame_release(Frame *frame); /* to be used again */
void frame_free(Frame *frame);

static inline Slot *
frame_slot(Frame *frame, int index)
{
    return index < frame->code->count ? &frame->slots[index] : &frame->names.items[index - frame->code->count].slot;
}

static inline const Piece *
frame_label(Frame *frame, int index)
{
    return index < frame->code->count ? &frame->code->labels[index]
                                      : &frame->names.items[index - frame->code->count].label;
}

void slot_clear(Slot *slot);
void name_clear(Name *name);

int thread_push(Thread *thread, Frame *frame);

int thread_grow_changes(Thread *thread);

/* One more change, or NULL if there is no memory. */
static inline Change *
thread_change(Thread *thread)
{
    if (thread->change_count == thread->change_allocated && thread_grow_changes(thread) < 0) {
        return NULL;
    }
    return &thread->changes[thread->change_count++];
}

void thread_free(Thread *thread);

#endif
