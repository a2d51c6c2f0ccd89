"""The nouns: randomness, problems, phases, tallies, decisions, traces. NumPy only, no I/O."""
