"""`tasuki fabric tables`: forwarding tables for OpenSM."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tasuki.fabric.forwarding import write_dump
from tasuki.fabric.opensm.guid2lid import guid2lid
from tasuki.fabric.source import load_fabric
from tasuki.fabric.tree_routing import most_paths, multi_lid_tables, with_ways_to_switches
from tasuki.fabric.verbs.common import FabricOption, JsonOption, errors_for_people
from tasuki.output import check_target, console, write_file, wrote_to_screen

EXAMPLE = "Example: tasuki fabric tables --fabric net.txt --lmc 3 --out lfts.txt"


def tables(
    fabric: FabricOption,
    out: Annotated[Path, typer.Option(help="Tables for `opensm -R file -U`.")],
    lmc: Annotated[
        int | None,
        typer.Option(min=0, help="2^LMC LIDs per host. Default: the least that is enough."),
    ] = None,
    guid2lid_file: Annotated[
        Path | None, typer.Option("--guid2lid", help="Default: guid2lid beside --out.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Writes forwarding tables for OpenSM's `file` engine: LID base + k goes through root k."""
    check_target("--out", out)
    check_target("--guid2lid", guid2lid_file)
    with errors_for_people():
        network = load_fabric(fabric)
        planned = with_ways_to_switches(network, multi_lid_tables(network, lmc))
        pins = guid2lid_file or out.parent / "guid2lid"
        text, pinned = write_dump(network, planned), guid2lid(network, planned)
        write_file(out, text)
        write_file(pins, pinned)
    document = {
        "fabric": network.name,
        "lmc": planned.lmc,
        "roots": most_paths(network),
        "highest_lid": planned.ports.shape[1] - 1,
        "tables": str(out),
        "guid2lid": str(pins),
    }
    if wrote_to_screen(document, json_file):
        return
    console.print(
        f"{out}: {len(network.switches)} switches, LMC {planned.lmc}, LIDs up to "
        f"{document['highest_lid']}\n{pins}: copy it to OSM_CACHE_DIR/guid2lid, then run\n"
        f"  opensm -R file -U {out.resolve()} -l {planned.lmc} -x",
        highlight=False,
        soft_wrap=True,
    )


def register(app: typer.Typer) -> None:
    app.command("tables", epilog=EXAMPLE)(tables)
