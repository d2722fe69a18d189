"""This folder is the diagnosis: where and why a prediction leaves reality."""
