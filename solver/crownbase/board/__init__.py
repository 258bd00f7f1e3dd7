"""A position: bit boards, legal moves, FEN and move text."""
