"""This folder is learning: networks, training and checkpoints. Only here torch is needed."""
