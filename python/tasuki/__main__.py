from tasuki.cli import app

app(prog_name="tasuki")
