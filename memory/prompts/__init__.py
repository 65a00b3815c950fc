"""What the bot reads before it answers: now, after an edit, at an earlier moment; and which prompts programs fetched."""
