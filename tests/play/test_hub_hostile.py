"""No line of a client ends the Hub engine, however wrong: it is answered, and the engine lives."""

from __future__ import annotations

import io
import os
import random
import string
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from crownbase.board import Position
from crownbase.play.cli_engines import _hub_tables
from crownbase.play.hub import LONGEST_FAULT, MOST_LINES, HubEngine
from crownbase.play.hub_text import LONGEST_LINE, Dialect, lines_of, write_line
from crownbase.rules import RULE_SETS, find_rules

START = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww"
DIGITS = "1" * 5000


def say(*lines: str) -> list[str]:
    """The answers to these lines and to a ``ping`` behind them, which must come."""
    output = io.StringIO()
    client = iter([*lines, "ping"])
    HubEngine(client, output, gap=0, compiled=False, open_tables=_hub_tables).run()
    answers = output.getvalue().splitlines()
    assert answers[-1] == "pong"
    return answers[:-1]


def is_fault(line: str) -> bool:
    return line.startswith("error message=") and len(line) < LONGEST_FAULT + 30


@pytest.mark.parametrize(
    "line",
    [
        f"set-param name=hash value={DIGITS}",
        f"set-param name=level value={DIGITS}",
        "set-param name=hash value=²",
        "set-param name=hash value=",
        f"set-param name=variant value={DIGITS}",
        f'pos pos={START} moves="{DIGITS}-28"',
        f'pos pos={START} moves="32-28 {DIGITS}"',
        f"pos pos={DIGITS}",
        "pos pos=\0",
        'set-param name=tb-path value="a\0b"',
        "set-param name=tb-path value=~nosuchuser",
        "set-param name=tb-path value=/no/such/directory",
        "set-param name=tb-path value=/dev/null",
        f"set-param name=tb-path value=/{'x' * 5000}",
        "set-param name=variant value=~nosuchuser/x.toml",
        "set-param name=variant value=\0.toml",
        f"set-param name=variant value={'x' * 5000}.toml",
        "set-param name=variant value=/dev/null.toml",
        "x" * (LONGEST_LINE + 1),
    ],
)
def test_every_fault_is_a_line_and_the_engine_lives(line: str) -> None:
    answers = say(line)
    assert len(answers) == 1 and is_fault(answers[0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "key = ",
        'key = "x"\nbase = 1\n',
        'key = "x"\nbase = "english"\nmen_rows = 10000000\n',
        'key = "x"\nbase = "english"\n[board]\nrows = -1\ncolumns = "a"\n',
        f'key = "x"\nbase = "english"\nmen_rows = {DIGITS}\n',
        "a = " + "[" * 100_000,
        "\0\0\0",
    ],
    ids=range(8),
)
def test_a_faulty_rule_file_is_a_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    answers = say(f"set-param name=variant value={path}")
    assert len(answers) == 1 and is_fault(answers[0])


def test_a_pipe_is_no_rule_file_and_no_directory(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    os.mkfifo(path)
    for name in ("variant", "tb-path"):
        (answer,) = say(f"set-param name={name} value={path}")
        assert is_fault(answer)


def test_what_cannot_be_opened_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROWNBASE_DB", "~nosuchuser/x")
    answers = say("init")
    assert is_fault(answers[0]) and "nosuchuser" in answers[0] and answers[1:] == ["ready"]
    monkeypatch.setenv("CROWNBASE_DB", "")
    assert say(f"set-param name=tb-path value={tmp_path}{os.pathsep}{tmp_path}", "init") == [
        "ready"
    ]


@pytest.mark.parametrize("value", [DIGITS, "-1", "1e999", "nan", "-inf", "1e-320", "x", ""])
def test_levels_of_all_kinds(value: str) -> None:
    names = ("depth", "nodes", "move-time", "time", "inc", "moves")
    assert say(*(f"level {name}={value} time={value}" for name in names)) == []


def test_a_value_is_one_line_whatever_is_in_it() -> None:
    line = write_line("error", {"message": 'a\nb\rc\0d\x1b[2J\u2028e\x85f="g"'})
    assert line == "error message=\"a b c d [2J e f:'g'\""


def test_lines_are_read_in_bounded_pieces() -> None:
    long = "x" * (3 * LONGEST_LINE)
    found = list(lines_of(io.StringIO(f"hub\n{long}\nping\nquit")))
    assert [len(line) for line in found] == [4, LONGEST_LINE + 1, 5, 4]


def test_a_flood_during_a_search_is_not_kept_and_stop_is_heard() -> None:
    """More lines than are kept: the search ends at ``stop``, and the engine is there again."""
    output = io.StringIO()

    def client() -> Iterator[str]:
        yield from ("init", f"pos pos={START}", "level infinite", "go think")
        while "info" not in output.getvalue():
            time.sleep(0.002)
        yield from ["new-game"] * (MOST_LINES + 500)
        yield "stop"
        while "done" not in output.getvalue():
            time.sleep(0.002)
        yield "ping"

    engine = HubEngine(client(), output, gap=0, compiled=False)
    engine.run()
    words = [line.split(" ")[0] for line in output.getvalue().splitlines()]
    assert words.count("error") == 1 and words.count("done") == 1 and words[-1] == "pong"
    assert not engine._kept


# -- random lines ---------------------------------------------------------------------------------

PARAMETERS = ("variant", "dialect", "draw", "move-limit", "tb-path", "hash", "tb-memory", "level")
VALUES = (
    "normal english russian turkish standard pydraughts none usual fmjd 0 1 2 8 64 -1 1e9 nan inf "
    "~ ~nosuchuser /dev/null . .. x.toml /dev/null/x.toml \0 ² 999999999999999999999 start W B"
).split(" ")
COMMANDS = "hub set-param new-game pos level ping ponder-hit stop xyzzy POS =".split(" ")


def random_line(rng: random.Random) -> str:
    """A line that is nearly right, or not at all."""
    kind = rng.random()
    if kind < 0.15:
        return "".join(
            chr(rng.choice((rng.randrange(128), 0x2000))) for _ in range(rng.randrange(60))
        )
    if kind < 0.4:
        return f"set-param name={rng.choice(PARAMETERS)} value={random_value(rng)}"
    if kind < 0.7:
        rules = find_rules(rng.choice(list(RULE_SETS)))
        n = rules.board.n_squares
        text = rng.choice("WB") + "".join(rng.choices("wWbBe", (1, 1, 1, 1, 6), k=n))
        if rng.random() < 0.3:
            text = Dialect(rules).write_position(Position.start(rules))
        text = mangled(rng, text) if rng.random() < 0.3 else text
        squares = [str(rng.randrange(60)) for _ in range(6)]
        moves = " ".join(rng.choice("-xX:").join(squares[i : i + 2]) for i in (0, 2, 4))
        return f'pos pos={text} moves="{moves}"'
    if kind < 0.85:
        names = ("depth", "nodes", "move-time", "time", "inc", "moves", "infinite")
        return "level " + " ".join(f"{rng.choice(names)}={random_value(rng)}" for _ in range(3))
    words = [rng.choice(COMMANDS), *(random_value(rng) for _ in range(rng.randrange(4)))]
    return mangled(rng, rng.choice((" ", "=", '"', "  ")).join(words))


def random_value(rng: random.Random) -> str:
    value = rng.choice(VALUES) if rng.random() < 0.8 else "9" * rng.choice((1, 20, 5000))
    return mangled(rng, value) if rng.random() < 0.3 else value


def mangled(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(string.printable + "\0é²\ud800") + text[at + rng.randrange(2) :]


def fuzz(seed: int, lines: int) -> None:
    """Random lines; searches only now and then, since each takes time."""
    rng = random.Random(seed)
    output = io.StringIO()
    sent = 0

    def client() -> Iterator[str]:
        nonlocal sent
        for sent in range(lines):  # noqa: B007 - the count is looked at afterwards
            line = random_line(rng)
            yield line if line.split()[:1] not in (["quit"], ["go"], ["init"]) else "hub"
            if rng.random() < 0.005:
                yield from ("set-param name=variant value=english", "pos start")
                yield from ("level depth=1", "go think")
        yield "ping"

    HubEngine(client(), output, gap=0, compiled=False, open_tables=None).run()
    answers = output.getvalue().splitlines()
    assert sent == lines - 1 and answers[-1] == "pong"
    known = ("id ", "param ", "wait", "ready", "pong", "info ", "done ", "error message=")
    assert not [line for line in answers if not line.startswith(known)]
    # Nothing but what was foreseen: every fault is one of ours.
    assert not [line for line in answers if line.startswith('error message="') and "Error:" in line]


def test_thousands_of_random_lines() -> None:
    fuzz(seed=1, lines=4000)


@pytest.mark.slow
def test_hundreds_of_thousands_of_random_lines() -> None:
    for seed in range(2, 52):
        fuzz(seed, lines=10_000)
