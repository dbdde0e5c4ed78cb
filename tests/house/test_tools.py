"""The tools that the Makefile calls."""

from __future__ import annotations

import http.server
import importlib.util
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_all_links_of_the_documentation_lead_somewhere():
    assert load("generate_docs").broken_links(ROOT) == []


def test_a_broken_link_is_named(tmp_path):
    (tmp_path / "page.md").write_text("[good](page.md) [far](https://example.org) [bad](gone.md#x)")
    assert load("generate_docs").broken_links(tmp_path) == ["page.md: gone.md"]


def test_the_reference_has_every_algorithm_and_verb():
    core = pytest.importorskip("tasuki._core")
    docs = load("generate_docs")
    page = docs.algorithms_page(core.algorithms())
    assert all(f"### {row['name']}\n" in page for row in core.algorithms())
    assert "## tasuki show\n" in docs.command_line_page()


def test_two_rows_for_one_call_are_refused(tmp_path):
    table = tmp_path / "calls.toml"
    row = (ROOT / "interpose/calls.toml").read_text()
    table.write_text(row + row)
    command = [sys.executable, ROOT / "tools/generate_calls.py", table, tmp_path]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 1
    assert "Alltoall has two rows; expected one for each call" in ran.stderr


def test_a_missing_debian_package_is_told_with_what_is_left_out(monkeypatch, capsys):
    packages = load("debian_packages")
    missing = packages.Package(lambda: False, "nothing works")
    monkeypatch.setitem(packages.PACKAGES, "valgrind", missing)
    monkeypatch.setattr(sys, "argv", ["debian_packages.py", "--only-look", "valgrind"])
    with pytest.raises(SystemExit) as ended:
        packages.main()
    assert ended.value.code == 1
    assert "valgrind is not there: nothing works" in capsys.readouterr().out


def test_an_unknown_debian_package_is_refused():
    tool = ROOT / "tools/debian_packages.py"
    ran = subprocess.run([sys.executable, tool, "vim"], capture_output=True, text=True)
    assert ran.returncode == 1
    assert "libgtest-dev" in ran.stderr


@pytest.fixture
def package_index(tmp_path, monkeypatch):
    """An index on this machine, whose only wheel of pip is no wheel at all."""
    venv_tool = load("make_venv")
    (tmp_path / "simple/pip").mkdir(parents=True)
    (tmp_path / venv_tool.PIP_WHEEL).write_text("not a wheel")
    page = f'<a href="../../{venv_tool.PIP_WHEEL}#sha256=0">pip</a>'
    (tmp_path / "simple/pip/index.html").write_text(page)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, directory=str(tmp_path), **options)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
    monkeypatch.setenv("no_proxy", "*")
    yield venv_tool
    server.shutdown()
    thread.join()
    server.server_close()


def test_pip_is_taken_only_if_it_is_the_known_file(package_index, tmp_path):
    with pytest.raises(ValueError, match="not the file that was expected"):
        package_index.fetch_pip(tmp_path)


def test_without_pip_the_message_names_the_package(tmp_path, monkeypatch):
    venv_tool = load("make_venv")
    monkeypatch.setattr(venv_tool, "has_module", lambda name: False)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(SystemExit, match="apt-get install python3-venv"):
        venv_tool.make(tmp_path / "venv")
