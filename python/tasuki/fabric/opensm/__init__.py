"""Forwarding tables into OpenSM, and a check of what it made of them.

OpenSM accepts damaged files without a word and falls back to other routing with exit code 0, so
nothing is believed that has not been read back.
"""
