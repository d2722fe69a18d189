"""This folder is what other tools read: files of CRUXEval, lm-eval and Hugging Face, an Inspect task."""
