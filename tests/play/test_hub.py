"""Conversations with the Hub engine, and the recorded ones of real clients."""

from __future__ import annotations

import io
import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from crownbase.board import Position
from crownbase.errors import CorruptTableError
from crownbase.index import Material
from crownbase.play.hub import HubEngine
from crownbase.play.hub_options import Options
from crownbase.play.hub_text import Dialect, split_command
from crownbase.probe import Tablebase, open_tablebase
from crownbase.rules import RULE_SETS, find_rules
from crownbase.search.loader import Loader
from crownbase.search.tables import view_of

TRANSCRIPTS = sorted((Path(__file__).parent / "data" / "hub").glob("*.txt"))
START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"


def talk(*lines: str, **options: Any) -> list[str]:
    """What the engine answers to a client that waits for `ready` and the end of each search."""
    output = io.StringIO()

    def client() -> Iterator[str]:
        for line in lines:
            before = answers(output)
            yield line
            while line == "init" and "ready" not in output.getvalue():
                time.sleep(0.002)
            while line.startswith("go") and answers(output) == before:
                time.sleep(0.002)

    HubEngine(client(), output, gap=0, compiled=False, **options).run()
    return output.getvalue().splitlines()


def answers(output: io.StringIO) -> int:
    """How many searches were answered."""
    return sum(line.startswith(("done", "error")) for line in output.getvalue().splitlines())


class Client:
    """A client that waits for answers, in this process."""

    def __init__(self, **options: Any) -> None:
        self._in: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.output = io.StringIO()
        lines = iter(self._in.get, "")
        self._engine = HubEngine(lines, self.output, gap=0, compiled=False, **options)
        self._thread = threading.Thread(target=self._engine.run, daemon=True)
        self._thread.start()

    def send(self, *lines: str) -> None:
        for line in lines:
            self._in.put(line)

    def wait_for(self, word: str, seconds: float = 20.0) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in self.output.getvalue().splitlines():
                if line.split(" ")[0] == word:
                    return line
            time.sleep(0.005)
        raise AssertionError(f"no {word!r} in {self.output.getvalue()!r}")

    def close(self) -> None:
        self._in.put("")
        self._thread.join(20)
        assert not self._thread.is_alive()


def test_initialisation_in_order() -> None:
    answer = talk("hub", "init", "quit")
    words = [line.split(" ")[0] for line in answer]
    assert words == ["id", *["param"] * (len(words) - 3), "wait", "ready"]
    assert answer[0].startswith("id name=crownbase version=")


def test_no_flags_and_one_equals_sign_in_every_token() -> None:
    for line in talk("hub", "init", f"pos pos={START}", "level depth=2", "go think", "quit"):
        command, arguments = split_command(line)
        assert line.count("=") == len(arguments)
        assert all(f"{name}=" in line for name in arguments), command


def test_done_has_move_first_and_at_most_ponder_after() -> None:
    done = talk("init", f"pos pos={START}", "level depth=3", "go think")[-1]
    names = [token.split("=")[0] for token in done.split(" ")[1:]]
    assert names in (["move"], ["move", "ponder"])


def test_unknown_commands_and_parameters_are_ignored() -> None:
    assert talk("xyzzy a=b", "set-param name=nothing value=1", "ping") == ["pong"]


def test_a_bad_parameter_is_an_error_line() -> None:
    for line in ("name=hash value=0", "name=variant value=chess", "name=dialect value=x"):
        assert talk(f"set-param {line}", "ping")[0].startswith('error message="')


def test_a_bad_position_is_an_error_and_go_does_not_hang() -> None:
    answer = talk("pos pos=Wxx", "go think", "ping")
    assert [line.split(" ")[0] for line in answer] == ["error", "error"]


def test_an_illegal_move_in_the_list_is_an_error() -> None:
    assert talk(f'pos pos={START} moves="32-28 1-2"')[0].startswith("error message=")


def test_stop_ends_an_endless_search() -> None:
    client = Client()
    client.send("init", f"pos pos={START}", "level infinite", "go think")
    client.wait_for("ready")
    time.sleep(0.1)
    client.send("ping", "stop")
    client.wait_for("pong")
    client.wait_for("done")
    client.close()


def test_pondering_waits_for_the_hit() -> None:
    client = Client()
    client.send("init", f"pos pos={START}", "level move-time=0.1", "go ponder")
    client.wait_for("ready")
    time.sleep(0.5)
    assert "done" not in client.output.getvalue()
    client.send("ponder-hit")
    client.wait_for("done")
    client.close()


def test_analysis_goes_on_until_stop() -> None:
    client = Client()
    client.send("init", f"pos pos={START}", "level depth=1", "go analyze")
    client.wait_for("ready")
    time.sleep(0.3)
    assert "done" not in client.output.getvalue()
    client.send("stop")
    client.wait_for("done")
    client.close()


def test_the_end_of_input_ends_a_search() -> None:
    client = Client()
    client.send("init", f"pos pos={START}", "level infinite", "go think")
    client.wait_for("ready")
    client.close()
    assert "done" not in client.output.getvalue()


def test_lines_keep_their_distance() -> None:
    class Clocked(io.StringIO):
        times: list[float] = []

        def flush(self) -> None:
            self.times.append(time.monotonic())

    output = Clocked()
    HubEngine(io.StringIO("hub\nping\nping\n"), output, compiled=False).run()
    gaps = [b - a for a, b in zip(output.times, output.times[1:], strict=False)]
    assert len(gaps) > 8 and min(gaps) >= 0.0099


def test_broken_tables_do_not_cost_the_move() -> None:
    def explode(options: Options) -> None:
        raise OSError("no such disk")

    client = Client(open_tables=explode)
    client.send("init", f"pos pos={START}", "level depth=2", "go think")
    assert client.wait_for("done").startswith("done move=")
    assert 'error message="OSError: no such disk"' in client.output.getvalue()
    client.close()


def test_the_command_says_nothing_on_stderr_and_leaves_at_the_end(command: Callable) -> None:
    done = command("hub", input="hub\nxyzzy\nping\n")
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("id ") and lines[-2:] == ["wait", "pong"]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_recorded_conversations(path: Path) -> None:
    """The client's lines again, searches cut to two plies: the same kinds of answers, every move
    legal and written in the client's way."""
    recorded = [line for line in path.read_text().splitlines() if line[:1] in "<>"]
    sent = [line[2:] for line in recorded if line[0] == ">"]
    limited = [line + " depth=2" if line.startswith("level") else line for line in sent]
    answered = talk(*limited)

    def kinds(lines: list[str]) -> list[str]:
        words = [line.split(" ")[0] for line in lines]
        return [word for word in words if word != "info"]

    assert kinds(answered) == kinds([line[2:] for line in recorded if line[0] == "<"])
    dialect = Dialect(RULE_SETS["international"])
    done = iter(line for line in answered if line.startswith("done"))
    position: Position | None = None
    for line in sent:
        command, arguments = split_command(line)
        if command == "set-param":
            key = {"variant": "rules", "dialect": "name"}[arguments["name"]]
            value = arguments["value"]
            if key == "rules":
                name = "international" if value == "normal" else value
                dialect = Dialect(find_rules(name), dialect.name)
            else:
                dialect = Dialect(dialect.rules, value)
        elif command == "pos":
            position = dialect.read_position(arguments["pos"])
            for word in arguments.get("moves", "").split():
                position = position.play(dialect.read_move(position, word))
        elif command == "go":
            assert position is not None
            dialect.read_move(position, split_command(next(done))[1]["move"])


def english_options() -> Options:
    options = Options()
    options.set("variant", "english")
    return options


def test_tables_of_earlier_options_are_closed(english_directory: Path) -> None:
    opened: list[Tablebase] = []

    def open_them(options: Options) -> Tablebase:
        opened.append(open_tablebase(english_directory, rules=options.rules))
        return opened[-1]

    changes = [f"set-param name=hash value={16 + i}" for i in range(4)]
    talk("init", *changes, "quit", options=english_options(), open_tables=open_them)
    assert len(opened) == 5
    assert ["closed" in repr(tables) for tables in opened] == [True] * 4 + [False]


def test_tables_that_cannot_be_opened_are_said() -> None:
    def fail(options: Options) -> Tablebase:
        raise CorruptTableError("db/english", "cannot be searched: Too many open files")

    answers = talk("init", "quit", options=english_options(), open_tables=fail)
    assert any(x.startswith("error ") and "Too many open files" in x for x in answers)


def test_a_table_that_cannot_be_read_is_said_and_costs_no_other(english_directory: Path) -> None:
    tables = open_tablebase(english_directory, rules="english")
    missed = Material.parse("KvK")
    load, said = view_of(tables, tables.rules)._load, []

    def fail(material: Material) -> None:
        if material == missed:
            raise CorruptTableError("KvK.wdl", "cannot be opened: Too many open files")
        load(material)

    view_of(tables, tables.rules)._load = fail
    Loader(tables.rules, tables, compiled=False, on_trouble=said.append)._load_tables()
    assert [str(error) for error in said] == ["KvK.wdl: cannot be opened: Too many open files"]
    assert len(view_of(tables, tables.rules).materials) > 5
