"""What people hear of without looking: digests by day or week, alarms at once; by mail, by a service, as a feed."""
