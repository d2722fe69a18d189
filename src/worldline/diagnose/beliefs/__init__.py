"""This folder is whether wrong steps follow from what the model said before, found by running Python."""
