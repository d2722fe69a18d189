"""This folder is the models that can be asked for a trace."""
