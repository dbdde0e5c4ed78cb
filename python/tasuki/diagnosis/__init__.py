"""What this machine offers to Tasuki: one finding for each thing that matters."""
