"""Formulas of the paper, one function each, tagged with where they stand in it."""
