"""This folder is the rollout: (program, model, mode) -> predicted Trace."""
