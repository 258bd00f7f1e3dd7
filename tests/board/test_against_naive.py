"""Random positions: the package and the naive twin must find the same positions after a move."""

import random

import pytest

import crownbase as cb
import naive

MOST_PIECES = 16


def random_board(rules: str, rng: random.Random) -> naive.Board:
    """Up to 16 pieces anywhere, but no man on its crown row; the share of kings varies too."""
    squares = rng.sample(range(1, naive.square_count(rules) + 1), rng.randint(2, MOST_PIECES))
    kings, white = rng.random(), rng.uniform(0.2, 0.8)
    board = {}
    for square in squares:
        turn = "W" if rng.random() < white else "B"
        king = rng.random() < kings or naive.on_last_row(rules, turn, square)
        board[square] = turn if king else turn.lower()
    return board


def compare(rules: str, turn: str, board: naive.Board) -> None:
    position = cb.Position.from_fen(naive.fen(turn, board), rules=rules)
    expected = {
        (start, end, tuple(sorted(taken)), promotes): naive.fen(
            *naive.result(turn, board, (start, end, taken, promotes))
        )
        for start, end, taken, promotes in naive.legal_moves(rules, turn, board)
    }
    found = {
        (move.start, move.end, move.captured, move.promotes): numbers(position.play(move))
        for move in position.legal_moves()
    }
    assert found == expected, position.fen()
    assert len(set(found.values())) == len(position.legal_moves()), position.fen()
    for move in position.legal_moves():
        raw = (move.start, move.end, frozenset(move.captured), move.promotes)
        assert move.is_conversion == naive.is_conversion(rules, board, raw), position.fen()


def numbers(position: cb.Position) -> str:
    """FEN with numbers, also where the rule set writes letters."""
    sides = []
    for side, men, kings in (
        ("W", position.white_men, position.white_kings),
        ("B", position.black_men, position.black_kings),
    ):
        squares = [s for s in range(1, 65) if (men | kings) >> (s - 1) & 1]
        sides.append(side + ",".join("K" * (kings >> (s - 1) & 1) + str(s) for s in squares))
    return ":".join([position.turn, *sides])


@pytest.mark.parametrize("rules", naive.RULES)
def test_random_positions(rules: str) -> None:
    rng = random.Random(f"moves of {rules}")
    for _ in range(250):
        board = random_board(rules, rng)
        compare(rules, rng.choice("WB"), board)


@pytest.mark.slow
@pytest.mark.parametrize("rules", naive.RULES)
def test_many_random_positions(rules: str) -> None:
    rng = random.Random(f"many moves of {rules}")
    for _ in range(5000):
        board = random_board(rules, rng)
        compare(rules, rng.choice("WB"), board)


@pytest.mark.parametrize("rules", naive.RULES)
def test_positions_of_random_games(rules: str) -> None:
    """Ordinary positions too, as they come up in play."""
    rng = random.Random(f"games of {rules}")
    for _ in range(3):
        turn, board = naive.start_position(rules)
        for _ in range(60):
            compare(rules, turn, board)
            moves = sorted(naive.legal_moves(rules, turn, board), key=repr)
            if not moves:
                break
            turn, board = naive.result(turn, board, rng.choice(moves))


@pytest.mark.parametrize("rules", naive.RULES)
def test_colours_are_alike(rules: str) -> None:
    """Half a turn with the colours swapped gives the same moves turned."""
    rng, n = random.Random(f"colours of {rules}"), naive.square_count(rules)
    for _ in range(100):
        turn, board = rng.choice("WB"), random_board(rules, rng)
        position = cb.Position.from_fen(naive.fen(turn, board), rules=rules)
        turned = cb.Position.from_fen(naive.fen(*naive.turned(rules, turn, board)), rules=rules)
        assert turned.boards == position.boards
        expected = {
            (n + 1 - m.start, n + 1 - m.end, tuple(sorted(n + 1 - s for s in m.captured)))
            for m in position.legal_moves()
        }
        assert {(m.start, m.end, m.captured) for m in turned.legal_moves()} == expected
        assert len(turned.legal_moves()) == len(position.legal_moves())
