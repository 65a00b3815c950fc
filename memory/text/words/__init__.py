"""The words of a text: folded and stemmed, asked for, and found again."""
