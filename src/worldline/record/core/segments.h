/* This file is which variables need no look, because nothing can have happened to what they hold.

   `dirty` counts the occasions on which anything may have been changed: an impure segment begins, code that is not
   stepped into is entered, garbage was collected, other threads are around. As long as it stands where it stood when
   a frame was last looked at, only the variables that the frame itself has stored can be different.
   The reasoning, and what it does not cover, is in `record/segments.py`. */
#ifndef WORLDLINE_SEGMENTS_H
#define WORLDLINE_SEGMENTS_H

#include "codes.h"

/* As `segments.Segment`. */
typedef struct Segment {
    int is_pure;
    int iterator;
    uint64_t atoms, plain, touched, stored;
    PyObject *functions, *builtins; /* tuples of names */
    unsigned char *places;
} Segment;

enum { KNOWN = 1, LOOSE = 2 };

#define SCALAR ((uint64_t)1 << 63)
#define TUPLES ((uint64_t)1 << 62)
#define MAX_VARIABLES 62

typedef struct {
    int is_careful;   /* never trust anything: the options or the program forbid it */
    int is_analysing; /* looking for nothing has cost enough */
    int has_ctypes;
    long long waste;    /* about how many items were looked at for nothing */
    long long patience; /* how much of that it takes to begin to analyse */
    uint64_t dirty;
    uint64_t peeks; /* occasions on which variables may have been reached without being named */
    Py_ssize_t collections;
    PyObject *segment_of;         /* the Python function */
    PyObject *peeking, *untrusted; /* names, see segments.py */
    PyObject *builtins;           /* the built-in functions as they were when the recorder was made */
} Trust;

int trust_open(Trust *trust, long long patience, int is_careful);
void trust_close(Trust *trust);

/* What a new code object means for the trust. */
void trust_see(Trust *trust, Code *code);

void segments_free(Code *code);

/* The segment that begins at an instruction, or NULL. */
Segment *code_segment(Trust *trust, Code *code, int instruction, Teller *teller, Trouble *trouble);

#endif
