// Setting up a position: spare pieces, clearing, turning colours round. The turn never flips here.

import { element } from "./panel.js";
import { PIECE_NAMES, Setup } from "./position.js";

const SHIFTS = [
  ["⇠", "Shift left", 0, -1],
  ["⇢", "Shift right", 0, 1],
  ["⇡", "Shift up", -1, 0],
  ["⇣", "Shift down", 1, 0],
];

export class Editor {
  // app: what shows positions; see main.js.
  constructor(app, place) {
    this.app = app;
    this.place = place;
    this.brush = null; // a piece letter, "" to take away, null to move pieces
    this.build();
  }

  get open() {
    return !this.place.hidden;
  }

  toggle() {
    this.place.hidden = this.open;
    this.brush = null;
    this.mark();
  }

  build() {
    const brushes = element("div", { className: "row" });
    brushes.setAttribute("role", "group");
    brushes.ariaLabel = "Spare pieces";
    this.brushes = [[null, "✥", "Move pieces"], ["", "✕", "Take away"]].map((one) =>
      this.brushButton(...one),
    );
    for (const [letter, name] of Object.entries(PIECE_NAMES)) {
      const sign = { w: "⛀", W: "⛁", b: "⛂", B: "⛃" }[letter];
      this.brushes.push(this.brushButton(letter, sign, name));
    }
    brushes.append(...this.brushes.map((one) => one.button));
    const row = element("div", { className: "row" });
    row.append(
      this.action("White to move", null, () => this.change((s) => Object.assign(s, { turn: "W" }))),
      this.action("Black to move", null, () => this.change((s) => Object.assign(s, { turn: "B" }))),
      this.action("Clear", null, () => this.change((s) => new Setup(s.rules, s.turn))),
      this.action("Swap colours", null, () => this.change((s) => s.swapped())),
      this.action("Mirror", null, () => this.change((s) => s.mirrored())),
      ...SHIFTS.map(([sign, label, down, right]) =>
        this.action(sign, label, () => this.change((s) => s.shifted(down, right) ?? s)),
      ),
    );
    this.place.replaceChildren(brushes, row);
    this.mark();
  }

  brushButton(letter, sign, name) {
    const button = this.action(sign, name, () => {
      this.brush = letter;
      this.mark();
    });
    button.title = name;
    return { letter, button };
  }

  action(text, label, act) {
    const button = element("button", { type: "button", textContent: text });
    if (label) button.ariaLabel = label;
    button.addEventListener("click", act);
    return button;
  }

  mark() {
    for (const { letter, button } of this.brushes) button.ariaPressed = letter === this.brush;
  }

  change(how) {
    this.app.edited(how(this.app.setup.copy()));
  }

  // A square was clicked: put, take away, or go round the kinds of pieces.
  pick(square) {
    const there = this.app.setup.pieces.get(square);
    this.change((setup) => {
      if (this.brush === null) return setup;
      if (this.brush === "" || there === this.brush) setup.pieces.delete(square);
      else setup.pieces.set(square, this.brush);
      return setup;
    });
  }

  // A piece was carried to a square, or off the board.
  drop(from, to) {
    this.change((setup) => {
      const piece = setup.pieces.get(from);
      setup.pieces.delete(from);
      if (to && piece) setup.pieces.set(to, piece);
      return setup;
    });
  }
}
