// The best line: played back step by step, or taken away as PDN.

import * as api from "./api.js";
import { element } from "./panel.js";
import { moveText } from "./position.js";

const PAUSE = 700; // milliseconds between moves

export class LineView {
  // app: what shows positions; see main.js.
  constructor(app) {
    this.app = app;
    this.timer = null;
  }

  async show(place) {
    this.stop();
    const { rules, fen } = this.app;
    place.replaceChildren(element("p", { className: "hint", textContent: "…" }));
    const { ok, body } = await api.mainline(rules.key, fen);
    if (!ok) {
      place.replaceChildren(element("p", { textContent: body.error }));
      return;
    }
    this.steps = body.mainline;
    this.fens = [body.fen, ...body.mainline.map((step) => step.fen)];
    this.pdn = body.pdn;
    this.at = 0;
    this.build(place, body);
  }

  build(place, body) {
    const button = (text, label, act) => {
      const made = element("button", { type: "button", textContent: text, ariaLabel: label });
      made.addEventListener("click", act);
      return made;
    };
    this.player = button("▶", "Play", () => this.toggle());
    const file = element("a", {
      textContent: "PDN",
      download: "line.pdn",
      href: URL.createObjectURL(new Blob([this.pdn], { type: "application/vnd.pdn" })),
    });
    const row = element("div", { className: "row" });
    row.append(
      button("⏮", "First position", () => this.go(0)),
      button("◀", "One move back", () => this.go(this.at - 1)),
      this.player,
      button("▷", "One move on", () => this.go(this.at + 1)),
      button("⏭", "Last position", () => this.go(this.fens.length - 1)),
      file,
    );
    const moves = element("div", { className: "line" });
    this.buttons = this.steps.map((step, index) => {
      const made = button(moveText(this.app.rules, step.pdn, this.app.letters), null, () =>
        this.go(index + 1),
      );
      made.removeAttribute("aria-label");
      return made;
    });
    const first = body.turn === this.app.rules.first ? 0 : 1;
    this.buttons.forEach((made, index) => {
      if ((index + first) % 2 === 0 || index === 0) {
        moves.append(`${Math.floor((index + first) / 2) + 1}${(index + first) % 2 ? "..." : "."} `);
      }
      moves.append(made, " ");
    });
    const words = `${this.steps.length} plies by both sides' best moves`;
    place.replaceChildren(row, element("p", { className: "hint", textContent: words }), moves);
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.fens.length - 1));
    this.buttons.forEach((button, index) => {
      if (index === this.at - 1) button.ariaCurrent = "step";
      else button.removeAttribute("aria-current");
    });
    this.app.visit(this.fens[this.at]);
    if (this.at === this.fens.length - 1) this.stop();
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.at === this.fens.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), PAUSE);
    this.player.textContent = "⏸";
    this.player.ariaLabel = "Pause";
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.player) {
      this.player.textContent = "▶";
      this.player.ariaLabel = "Play";
    }
  }
}
