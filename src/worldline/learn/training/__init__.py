"""This folder is the one trainer: a frozen config in, a folder with weights, log and model card out."""
