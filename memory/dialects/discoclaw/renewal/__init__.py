"""What the bot does with its model after some turns, done by Kenoweb where it answers or stores deliveries itself: the summary of a
conversation renewed, and facts learned from who wrote. Both are suggestions, or written at once where the owner says so."""
