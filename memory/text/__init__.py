"""Plain text work, without Django, clock and disk: markdown, merging, words, tokens, fidelity."""
