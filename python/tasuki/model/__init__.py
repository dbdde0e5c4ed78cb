"""P-LogP parameters of real machines: measuring them, keeping them, finding them again."""
