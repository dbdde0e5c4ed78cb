"""The verbs of `tasuki fabric`, one module each."""
