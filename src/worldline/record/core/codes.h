/* This file is what is known of a code object: the facts that Python found, in a shape that is quick to use. */
#ifndef WORLDLINE_CODES_H
#define WORLDLINE_CODES_H

#include "map.h"
#include "told.h"

/* As in `code_facts.py`. */
enum { FRESH = 1, YIELDS = 2, FOLDED = 4, JOINED = 8, UNSEEN = 16 };

struct Frame;
struct Segment;

#define PIECE_BLOCK 16

/* A piece of JSON that is written again and again; zero bytes make it a multiple of a block. */
typedef struct {
    char *bytes;
    size_t length;
} Piece;

typedef struct Code {
    PyCodeObject *code; /* owned, so that its address stands for it */
    int is_recorded;    /* its frames are: of the user's files, and not a folded comprehension */
    int is_optimized;   /* a function: variables in slots; else a module or class body: names in a dict */
    int has_cells;
    int count; /* of variables */
    const unsigned char *kinds;
    Piece *labels; /* `"name"` of each variable */
    Piece function;
    long long file;
    int size; /* in instructions */
    unsigned char *flags;
    int *lines;        /* of each instruction, 0: not looked up yet */
    int *folded_lines; /* of each instruction, 0: none; or NULL */
    struct Frame *spare; /* states of frames that have ended, to be used again */
    int is_seen;         /* by trust_see */
    int is_peeking;      /* may reach variables of other frames without naming them */
    struct Segment **segments; /* by instruction; or NULL */
} Code;

typedef struct {
    Map map;
    PyObject *facts; /* the Python function that finds them */
} Codes;

/* Never NULL unless there is no memory; a code object whose facts cannot be found is not recorded. */
Code *codes_get(Codes *codes, PyCodeObject *code, Teller *teller, Trouble *trouble);
void codes_clear(Codes *codes);

int code_line(Code *code, int instruction);

int piece_of(Piece *piece, PyObject *text);

#endif
