"""What pages share: the frame, rows of facts and changes, gauges, forms."""
