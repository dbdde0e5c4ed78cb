#!/usr/bin/env python3
"""Write the entry points of the preloaded library from interpose/calls.toml.

Usage: generate_calls.py calls.toml OUTPUT_FOLDER
Writes into OUTPUT_FOLDER: calls/collectives.hpp (their names, without MPI), interpose/handlers.hpp
and interpose/calls.cpp.
"""

from __future__ import annotations

import sys
from pathlib import Path

from call_table import Call, collectives_of, fail, identifier, read_calls

HEADER = "// Written by tools/generate_calls.py from interpose/calls.toml. Do not edit.\n"


def collectives_header(calls: list[Call]) -> str:
    collectives = collectives_of(calls)
    enumerators = ", ".join(identifier(name) for name in collectives)
    names = ", ".join(f'"{name}"' for name in collectives)
    settings = ", ".join(f'"TASUKI_{identifier(name).upper()}"' for name in collectives)
    return f"""{HEADER}#pragma once

#include <cstddef>
#include <string_view>

namespace tasuki {{

enum class Collective {{ {enumerators} }};
/// As in algorithms.toml.
constexpr std::string_view collective_names[] = {{{names}}};
/// The environment variables that say what they are to run by.
constexpr const char* collective_settings[] = {{{settings}}};
constexpr std::size_t collectives = {len(collectives)};

}}  // namespace tasuki
"""


def handlers(calls: list[Call]) -> str:
    declarations = "\n".join(
        f"Handled {call.handler}({call.declared('handler')});" for call in calls
    )
    requesters = "\n".join(
        f"Handled {call.requester}(RequestKind kind, {call.nonblocking.declared('handler')});"
        for call in calls
        if call.reduces
    )
    return f"""{HEADER}#pragma once

#include "interpose/array_arguments.hpp"
#include "calls/collectives.hpp"
#include "interpose/handled.hpp"
#include "interpose/request_kind.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {{

{declarations}

{requesters}

}}  // namespace tasuki::interpose
"""


def next_call(symbol: str, result: str, declared: str, passed: str) -> str:
    """`next_SYMBOL`, by which the entries of a call reach the host's."""
    return f"""
[[gnu::cold, gnu::noinline]] static {result} first_{symbol}({declared});
static constinit HostCall<{result}({declared})> next_{symbol}(first_{symbol});
static {result} first_{symbol}({declared}) {{
    return next_{symbol}.find("{symbol}")({passed});
}}
"""


def quick_pass(
    call: Call, names: list[str], symbol: str, passed: str, runs: str, which: str = "passing"
) -> str:
    """Tries whether there is nothing to decide about the call, which the host's own follows: `runs`
    ends it with what its `{}` gives. Short: it calls nothing but what ends it, with the arguments
    that it has, so that nothing has to be kept from one to the next. `which`: of QuietCalls."""
    otherwise = {"passing": "handled", "passing_once_more": "looked_up"}[which]
    known_by = ", ".join(["arguments", *call_data(call, names)[1:]])
    bound = f"""\
        if (quiet->is_uneven()) {{
            QuietCalls::hand_over(*quiet);
            return bound_{symbol}({passed});
        }}
"""
    run = runs.format(f"quiet->run({call.buffers(names)})")
    return f"""\
        const CallArguments arguments{call.quiet(names)};
        QuietCall* const quiet = QuietCalls::{which}({known_by});
        if (quiet == nullptr) [[unlikely]] return {otherwise}_{symbol}({passed});
{bound if call.has_arrays else ""}\
        quiet->pass(arguments);
        if (quiet->is_ours()) {run}
"""


def bound_pass(
    call: Call, names: list[str], symbol: str, signature: str, passed: str, runs: str
) -> str:
    """The rest of that for one of ours that goes between uneven blocks."""
    if not call.has_arrays:
        return ""
    run = runs.format(f"quiet.run({call.buffers(names)})")
    return f"""
[[gnu::noinline]] static {signature} {{
    QuietCall& quiet = QuietCalls::handed_over();
    if (!quiet.bound({call.buffers(names)}, {call.arrays(names)})) {{
        return handled_{symbol}({passed});
    }}
    quiet.pass(CallArguments{call.quiet(names)});
    {run}
}}
"""


def call_data(call: Call, names: list[str]) -> list[str]:
    """What QuietCall::comes_again() asks for; passes() for the last, beside CallArguments."""
    if not call.has_arrays:
        return []
    return [
        f"[&] {{ return CallBuffers{call.buffers(names)}; }}",
        f"[&] {{ return CallArrays{call.arrays(names)}; }}",
    ]


def timed_pass(call: Call, names: list[str], host_call: str, runs: str) -> str:
    """What a call does that comes again, also where selection is to be told of it."""
    return f"""\
    if (quiet->is_ours()) {runs.format(f"quiet->run_and_tell({call.buffers(names)})")}
    CallTiming timing(*quiet);
    {host_call}
    timing.end();
"""


def slow_pass(call: Call, names: list[str], timed: str) -> str:
    """Tries it again, by whatever has to be asked; else the call is handled."""
    data = ", ".join(call_data(call, names))
    arrays = f"\n    const CallArrays arrays{call.arrays(names)};" if call.has_arrays else ""
    all_data = "buffers, arrays" if call.has_arrays else "buffers"
    return f"""\
    const CallBuffers buffers{call.buffers(names)};{arrays}
    QuietCall& quiet = QuietCalls::of_thread().of({call.quiet(names)});
    if (quiet.comes_again({data})) return timed_{timed.format("&quiet")};
    quiet.begin({all_data});
"""


def c_entry(call: Call, spelling: str, suffix: str) -> str:
    symbol = f"MPI_{call.name}{suffix}"
    declared, names = call.declared(spelling), call.names()
    passed, runs = call.passed(), "return {};"
    timed = f"{symbol}({{}}, {passed})"
    bound = f"int bound_{symbol}({declared})"
    return f"""
{next_call(symbol, "int", declared, passed)}
[[gnu::noinline]] static int timed_{symbol}(QuietCall* quiet, {declared}) {{
{timed_pass(call, names, f"const int code = next_{symbol}({passed});", runs)}\
    return code;
}}

[[gnu::noinline]] static int handled_{symbol}({declared}) {{
{slow_pass(call, names, timed)}\
    const ReportedCall reported(Collective::{call.enumerator});
    const Handled handled = {call.handler}({passed});
    QuietCall::end();
    int code = handled.code;
    if (!handled.done) {{
        const LeftForLater left = left_by(handled);
        code = next_{symbol}({passed});
        if (handled.is_watched) after_host(left);
    }}
    reported.end();
    return code;
}}

{bound_pass(call, names, symbol, bound, passed, runs)}
[[gnu::noinline, gnu::flatten]] static int looked_up_{symbol}({declared}) {{
{quick_pass(call, names, symbol, passed, runs)}\
    return next_{symbol}({passed});
}}

[[gnu::hot, gnu::flatten]] TASUKI_EXPORT int {symbol}({declared}) {{
    if (is_on(Collective::{call.enumerator})) {{
{quick_pass(call, names, symbol, passed, runs, "passing_once_more")}\
    }}
    return next_{symbol}({passed});
}}
"""


def fortran_entry(call: Call, symbol: str) -> str:
    declared, names = f"{call.declared('fortran')}, MPI_Fint* error", call.converted_names()
    passed = f"{call.passed()}, error"
    runs = "return give_code(error, {});"
    timed = f"{symbol}({{}}, {passed})"
    bound = f"void bound_{symbol}({declared})"
    return f"""
{next_call(symbol, "void", declared, passed)}
[[gnu::noinline]] static void timed_{symbol}(QuietCall* quiet, {declared}) {{
{timed_pass(call, names, f"next_{symbol}({passed});", runs)}\
}}

[[gnu::noinline]] static void handled_{symbol}({declared}) {{
{slow_pass(call, names, timed)}\
    const ReportedCall reported(Collective::{call.enumerator});
    const Handled handled = {call.handler}({call.converted()});
    QuietCall::end();
    if (handled.done) {{
        give_code(error, handled.code);
    }} else {{
        const LeftForLater left = left_by(handled);
        next_{symbol}({passed});
        if (handled.is_watched) after_host(left);
    }}
    reported.end();
}}

{bound_pass(call, names, symbol, bound, passed, runs)}
TASUKI_EXPORT void {symbol}({declared}) {{
    if (is_on(Collective::{call.enumerator})) {{
{quick_pass(call, names, symbol, passed, runs)}\
    }}
    return next_{symbol}({passed});
}}
"""


def requesting_entry(call: Call, kind: str, spelling: str, symbol: str) -> str:
    """A reduction that is carried out for the program, or its host's. `kind`: of RequestKind."""
    made, is_fortran = getattr(call, kind), spelling == "fortran"
    error, result = (", MPI_Fint* error", "void") if is_fortran else ("", "int")
    # Of what a persistent one has beside, which are hints, nothing is used.
    given = call.nonblocking.converted() if is_fortran else call.nonblocking.passed()
    passed = made.passed() + (", error" if is_fortran else "")
    code = "give_code(error, handled.code)" if is_fortran else "handled.code"
    declared = f"{made.declared(spelling)}{error}"
    return f"""
static constinit NextCall<{result}({declared})> next_{symbol}("{symbol}");

TASUKI_EXPORT {result} {symbol}({declared}) {{
    if (may_request_reductions()) {{
        const Handled handled = {call.requester}(RequestKind::{kind}, {given});
        if (handled.done) return {code};
    }}
    return next_{symbol}({passed});
}}
"""


def requesting_entries(calls: list[Call], spelling: str, suffix: str = "") -> str:
    """What is not blocking of the calls that reduce."""
    reducing = [call for call in calls if call.reduces]
    entries = ""
    for call in reducing:
        for kind, other in (("nonblocking", call.nonblocking), ("persistent", call.persistent)):
            symbols = [f"MPI_{other.name}{suffix}"]
            if spelling == "fortran":
                symbols = fortran_spellings(other.name)
            entries += "".join(requesting_entry(call, kind, spelling, one) for one in symbols)
    return entries


def fortran_spellings(name: str) -> list[str]:
    """The ways in which compilers spell an external procedure, and the body of mpi_f08's."""
    lower = f"mpi_{name.lower()}"
    return [lower, f"{lower}_", f"{lower}__", lower.upper(), f"{lower}_f08_"]


def entry_points(calls: list[Call]) -> str:
    c = "".join(c_entry(call, "c", "") for call in calls) + requesting_entries(calls, "c")
    large = "".join(c_entry(call, "large", "_c") for call in calls if call.has_large_form)
    large += requesting_entries(calls, "large", "_c")
    fortran = "".join(
        fortran_entry(call, symbol) for call in calls for symbol in fortran_spellings(call.name)
    )
    fortran += requesting_entries(calls, "fortran")
    without_buffer = "".join(
        fortran_entry(call, f"mpi_{call.name.lower()}_f08_")
        for call in calls
        if not call.has_buffer
    )
    return f"""{HEADER}#include "interpose/handlers.hpp"

#include "interpose/after_host.hpp"
#include "interpose/export.hpp"
#include "interpose/fortran.hpp"
#include "interpose/next_call.hpp"
#include "interpose/quiet_calls.hpp"
#include "interpose/reported_call.hpp"
#include "interpose/switches.hpp"

using namespace tasuki;
using namespace tasuki::interpose;

extern "C" {{
{c}
#if TASUKI_HAS_LARGE_COUNTS
{large}
#endif
#if TASUKI_HAS_OWN_FORTRAN_BODIES
{fortran}
#elif defined(TASUKI_ABI_MPICH)
// MPICH's mpi_f08 passes calls with buffers on to C, others to PMPI_*.
{without_buffer}
#endif
}}
"""


def main() -> None:
    if len(sys.argv) != 3:
        fail("expected: calls.toml OUTPUT_FOLDER")
    calls = read_calls(Path(sys.argv[1]))
    folder = Path(sys.argv[2]) / "interpose"
    folder.mkdir(parents=True, exist_ok=True)
    names = Path(sys.argv[2]) / "calls"
    names.mkdir(exist_ok=True)
    (names / "collectives.hpp").write_text(collectives_header(calls))
    (folder / "handlers.hpp").write_text(handlers(calls))
    (folder / "calls.cpp").write_text(entry_points(calls))


main()
