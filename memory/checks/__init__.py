"""What needs a look: findings, recall tests, the doctor."""
