"""Fat-trees: what they look like, which link carries what, and how an all-to-all avoids hot spots.

Read README.md for the modules in the order in which data passes through them.
"""
