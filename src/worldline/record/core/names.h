/* This file is variables that live in a dict: those of module and class bodies, and those bound from outside. */
#ifndef WORLDLINE_NAMES_H
#define WORLDLINE_NAMES_H

#include "frames.h"

/* Make the frame's names those of the dict (NULL: of an empty one), in its order. Names that it has no longer come
   after these, until `names_forget`. `implicit`: names that are no part of the state. -1 if there is no memory. */
int names_follow(Frame *frame, PyObject *dict, PyObject *implicit);

void names_forget(Frame *frame);

#endif
