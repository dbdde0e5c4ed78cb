"""Writes the reference pages that are generated into the build tree.

usage: generate_docs.py OUTPUT_DIRECTORY

Then checks every relative link of every Markdown file of the project; a link to what does not exist
is named and ends the program with 1.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
NOT_OURS = (".git", ".mpi", ".venv", "build", "results", ".pytest_cache")


def algorithms_page(rows: list[dict[str, Any]]) -> str:
    """Every row of algorithms.toml, by collective."""
    lines = ["# Algorithms", "", "Generated from `algorithms.toml`.", ""]
    for collective in dict.fromkeys(row["collective"] for row in rows):
        lines += [f"## {collective}", ""]
        for row in rows:
            if row["collective"] == collective:
                lines += algorithm_section(row)
    return "\n".join(lines)


def algorithm_section(row: dict[str, Any]) -> list[str]:
    domain = ", ".join(row["domain"]).replace("-", " ")
    lines = [
        f"### {row['name']}",
        "",
        row["sentence"],
        "",
        f"- Cost: `{row['cost']}`",
        f"- Works for: {domain or 'every number of ranks and placement'}",
        f"- Source: {row['source']}",
        f"- File: `{row['file']}`",
    ]
    for parameter in row["parameters"]:
        tried = "".join(f", {value} is tried" for value in parameter["tried"])
        lines.append(
            f"- Parameter `{parameter['name']}`, {parameter['minimum']} to {parameter['maximum']}, "
            f"default {parameter['default']}{tried}: {parameter['sentence']}"
        )
    return [*lines, ""]


def command_line_page() -> str:
    """What `--help` says of each verb, without colours and frames."""
    import typer.main

    from tasuki.cli import app

    lines = [
        "# Command line",
        "",
        "Generated from `tasuki VERB --help`. See also `tasuki run --help`.",
    ]
    lines += command_sections(typer.main.get_command(app), "tasuki")
    return "\n".join(lines) + "\n"


def command_sections(command: Any, name: str) -> list[str]:
    lines = ["", f"## {name}", "", (command.help or "").strip(), ""]
    for parameter in command.params:
        if "--help" in parameter.opts:
            continue
        names = ", ".join(f"`{option}`" for option in parameter.opts)
        lines.append(f"- {names}: {getattr(parameter, 'help', None) or ''}")
    if command.epilog:
        lines += ["", command.epilog]
    for inner in getattr(command, "commands", {}).values():
        lines += command_sections(inner, f"{name} {inner.name}")
    return lines


def broken_links(folder: Path) -> list[str]:
    """The relative links below `folder` that lead nowhere, each with its file."""
    broken = []
    for page in sorted(folder.rglob("*.md")):
        if page.relative_to(folder).parts[0] in NOT_OURS:
            continue
        for target in LINK.findall(page.read_text()):
            elsewhere = "://" in target or target.startswith("mailto:")
            if not elsewhere and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(folder)}: {target}")
    return broken


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    from tasuki._core import algorithms

    output = Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    (output / "algorithms.md").write_text(algorithms_page(algorithms()))
    (output / "command-line.md").write_text(command_line_page())
    print(f"written: {output}/algorithms.md, {output}/command-line.md")
    broken = broken_links(ROOT)
    for link in broken:
        print(f"no such file: {link}", file=sys.stderr)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
