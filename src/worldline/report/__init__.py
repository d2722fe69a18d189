"""This folder is any result -> what people look at: the terminal now, one-file HTML later."""
