// The board: a drawing in SVG, and over it a button for each square, for hand, mouse and keys.

import { PIECE_NAMES, squareName } from "./position.js";

const SIDE = 40;
const MARGIN = 16;
const CROWN = "M-9 6 L-11 -6 L-5 0 L0 -9 L5 0 L11 -6 L9 6 Z";
const FILES = "abcdefghijklmnopqrstuvwxyz";
const NS = "http://www.w3.org/2000/svg";

function draw(name, attributes, parent, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

export class Board {
  // place: the element to draw in; hears: { pick(square), drop(from, to or null) }.
  constructor(place, hears) {
    this.place = place;
    this.hears = hears;
    this.cells = new Map();
    this.flipped = false;
    this.letters = false;
    this.arrow = null;
    place.addEventListener("keydown", (event) => this.walk(event));
    place.addEventListener("pointerdown", (event) => this.grab(event));
  }

  // Draw everything anew; options: { flipped, letters }.
  show(setup, { flipped, letters }) {
    const changed =
      this.setup?.rules !== setup.rules || this.flipped !== flipped || this.letters !== letters;
    this.setup = setup;
    this.flipped = flipped;
    this.letters = letters;
    if (changed || !this.svg?.isConnected) this.build();
    this.layer.replaceChildren();
    for (const [square, piece] of setup.pieces) this.drawPiece(square, piece);
    for (const [square, cell] of this.cells) cell.ariaLabel = this.label(square);
    this.mark(null, []);
  }

  get margin() {
    return this.letters ? MARGIN : 0;
  }

  corner(square) {
    const { rows, columns, coordinates } = this.setup.rules;
    let [row, column] = coordinates[square - 1];
    if (this.flipped) [row, column] = [rows - 1 - row, columns - 1 - column];
    return [this.margin + column * SIDE, row * SIDE, row, column];
  }

  build() {
    const { rows, columns, coordinates, orthogonal } = this.setup.rules;
    const across = columns * SIDE + this.margin;
    const down = rows * SIDE + this.margin;
    const hadFocus = this.place.contains(document.activeElement);
    this.place.replaceChildren();
    this.svg = draw("svg", { viewBox: `0 0 ${across} ${down}`, "aria-hidden": "true" }, this.place);
    draw(
      "rect",
      { class: "light", x: this.margin, width: columns * SIDE, height: rows * SIDE },
      this.svg,
    );
    const style = document.createElementNS(NS, "style");
    style.textContent =
      ".number{font:9px sans-serif;fill:#10181d}.white{fill:#fffdf5;stroke:#3a3226}" +
      ".black{fill:#3a3a3f;stroke:#0c0c0f}.crown{fill:none;stroke-width:2.4}" +
      ".white+.crown{stroke:#9a6b00}.black+.crown{stroke:#ffd257}" +
      ".arrow{stroke:#b0460e;stroke-width:5;opacity:.85;fill:none}";
    this.svg.append(style);
    coordinates.forEach(([row, column], index) => {
      const [x, y] = this.corner(index + 1);
      if (!orthogonal || (row + column) % 2 === 0)
        draw("rect", { class: "dark", x, y, width: SIDE, height: SIDE }, this.svg);
      if (!this.letters) draw("text", { class: "number", x: x + 2, y: y + 9 }, this.svg, index + 1);
    });
    if (this.letters) this.buildLabels(rows, columns);
    this.layer = draw("g", {}, this.svg);
    this.buildCells(across, down);
    if (hadFocus) this.cells.get(this.current)?.focus();
  }

  buildLabels(rows, columns) {
    for (let row = 0; row < rows; row++) {
      const y = row * SIDE + SIDE / 2 + 3;
      const rank = this.flipped ? row + 1 : rows - row;
      draw("text", { class: "number label", x: 3, y }, this.svg, rank);
    }
    for (let column = 0; column < columns; column++) {
      const x = MARGIN + column * SIDE + SIDE / 2 - 3;
      const name = FILES[this.flipped ? columns - 1 - column : column];
      draw("text", { class: "number label", x, y: rows * SIDE + 11 }, this.svg, name);
    }
  }

  buildCells(across, down) {
    this.cells.clear();
    const order = [...this.setup.rules.coordinates.keys()];
    if (this.flipped) order.reverse();
    for (const index of order) {
      const square = index + 1;
      const [x, y] = this.corner(square);
      const cell = document.createElement("button");
      cell.type = "button";
      cell.className = "cell";
      cell.dataset.square = square;
      cell.tabIndex = -1;
      cell.style.cssText =
        `left:${(100 * x) / across}%;top:${(100 * y) / down}%;` +
        `width:${(100 * SIDE) / across}%;height:${(100 * SIDE) / down}%`;
      cell.addEventListener("click", (event) => {
        if (event.detail === 0) this.hears.pick(square); // by keys; hands are heard in grab()
      });
      this.cells.set(square, cell);
      this.place.append(cell);
    }
    this.current = this.cells.has(this.current) ? this.current : order[0] + 1;
    this.cells.get(this.current).tabIndex = 0;
  }

  label(square) {
    const name = squareName(this.setup.rules, square, this.letters);
    const piece = this.setup.pieces.get(square);
    return `${name}, ${piece ? PIECE_NAMES[piece] : "empty"}`;
  }

  drawPiece(square, piece) {
    const [x, y] = this.corner(square);
    const colour = piece.toLowerCase() === "w" ? "white" : "black";
    const group = draw(
      "g",
      { transform: `translate(${x + SIDE / 2} ${y + SIDE / 2})`, "data-square": square },
      this.layer,
    );
    draw("circle", { class: colour, r: 15 }, group);
    if (piece < "a") draw("path", { class: "crown", d: CROWN }, group);
  }

  // Mark the square that is chosen and those it can go to.
  mark(from, targets) {
    for (const [square, cell] of this.cells) {
      cell.classList.toggle("from", square === from);
      cell.classList.toggle("to", targets.includes(square));
    }
  }

  // An arrow along the squares of a move; null takes it away.
  point(squares) {
    this.arrow?.remove();
    this.arrow = null;
    if (!squares) return;
    const places = squares.map((square) => {
      const [x, y] = this.corner(square);
      return `${x + SIDE / 2} ${y + SIDE / 2}`;
    });
    this.arrow = draw("g", {}, this.svg);
    draw("path", { class: "arrow", d: `M${places.join(" L")}` }, this.arrow);
    const [x, y] = places.at(-1).split(" ");
    draw("circle", { class: "arrow", cx: x, cy: y, r: 5 }, this.arrow);
  }

  // The square that Tab comes to, and arrow keys start from.
  setCurrent(square) {
    const before = this.cells.get(this.current);
    if (before) before.tabIndex = -1;
    this.current = square;
    this.cells.get(square).tabIndex = 0;
  }

  focusOn(square) {
    this.setCurrent(square);
    this.cells.get(square).focus();
  }

  // Arrow keys go to the nearest playing square in their direction.
  walk(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    const square = Number(event.target.dataset?.square);
    if (!step || !square) return;
    event.preventDefault();
    event.stopPropagation();
    const [, , row, column] = this.corner(square);
    let best = null;
    for (const other of this.cells.keys()) {
      const [, , r, c] = this.corner(other);
      const along = (r - row) * step[0] + (c - column) * step[1];
      const aside = Math.abs((r - row) * step[1]) + Math.abs((c - column) * step[0]);
      if (along <= 0 || aside > 1) continue;
      const far = along * 2 + aside;
      if (!best || far < best.far) best = { far, other };
    }
    if (best) this.focusOn(best.other);
  }

  // A press is a pick; one that goes to another square with a piece in hand is a drop.
  grab(event) {
    const from = Number(event.target.dataset?.square);
    if (!from || event.button) return;
    event.preventDefault(); // no focus: the space bar stays what it is for the page
    document.activeElement?.blur();
    this.setCurrent(from);
    const held = this.layer.querySelector(`[data-square="${from}"]`);
    const begin = [event.clientX, event.clientY];
    let dragged = false;
    const scale = this.svg.viewBox.baseVal.width / this.svg.getBoundingClientRect().width;
    const move = (now) => {
      const dx = now.clientX - begin[0];
      const dy = now.clientY - begin[1];
      if (!dragged && Math.hypot(dx, dy) < 6) return;
      dragged = true;
      if (!held) return;
      const [x, y] = this.corner(from);
      const half = SIDE / 2;
      held.setAttribute(
        "transform",
        `translate(${x + half + dx * scale} ${y + half + dy * scale})`,
      );
      this.layer.append(held);
    };
    const end = (now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const over = document.elementFromPoint(now.clientX, now.clientY);
      const to = Number(over?.closest?.("#board .cell")?.dataset.square) || null;
      if (dragged && held && to !== from) {
        const [x, y] = this.corner(from);
        held.setAttribute("transform", `translate(${x + SIDE / 2} ${y + SIDE / 2})`);
        this.hears.drop(from, now.type === "pointercancel" ? from : to);
      } else {
        if (held) this.show(this.setup, this);
        this.hears.pick(from);
      }
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}
