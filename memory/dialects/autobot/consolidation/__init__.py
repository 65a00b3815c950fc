"""A chat summed up so that no message can be lost: the block that goes is stored first, then the transcript shortened, then the
model asked; its answer goes into history and memory at once, or waits for somebody. Until then the block is there to be retried or
put back."""
