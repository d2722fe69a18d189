/* This file is the states of frames, and the stack of frames of each thread. */
#include "frames.h"

void
slot_clear(Slot *slot)
{
    if (slot->kind == ATOM) {
        Py_DECREF(slot->object);
    }
    else if (slot->kind == SHADED) {
        shadow_release(slot->shadow);
    }
    else if (slot->kind == TOLD) {
        key_release(&slot->telling->key);
        Py_DECREF(slot->telling->text);
        free(slot->telling);
    }
    slot->kind = ABSENT;
    slot->object = NULL;
    slot->shadow = NULL;
    slot->is_mutable = 0;
}

void
name_clear(Name *name)
{
    Py_DECREF(name->name);
    free(name->label.bytes);
    slot_clear(&name->slot);
}

Frame *
frame_new(Code *code)
{
    Frame *frame = code->spare;
    size_t size = sizeof(Frame) + (size_t)code->count * sizeof(Slot);
    if (frame != NULL) {
        code->spare = frame->next;
    }
    else {
        frame = malloc(size);
    }
    if (frame != NULL) {
        memset(frame, 0, size);
        frame->code = code;
        frame->is_new = 1;
        frame->joined_instruction = -1;
    }
    return frame;
}

static void
frame_clear(Frame *frame)
{
    for (int index = 0; index < frame->code->count; index++) {
        slot_clear(&frame->slots[index]);
    }
    for (int index = 0; index < frame->names.count + frame->names.gone; index++) {
        name_clear(&frame->names.items[index]);
    }
    free(frame->names.items);
    free(frame->shared);
}

void
frame_release(Frame *frame)
{
    frame_clear(frame);
    frame->next = frame->code->spare;
    frame->code->spare = frame;
}

void
frame_free(Frame *frame)
{
    frame_clear(frame);
    free(frame);
}

int
thread_push(Thread *thread, Frame *frame)
{
    if (thread->depth == thread->allocated) {
        int allocated = thread->allocated ? thread->allocated * 2 : 64;
        Frame **stack = realloc(thread->stack, (size_t)allocated * sizeof(*stack));
        if (stack == NULL) {
            return -1;
        }
        thread->stack = stack;
        thread->allocated = allocated;
    }
    thread->stack[thread->depth++] = frame;
    return 0;
}

int
thread_grow_changes(Thread *thread)
{
    int allocated = thread->change_allocated ? thread->change_allocated * 2 : 64;
    Change *changes = realloc(thread->changes, (size_t)allocated * sizeof(*changes));
    if (changes == NULL) {
        return -1;
    }
    thread->changes = changes;
    thread->change_allocated = allocated;
    return 0;
}

void
thread_free(Thread *thread)
{
    while (thread->depth > 0) {
        frame_free(thread->stack[--thread->depth]);
    }
    Py_XDECREF(thread->snapshot);
    free(thread->stack);
    free(thread->changes);
    free(thread);
}
