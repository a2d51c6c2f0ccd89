"""Engines: phased (array code over sufficient statistics) and rounds (a compiled loop)."""
