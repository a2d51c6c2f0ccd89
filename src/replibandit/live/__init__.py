"""Experiments as they happen: rewards told one by one."""
