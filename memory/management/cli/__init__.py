"""The command line `memory`: each module adds its commands to the parser; `shape` says what a command gets and gives."""
