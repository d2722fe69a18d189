"""This folder is which lines may come next, where an execution stands, and how far its loops are.

`successors.flow(source)` gives the legal events of each frame, `position` walks a trace through them with
the stack of frames, `loops` counts the items that running loops have taken. `bytecode` is below the first.
"""
