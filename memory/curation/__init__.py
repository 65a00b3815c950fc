"""What people do to memory: documents edited, facts added, reworded, moved, forgotten; and where a fact came from."""
