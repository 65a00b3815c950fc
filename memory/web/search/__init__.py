"""Search and the palette."""
