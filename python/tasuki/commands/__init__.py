"""One module per verb of the command line. Each has `register(app)`, which adds its commands.

A new verb is a new file here; nothing lists them.
"""
