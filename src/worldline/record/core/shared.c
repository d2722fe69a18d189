/* This file is which names share one mutable object. */
#include "recorder.h"

typedef struct {
    PyObject *object;
    unsigned position;
    unsigned group; /* position of the first name of its group */
    int index;
} Holder;

static int
by_object(const void *one, const void *other)
{
    const Holder *a = one, *b = other;
    if (a->object != b->object) {
        return (uintptr_t)a->object < (uintptr_t)b->object ? -1 : 1;
    }
    return a->position < b->position ? -1 : a->position > b->position;
}

static int
by_group(const void *one, const void *other)
{
    const Holder *a = one, *b = other;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    return a->position < b->position ? -1 : a->position > b->position;
}

/* All variables that hold a mutable object. */
static int
collect(Frame *frame, Holder *holders)
{
    int count = 0;
    for (int index = 0; index < frame->code->count + frame->names.count; index++) {
        const Slot *slot = frame_slot(frame, index);
        if (slot->is_mutable) {
            holders[count++] = (Holder){slot->object, slot->position, 0, index};
        }
    }
    return count;
}

/* Leave only those that share, in the order of the groups. */
static int
group(Holder *holders, int count)
{
    int kept = 0;
    qsort(holders, (size_t)count, sizeof(Holder), by_object);
    for (int start = 0, stop; start < count; start = stop) {
        for (stop = start + 1; stop < count && holders[stop].object == holders[start].object; stop++) {
        }
        unsigned first = holders[start].position;
        for (int index = start; stop - start > 1 && index < stop; index++) {
            holders[kept] = holders[index];
            holders[kept++].group = first;
        }
    }
    qsort(holders, (size_t)kept, sizeof(Holder), by_group);
    return kept;
}

static void
write_groups(Recorder *recorder, Frame *frame, const Holder *holders, int count)
{
    Sink *sink = &recorder->sink;
    SINK_LITERAL(sink, ",\"shared\":[");
    for (int index = 0; index < count; index++) {
        int is_first = index == 0 || holders[index].group != holders[index - 1].group;
        int is_last = index == count - 1 || holders[index].group != holders[index + 1].group;
        const Piece *label = frame_label(frame, holders[index].index);
        if (index > 0) {
            SINK_LITERAL(sink, ",");
        }
        if (is_first) {
            SINK_LITERAL(sink, "[");
        }
        sink_put(sink, label->bytes, label->length);
        if (is_last) {
            SINK_LITERAL(sink, "]");
        }
    }
    SINK_LITERAL(sink, "]");
}

int
write_shared(Recorder *recorder, Frame *frame)
{
    size_t most = (size_t)(frame->code->count + frame->names.count) + 1;
    Holder *holders = malloc(most * sizeof(Holder));
    unsigned *shared = malloc(most * 2 * sizeof(unsigned));
    if (holders == NULL || shared == NULL) {
        free(holders);
        free(shared);
        return -1;
    }
    int count = group(holders, collect(frame, holders));
    int length = 0;
    for (int index = 0; index < count; index++) {
        if (index > 0 && holders[index].group != holders[index - 1].group) {
            shared[length++] = 0;
        }
        shared[length++] = holders[index].position;
    }
    if (length != frame->shared_count || (length && memcmp(shared, frame->shared, (size_t)length * sizeof(unsigned)))) {
        write_groups(recorder, frame, holders, count);
        free(frame->shared);
        frame->shared = shared;
        frame->shared_count = length;
        shared = NULL;
    }
    free(shared);
    free(holders);
    return 0;
}
