"""interpose/calls.toml as objects: calls, and what their arguments are in each language."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib


@dataclass(frozen=True)
class Kind:
    """How an argument is spelled in each language and for the handler, and how Fortran's becomes
    the handler's. In an array the name comes before the brackets of `c` and `large`."""

    c: str
    large: str
    handler: str
    fortran: str
    from_fortran: str

    @property
    def is_buffer(self) -> bool:
        return self.c.endswith("void*")


BUFFER = Kind("void*", "void*", "void*", "void*", "from_fortran({})")
KINDS = {
    "send_buffer": Kind("const void*", "const void*", "const void*", "void*", "from_fortran({})"),
    "receive_buffer": BUFFER,
    "buffer": BUFFER,
    "count": Kind("int", "MPI_Count", "MPI_Count", "MPI_Fint*", "*{}"),
    "counts": Kind("const int*", "const MPI_Count*", "Integers", "MPI_Fint*", "{}"),
    "displacements": Kind("const int*", "const MPI_Aint*", "Integers", "MPI_Fint*", "{}"),
    "datatype": Kind(
        "MPI_Datatype", "MPI_Datatype", "MPI_Datatype", "MPI_Fint*", "PMPI_Type_f2c(*{})"
    ),
    "datatypes": Kind(
        "const MPI_Datatype*", "const MPI_Datatype*", "Datatypes", "MPI_Fint*", "FortranTypes{{{}}}"
    ),
    "operation": Kind("MPI_Op", "MPI_Op", "MPI_Op", "MPI_Fint*", "PMPI_Op_f2c(*{})"),
    "root": Kind("int", "int", "int", "MPI_Fint*", "*{}"),
    "communicator": Kind("MPI_Comm", "MPI_Comm", "MPI_Comm", "MPI_Fint*", "PMPI_Comm_f2c(*{})"),
}
REQUEST = Kind("MPI_Request*", "MPI_Request*", "MPI_Request*", "MPI_Fint*", "FortranRequest({})")
INFO = Kind("MPI_Info", "MPI_Info", "MPI_Info", "MPI_Fint*", "PMPI_Info_f2c(*{})")


QUIET_FIELDS = {
    "communicator": [KINDS["communicator"]],
    "counts": [KINDS["count"]],
    "types": [KINDS["datatype"]],
    "operation": [KINDS["operation"]],
    "root": [KINDS["root"]],
}
"""Of CallArguments in interpose/known_call.hpp: which arguments they are."""
LISTS = ("counts", "types")
ARRAY_FIELDS = {"counts": "counts", "displacements": "displacements", "types": "datatypes"}
"""Of CallArrays: which kind of arguments they are."""


@dataclass(frozen=True)
class Call:
    name: str
    collective: str
    arguments: list[tuple[Kind, str]]
    agrees_about_sizes: bool
    reduces: bool

    @property
    def nonblocking(self) -> Call:
        name = f"I{self.name[0].lower()}{self.name[1:]}"
        return replace(self, name=name, arguments=[*self.arguments, (REQUEST, "request")])

    @property
    def persistent(self) -> Call:
        more = [(INFO, "info"), (REQUEST, "request")]
        return replace(self, name=f"{self.name}_init", arguments=[*self.arguments, *more])

    @property
    def requester(self) -> str:
        return f"request_{self.name.lower()}"

    @property
    def handler(self) -> str:
        return f"handle_{self.name.lower()}"

    @property
    def enumerator(self) -> str:
        return identifier(self.collective)

    @property
    def has_large_form(self) -> bool:
        return any(kind.c != kind.large for kind, _ in self.arguments)

    @property
    def has_buffer(self) -> bool:
        return any(kind.is_buffer for kind, _ in self.arguments)

    def declared(self, spelling: str) -> str:
        return ", ".join(f"{getattr(kind, spelling)} {name}" for kind, name in self.arguments)

    def names(self) -> list[str]:
        return [name for _, name in self.arguments]

    def converted_names(self) -> list[str]:
        return [kind.from_fortran.format(name) for kind, name in self.arguments]

    def passed(self) -> str:
        return ", ".join(self.names())

    @property
    def has_arrays(self) -> bool:
        return any(kind == KINDS["counts"] for kind, _ in self.arguments)

    @property
    def has_block_counts(self) -> bool:
        """Those of all ranks, in an array that all of them have equal."""
        return self.has_arrays and not self.agrees_about_sizes

    def arrays(self, names: list[str]) -> str:
        """CallArrays in interpose/known_call.hpp, likewise: arrays are of the buffer before."""
        sides: dict[str, list[str]] = {field: ["{}", "{}"] for field in ARRAY_FIELDS}
        side = 0
        for (kind, _), name in zip(self.arguments, names, strict=True):
            if kind.is_buffer:
                side = int(kind == KINDS["receive_buffer"])
            for field in ARRAY_FIELDS:
                if kind == KINDS[ARRAY_FIELDS[field]]:
                    sides[field][side] = name
        given = [f".{field} = {{{', '.join(found)}}}" for field, found in sides.items()]
        return f"{{{', '.join(given)}}}"

    def quiet(self, names: list[str]) -> str:
        """What QuietCall compares, with the arguments of a call as `names` have them."""
        fields: dict[str, list[str]] = {field: [] for field in QUIET_FIELDS}
        buffers = []
        for (kind, _), name in zip(self.arguments, names, strict=True):
            field = next((f for f, kinds in QUIET_FIELDS.items() if kind in kinds), None)
            if field is not None:
                fields[field].append(name)
            elif kind.is_buffer:
                buffers.append(name)
        shape = [f".collective = Collective::{self.enumerator}"]
        if self.agrees_about_sizes:
            shape.append(".agrees_about_sizes = true")
        if any(kind is KINDS["datatypes"] for kind, _ in self.arguments):
            shape.append(".has_type_arrays = true")
        if self.has_block_counts:
            shape.append(".has_block_counts = true")
        if buffers:
            shape.append(f".special_buffers = special({', '.join(buffers)})")
        shape += [f".root = {value}" for value in fields.pop("root")]
        given = [f".shape = CallShape{{{', '.join(shape)}}}.packed()"]
        for field, values in fields.items():
            if values:
                text = ", ".join(values)
                given.append(f".{field} = {{{text}}}" if field in LISTS else f".{field} = {text}")
        return f"{{{', '.join(given)}}}"

    def buffers(self, names: list[str]) -> str:
        """CallBuffers, likewise."""
        given = [
            name for (kind, _), name in zip(self.arguments, names, strict=True) if kind.is_buffer
        ]
        return f"{{{given[0]}, {given[-1]}}}" if given else "{}"

    def converted(self) -> str:
        return ", ".join(self.converted_names())


def identifier(collective: str) -> str:
    return collective.replace("-", "_")


def fail(message: str) -> None:
    sys.exit(f"generate_calls.py: {message}")


def read_calls(table: Path) -> list[Call]:
    calls = []
    for row in tomllib.loads(table.read_text())["call"]:
        arguments = []
        for argument in row["arguments"]:
            kind, _, name = argument.partition(" ")
            if kind not in KINDS:
                fail(f'{row["name"]}: no kind "{kind}" of argument; known: {", ".join(KINDS)}')
            arguments.append((KINDS[kind], name))
        if any(other.name == row["name"] for other in calls):
            fail(f"{row['name']} has two rows; expected one for each call")
        agrees = row.get("agrees_about_sizes", False)
        reduces = row.get("reduces", False)
        calls.append(Call(row["name"], row["collective"], arguments, agrees, reduces))
    return calls


def collectives_of(calls: list[Call]) -> list[str]:
    """In the order of their first calls."""
    return list(dict.fromkeys(call.collective for call in calls))
