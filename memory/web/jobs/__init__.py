"""Long work, and what it proposes."""
