"""Notifications: what people hear of, put into words; their page and their feed."""
