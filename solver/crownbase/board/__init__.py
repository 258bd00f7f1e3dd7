"""A position: bit boards, legal moves, FEN and move text."""

from crownbase.board.position import Move, Position, perft

__all__ = ["Move", "Position", "perft"]
