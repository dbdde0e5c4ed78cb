"""Tasuki's command line, reports and tools around MPI runs."""
