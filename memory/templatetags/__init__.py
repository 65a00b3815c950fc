"""What templates say that needs code: ages, sizes, labels, addresses."""
