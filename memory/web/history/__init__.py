"""Change sets, their differences, undo."""
