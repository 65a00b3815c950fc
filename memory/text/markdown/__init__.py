"""What is written in a file of markdown: blocks, entries, facts, and one fact reworded byte for byte."""
