"""Whose squares a PDN game means: rule set, numbering and letters by its tags, never by guess.

crownbase counts squares from the top left of a board with White at the bottom, and ``a1`` is at
White's left hand. Most games do the same. The exceptions:

* Spanish and Portuguese numbers officially start at White's right hand (``N1``): n = 33 - official.
  They are read so if the GameType tag says 24 or 28, unless it spells out ``N2``. What crownbase
  writes are its own numbers, and the tag says ``N2``.
* Sites that write English draughts in letters put the first mover at the bottom, which is Black.
  That is read if the GameType tag says so (``21,B,8,8,A0,0``) and refused otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from crownbase.errors import UnknownRulesError
from crownbase.rules import Rules, find_rules

_GAME_TYPE = re.compile(
    r"\s*(\d{1,4})\s*(?:,\s*([WB])\s*,\s*(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*([ANS])\s*([0-3]).{0,99})?",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[-x:]", re.IGNORECASE)
_CAPTURE_SIGNS = re.compile(r"[x:]")
_LETTER_SQUARES = re.compile(r"(?:[a-z]\d{1,2}){2,}")
_SHORT = re.compile(r"([a-z])[-x:]?([a-z]\d{1,2}(?:[-x:]?[a-z]\d{1,2}){0,20})")
_LONGEST_MOVE = 200  # characters
_GAMES = {"0", "1", *map(str, range(20, 32)), "40", "41", "50"}
"""Numbers of GameType tags that mean a game (wiegerw/pdn, doc/gametype.rst)."""
_FROM_POSITION = "99"  # lidraughts writes it for games that start from a position
_VARIANTS = {"standard": "international", "from position": "international"}
"""Names of variants on that site which are no names of rule sets."""
_OFFICIAL, _OURS = "N1", "N2"

RULES_TAG, DRAWS_TAG, MOVE_LIMIT_TAG = "CrownbaseRules", "CrownbaseDraws", "CrownbaseMoveLimit"
"""Tags of our own: the key of a rule set that has no GameType, the name of a draw preset, and the
plies after which the game is drawn."""


@dataclass(frozen=True)
class GameType:
    """A GameType tag; fields that it leaves out are empty."""

    number: str
    first_player: str = ""
    size: tuple[int, int] | None = None  # columns, rows
    notation: str = ""  # A0, N2 ...


def read_game_type(text: str) -> GameType | None:
    """Read the value of a GameType tag; None if it is none."""
    found = _GAME_TYPE.fullmatch(text)
    if not found:
        return None
    number, first, columns, rows, letter, corner = found.groups()
    if first is None:
        return GameType(number)
    size = (int(columns), int(rows))
    return GameType(number, first.upper(), size, letter.upper() + corner)


def choose_rules(tags: Mapping[str, str], wanted: str | Rules | None) -> Rules:
    """The rule set of a game: the one asked for, or the one that its tags name.

    A GameType number comes first, then the Variant tag. Numbers that the standard gives to no game
    say nothing.

    Raises:
        UnknownRulesError: none is named, an unknown one, or another than the one asked for.
    """
    if wanted is None:
        return _named_rules(tags)
    rules = find_rules(wanted)
    if not rules.notation.game_type:
        return rules
    if "GameType" in tags:
        game_type = read_game_type(tags["GameType"])
        own = {rules.notation.game_type.split(",")[0], *rules.aliases}
        if game_type and game_type.number in _GAMES - own:
            raise UnknownRulesError(
                f"GameType {tags['GameType'][:60]!r} is another game than {rules.title}"
            )
        if game_type and game_type.number in own:
            return rules
    variant = _variant_rules(tags)
    if variant and variant.notation.game_type and variant.digest != rules.digest:
        raise UnknownRulesError(
            f"Variant {tags['Variant'][:60]!r} is another game than {rules.title}"
        )
    return rules


def _named_rules(tags: Mapping[str, str]) -> Rules:
    named = tags.get(RULES_TAG) or tags.get("GameType") or ""
    game_type = read_game_type(tags.get("GameType", ""))
    says_nothing = not named or (game_type is not None and game_type.number not in _GAMES)
    if tags.get(RULES_TAG) or not says_nothing:
        return _find_named(named)
    variant = _variant_rules(tags)
    if variant:
        return variant
    if tags.get("Variant"):
        return _find_named(tags["Variant"])
    if named:
        raise UnknownRulesError(
            f"GameType {named!r} is no number of the standard; say which rules the game was "
            "played by"
        )
    raise UnknownRulesError("no GameType tag; say which rules the game was played by")


def _find_named(name: str) -> Rules:
    """The rule set that a tag names; a file of games opens no file of rules."""
    if name.strip().endswith(".toml"):
        raise UnknownRulesError(f"unknown rule set {name[:60]!r}; give the rule file as the rules")
    return find_rules(name[:60])


def _variant_rules(tags: Mapping[str, str]) -> Rules | None:
    name = tags.get("Variant", "").strip().lower()
    game_type = read_game_type(tags.get("GameType", ""))
    if name in _VARIANTS and game_type and game_type.number == _FROM_POSITION:
        name = _VARIANTS[name]
    try:
        return None if not name or name.endswith(".toml") else find_rules(name)
    except UnknownRulesError:
        return None


@dataclass
class Squares:
    """Reads squares of one game.

    Attributes:
        rules: the rule set.
        numbers_turned, letters_turned: squares are counted from the other side than ours.
        letters_known: letters may be read at all.
        warnings: what is odd about the GameType tag.
    """

    rules: Rules
    numbers_turned: bool = False
    letters_turned: bool = False
    letters_known: bool = False
    warnings: list[str] = field(default_factory=list)

    @classmethod
    def of_game(cls, rules: Rules, tags: Mapping[str, str]) -> Squares:
        """How the squares of a game are to be read.

        Raises:
            UnknownRulesError: the GameType tag has another board, or letters from a corner that
                nobody uses.
        """
        squares = cls(rules, letters_known=rules.notation.reads_letters)
        if "GameType" not in tags:
            return squares
        tag = tags["GameType"]
        game_type = read_game_type(tag)
        if game_type is None:
            squares.warnings.append(f"GameType {tag[:60]!r} cannot be read")
            return squares
        if game_type.number not in _GAMES:
            return squares
        board = rules.board
        if game_type.size and game_type.size != (board.columns, board.rows):
            raise UnknownRulesError(
                f"GameType {tag!r} has {game_type.size[0]} columns and {game_type.size[1]} rows, "
                f"{rules.title} has {board.columns} and {board.rows}"
            )
        squares._place(game_type, tag)
        return squares

    def _place(self, game_type: GameType, tag: str) -> None:
        usual = (self.rules.notation.game_type or "").split(",")
        other_player = game_type.first_player not in ("", self.rules.first_player)
        if game_type.notation.startswith(("A", "S")):
            if game_type.notation[1] != "0" or other_player:
                raise UnknownRulesError(
                    f"letters as in GameType {tag!r} are not read; they must start at the left "
                    f"hand of the first player, {self.rules.first_player}"
                )
            self.letters_known = True
            self.letters_turned = self.rules.black_begins
        elif other_player:
            self.warnings.append(
                f"GameType {tag!r} lets {game_type.first_player} begin; in {self.rules.title} "
                f"{self.rules.first_player} does"
            )
        if self.rules.notation.official_reversed:
            self.numbers_turned = (game_type.notation or _OFFICIAL) == _OFFICIAL
        elif game_type.notation.startswith("N") and game_type.notation not in usual:
            # Common in files of one big site, whose squares are the usual ones all the same.
            self.warnings.append(
                f"GameType {tag!r} names another corner for square 1 than {self.rules.title} has; "
                "the usual numbers are read"
            )

    @property
    def turned(self) -> bool:
        """Whether the squares of the game have other names than ours."""
        return self.numbers_turned or self.letters_turned

    def move_texts(self, word: str) -> list[str]:
        """What a word of the game means in our own squares; several for short notation (``cd4``).

        Raises:
            ValueError: no move, or letters of which nobody says whose they are.
        """
        text = word.lower()
        short = _SHORT.fullmatch(text)
        if short and len(text) <= _LONGEST_MOVE:
            column, rest = short.groups()
            names = (f"{column}{row}" for row in range(1, self.rules.board.rows + 1))
            starts = [name for name in names if name in self.rules.board.names]
            if starts:
                return [self._one_text(start + rest) for start in starts]
        return [self._one_text(text)]

    def _one_text(self, text: str) -> str:
        if len(text) > _LONGEST_MOVE:
            raise ValueError("no move")
        if re.fullmatch(r"\d{4}", text):
            parts = [text[:2], text[2:]]
        else:
            parts = _SEPARATORS.split(text)
            if all(_LETTER_SQUARES.fullmatch(part) or len(part) < 4 for part in parts):
                parts = [piece for part in parts for piece in _pieces(part)]
        if len(parts) < 2 or not all(parts):
            raise ValueError("no move")
        sign = "x" if len(parts) > 2 or _CAPTURE_SIGNS.search(text) else "-"
        return sign.join(self._square(part) for part in parts)

    def _square(self, text: str) -> str:
        board = self.rules.board
        if text.isascii() and text.isdigit():
            number = int(text) if len(text) < 6 else 0
            turned = self.numbers_turned
            if not 1 <= number <= board.n_squares:
                raise ValueError(
                    f"no square {text[:12]!r} in {self.rules.title}; squares are "
                    f"{self.shown('1')} to {self.shown(str(board.n_squares))}"
                )
        elif text in board.names:
            if not self.letters_known:
                raise ValueError(
                    f"letters in a game of {self.rules.title}, whose squares have numbers; add "
                    f'[GameType "21,B,8,8,A0,0"] if a1 is at the left hand of the first player'
                    if self.rules.black_begins
                    else f"letters in a game of {self.rules.title}, whose squares have numbers"
                )
            number = board.names[text] + 1
            turned = self.letters_turned
        else:
            raise ValueError(f"no square {text[:12]!r} in {self.rules.title}")
        return self.rules.square_name((board.n_squares - number) if turned else number - 1)

    def shown(self, move: str) -> str:
        """A move in our own squares as the game writes it: the inverse of ``move_texts``."""
        if not self.turned:
            return move
        return re.sub(r"[a-z]\d{1,2}|\d{1,3}", lambda name: self._shown(name.group()), move)

    def _shown(self, name: str) -> str:
        board = self.rules.board
        square = board.names[name] if name in board.names else int(name) - 1
        if self.letters_turned:
            names = {place: text for text, place in board.names.items()}
            return names[board.n_squares - 1 - square]
        return str(board.n_squares - square)

    def turned_text(self, word: str) -> str | None:
        """The move with the board turned round, for a hint; None if it cannot be read."""
        other = Squares(
            self.rules, not self.numbers_turned, not self.letters_turned, self.letters_known
        )
        try:
            return other.move_texts(word)[0]
        except ValueError:
            return None

    def fen(self, text: str) -> str:
        """A FEN in our own squares."""
        if not (self.numbers_turned or self.letters_turned):
            return text
        return ":".join(self._fen_side(part) for part in text.strip().rstrip(".").split(":"))

    def shown_fen(self, fen: str) -> str:
        """A FEN in our own squares as the game would write it: the inverse of ``fen``."""
        turn, *sides = fen.split(":")
        return ":".join([turn, *(side[:1] + self.shown(side[1:]) for side in sides)])

    def _fen_side(self, part: str) -> str:
        part = part.strip()
        if not re.match(r"[WB].", part, re.IGNORECASE):
            return part
        return part[0] + ",".join(self._fen_item(item.strip()) for item in part[1:].split(","))

    def _fen_item(self, item: str) -> str:
        king = item[:1].upper() == "K"
        ends = [end.lower() for end in item[1 if king else 0 :].split("-")]
        try:
            squares = [self._square(end) for end in ends]
        except ValueError:
            return item  # reading the FEN says what is wrong with it
        # A turned board counts backwards: the ends of a range change places.
        turned = self.numbers_turned if ends[0].isdigit() else self.letters_turned
        return ("K" if king else "") + "-".join(reversed(squares) if turned else squares)


def game_type_tag(rules: Rules) -> str | None:
    """The GameType tag of games that crownbase writes."""
    tag = rules.notation.game_type
    return tag.replace(_OFFICIAL, _OURS) if tag and rules.notation.official_reversed else tag


def _pieces(text: str) -> list[str]:
    """``c3d4`` in its squares."""
    return re.findall(r"[a-z]\d{1,2}", text) if _LETTER_SQUARES.fullmatch(text) else [text]
