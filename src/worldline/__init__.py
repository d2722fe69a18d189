"""Worldline: record what programs really do, and see where a model leaves it."""

__version__ = "0.1.0"
