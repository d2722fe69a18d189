"""This folder is which lines may come next."""
