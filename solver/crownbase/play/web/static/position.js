// Positions as the page edits them: squares and pieces, read from and written to the server's FENs.

export class Setup {
  // rules: one of the rule sets that came with the page; pieces: Map of square (from 1) to wWbB.
  constructor(rules, turn = "W", pieces = new Map()) {
    this.rules = rules;
    this.turn = turn;
    this.pieces = pieces;
  }

  // A FEN as the server writes it: no ranges, no blanks.
  static read(rules, fen) {
    const [turn, ...sides] = fen.split(":");
    const names = new Map(rules.names.map((name, index) => [name, index + 1]));
    const pieces = new Map();
    for (const side of sides) {
      const colour = side[0];
      if (colour !== "W" && colour !== "B") continue;
      for (const part of side.slice(1).split(",")) {
        if (!part) continue;
        const king = part[0] === "K";
        const text = king ? part.slice(1) : part;
        const square = names.get(text) ?? Number(text);
        const letter = colour.toLowerCase();
        pieces.set(square, king ? letter.toUpperCase() : letter);
      }
    }
    return new Setup(rules, turn, pieces);
  }

  fen() {
    const side = (man, king) =>
      [...this.pieces]
        .filter(([, piece]) => piece === man || piece === king)
        .sort(([a], [b]) => a - b)
        .map(([square, piece]) => (piece === king ? "K" : "") + squareName(this.rules, square))
        .join(",");
    return `${this.turn}:W${side("w", "W")}:B${side("b", "B")}`;
  }

  copy() {
    return new Setup(this.rules, this.turn, new Map(this.pieces));
  }

  // Everybody's colour changed and the board turned round: the same position for the other side.
  swapped() {
    const last = this.rules.names.length + 1;
    const other = { w: "b", b: "w", W: "B", B: "W" };
    const pieces = new Map([...this.pieces].map(([s, p]) => [last - s, other[p]]));
    return new Setup(this.rules, this.turn === "W" ? "B" : "W", pieces);
  }

  // Left and right exchanged. On a diagonal board that would leave the playing squares, so that it
  // is mirrored at the main diagonal: for kings the position stays the same, for men it does not.
  mirrored() {
    const { columns, rows, orthogonal, coordinates, names } = this.rules;
    const corner = names.includes("a1") ? [rows - 1, columns - 1] : [0, 0];
    const index = new Map(coordinates.map(([r, c], i) => [`${r},${c}`, i + 1]));
    const pieces = new Map();
    for (const [square, piece] of this.pieces) {
      const [r, c] = coordinates[square - 1];
      const place = orthogonal
        ? `${r},${columns - 1 - c}`
        : `${Math.abs(corner[0] - c)},${Math.abs(corner[1] - r)}`;
      pieces.set(index.get(place), piece);
    }
    return new Setup(this.rules, this.turn, pieces);
  }

  // All pieces moved by rows and columns; null if one would leave the board.
  shifted(down, right) {
    const index = new Map(this.rules.coordinates.map(([r, c], i) => [`${r},${c}`, i + 1]));
    const pieces = new Map();
    for (const [square, piece] of this.pieces) {
      const [r, c] = this.rules.coordinates[square - 1];
      const target = index.get(`${r + down},${c + right}`);
      if (!target) return null;
      pieces.set(target, piece);
    }
    return new Setup(this.rules, this.turn, pieces);
  }
}

export function squareName(rules, square, letters = rules.letters) {
  return letters ? rules.names[square - 1] : String(square);
}

// A move's text with squares as the reader wants them.
export function moveText(rules, text, letters) {
  if (letters === rules.letters) return text;
  const numbers = new Map(rules.names.map((name, index) => [name, index + 1]));
  return text.replace(/[a-z]?\d+/g, (part) => {
    const square = numbers.get(part) ?? Number(part);
    return squareName(rules, square, letters);
  });
}

export const PIECE_NAMES = { w: "white man", W: "white king", b: "black man", B: "black king" };
