"""Writes the registry of algorithms from algorithms.toml into the build tree.

usage: generate_registry.py TABLE OUTPUT_DIRECTORY

Makes algorithms/generators.hpp (one declaration a row) and algorithms/registry.cpp (the rows). A
row that is malformed, a row without its file and a file without its row end the build with what was
expected. Files are looked for in src/algorithms/ beside the table.
"""

import json
import re
import sys
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

CONDITIONS = ("power-of-two-ranks", "few-ranks", "several-nodes", "known-routes")
ON_RANKS_ALONE = {"power-of-two-ranks", "few-ranks"}  # the other conditions are on the placement
NEEDS = ("placement", "sizes", "capacity")
AS_MANY_AS_RANKS = "ranks"  # a value to be tried
TREES = ("any-order", "rank-order", "canonical-for-powers-of-two", "canonical")
TEXTS = ("collective", "name", "sentence", "cost", "source")
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def identifier(name: str) -> str:
    """The C++ name and file stem of an algorithm: `two-level-ring` is `two_level_ring`."""
    return name.replace("-", "_")


def file_of(row: dict) -> str:
    """Where the generator of a row stands, below the project's root."""
    return f"src/algorithms/{row['collective']}/{identifier(row['name'])}.cpp"


def check(row: dict) -> None:
    """Ends the program with a sentence if the row is not what algorithms.toml describes."""
    where = f"algorithms.toml: {row.get('collective', '?')}/{row.get('name', '?')}"
    for key in TEXTS:
        if not isinstance(row.get(key), str) or not row[key]:
            sys.exit(f"{where}: needs a text `{key}`")
    for key in ("collective", "name"):
        if not NAME.fullmatch(row[key]):
            sys.exit(f"{where}: `{key}` must be lower-case words joined by -")
    if row["name"] == "native":
        sys.exit(f"{where}: `native` is the host's own algorithm")
    for condition in row.get("domain", []):
        if condition not in CONDITIONS:
            sys.exit(f"{where}: no condition {condition!r}; there are {', '.join(CONDITIONS)}")
    for need in row.get("needs", []):
        if need not in NEEDS:
            sys.exit(f"{where}: needs {need!r}; there are {', '.join(NEEDS)}")
    if set(row.get("domain", [])) - ON_RANKS_ALONE and "placement" not in row.get("needs", []):
        sys.exit(f'{where}: a domain of placements asks for needs = ["placement"]')
    if row.get("tree", TREES[1]) not in TREES[1:]:
        sys.exit(f"{where}: no tree {row['tree']!r}; there are {', '.join(TREES[1:])}, or none")
    if not isinstance(row.get("gathers", False), bool):
        sys.exit(f"{where}: `gathers` must be true or false")
    for parameter in row.get("parameters", []):
        missing = {"name", "default", "minimum", "maximum", "sentence"} - parameter.keys()
        if missing:
            sys.exit(f"{where}: a parameter lacks {', '.join(sorted(missing))}")
        if not parameter["minimum"] <= parameter["default"] <= parameter["maximum"]:
            sys.exit(f"{where}: the default of {parameter['name']} is outside its range")
        for value in parameter.get("tried", []):
            fits = isinstance(value, int) and parameter["minimum"] <= value <= parameter["maximum"]
            if value != AS_MANY_AS_RANKS and not fits:
                sys.exit(f"{where}: {parameter['name']} cannot be tried as {value!r}")
    unknown = row.keys() - {*TEXTS, "domain", "needs", "tree", "gathers", "parameters"}
    if unknown:
        sys.exit(f"{where}: unknown key {', '.join(sorted(unknown))}")


def read_table(path: Path) -> list[dict]:
    """The checked rows of the table, in its order."""
    rows = tomllib.loads(path.read_text())["algorithm"]
    for row in rows:
        check(row)
    names = [(row["collective"], row["name"]) for row in rows]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f"algorithms.toml: {'/'.join(name)} has two rows")
    return rows


def check_files(rows: list[dict], root: Path) -> None:
    """Ends the program unless each row has its file and each file of a collective its row."""
    wanted = {file_of(row): f"{row['collective']}/{row['name']}" for row in rows}
    found = {path.relative_to(root).as_posix() for path in root.glob("src/algorithms/*/*.cpp")}
    problems = [
        f"algorithms.toml: {wanted[file]} has no file; write {file} or take the row out"
        for file in sorted(wanted.keys() - found)
    ]
    for file in sorted(found - wanted.keys()):
        collective, name = Path(file).parent.name, Path(file).stem.replace("_", "-")
        problems.append(
            f"{file} has no row in algorithms.toml; add one with "
            f'collective = "{collective}" and name = "{name}", or take the file out'
        )
    if problems:
        sys.exit("\n".join(problems))


def write_if_changed(path: Path, text: str) -> None:
    """Keeps the time of a file that is as it should be, so that nothing is compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def generators_header(rows: list[dict]) -> str:
    lines = [
        "// Made from algorithms.toml by tools/generate_registry.py.",
        "#pragma once",
        '#include "schedule/schedule.hpp"',
    ]
    for row in rows:
        lines += [
            f"namespace tasuki::{identifier(row['collective'])} {{",
            f"Program {identifier(row['name'])}(std::int32_t rank, const Instance& instance);",
            "}",
        ]
    return "\n".join(lines) + "\n"


def registry_source(rows: list[dict]) -> str:
    text = json.dumps  # TOML and C++ strings need the same escapes here
    lines = [
        "// Made from algorithms.toml by tools/generate_registry.py.",
        '#include "algorithms/algorithm.hpp"',
        '#include "algorithms/generators.hpp"',
        "namespace tasuki {",
        "namespace {",
    ]
    entries = []
    for number, row in enumerate(rows):
        parameters, domain = "{}", "{}"
        if row.get("parameters"):
            parameters = f"parameters_{number}"
            infos = []
            for p in row["parameters"]:
                tried = "{}"
                if p.get("tried"):
                    tried = f"tried_{number}_{identifier(p['name'])}"
                    values = ", ".join(
                        "number_of_ranks" if value == AS_MANY_AS_RANKS else str(value)
                        for value in p["tried"]
                    )
                    lines.append(f"constexpr std::int64_t {tried}[] = {{{values}}};")
                infos.append(
                    f"{{{text(p['name'])}, {p['default']}, {p['minimum']}, {p['maximum']}, "
                    f"{text(p['sentence'])}, {tried}}}"
                )
            lines.append(f"constexpr ParameterInfo {parameters}[] = {{{', '.join(infos)}}};")
        if row.get("domain"):
            domain = f"domain_{number}"
            values = ", ".join(f"Condition::{identifier(c)}" for c in row["domain"])
            lines.append(f"constexpr Condition {domain}[] = {{{values}}};")
        texts = ", ".join(text(row[key], ensure_ascii=False) for key in TEXTS)
        function = f"&{identifier(row['collective'])}::{identifier(row['name'])}"
        tree = f"ReductionTree::{identifier(row.get('tree', TREES[0]))}"
        needs = ", ".join(text(need in row.get("needs", [])) for need in NEEDS)
        gathers = text(row.get("gathers", False))
        values = f"{parameters}, {domain}, {needs}, {tree}, {gathers}, {function}"
        entries.append(f"    {{{texts}, {text(file_of(row))}, {values}}},")
    lines += [
        "const Algorithm rows[] = {",
        *entries,
        "};",
        "}  // namespace",
        "std::span<const Algorithm> all_algorithms() { return rows; }",
        "}  // namespace tasuki",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    table = Path(sys.argv[1])
    rows = read_table(table)
    check_files(rows, table.resolve().parent)
    out = Path(sys.argv[2]) / "algorithms"
    out.mkdir(parents=True, exist_ok=True)
    write_if_changed(out / "generators.hpp", generators_header(rows))
    write_if_changed(out / "registry.cpp", registry_source(rows))


if __name__ == "__main__":
    main()
