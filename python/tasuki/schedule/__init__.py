"""What is seen of a schedule: its rounds, what each message carries, and pictures of it."""
