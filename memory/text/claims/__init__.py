"""What a fact claims of somebody, so that two facts that claim something else of the same can be laid side by side."""
