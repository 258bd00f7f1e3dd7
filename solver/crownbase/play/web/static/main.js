// The explorer: one position is shown; its address is the page's, so that Back and links work.

import * as api from "./api.js";
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { showGallery } from "./gallery.js";
import { LineView } from "./line.js";
import { element, movesView, showStatus } from "./panel.js";
import { moveText, Setup } from "./position.js";
import { showStatistics } from "./statistics.js";

const ruleSets = JSON.parse(document.getElementById("rule-sets").textContent);
const byId = (id) => document.getElementById(id);

class App {
  constructor() {
    this.flipped = false;
    this.letters = false;
    this.tab = "moves";
    this.history = []; // FENs of the game so far, for the player
    this.computer = null; // the side that the perfect player has
    this.chosen = null;
    this.board = new Board(byId("board"), {
      pick: (square) => this.pick(square),
      drop: (from, to) => this.drop(from, to),
    });
    this.editor = new Editor(this, byId("editor"));
    this.line = new LineView(this);
    this.buildTools();
    this.buildTabs();
    this.listen();
    this.readAddress();
  }

  // -- where we are ------------------------------------------------------------------------------

  address(fen, rules = this.rules.key) {
    const plain = encodeURIComponent(fen).replaceAll("%3A", ":").replaceAll("%2C", ",");
    return `/?rules=${rules}&fen=${plain}`;
  }

  readAddress() {
    const asked = new URLSearchParams(location.search);
    const rules = ruleSets.find((one) => one.key === asked.get("rules"));
    this.setRules(rules ?? ruleSets.find((one) => one.key === byId("rules").value));
    this.load(byId("fen").value === "" ? this.rules.start : asked.get("fen") || byId("fen").value);
  }

  setRules(rules) {
    if (this.rules !== rules) this.letters = rules.letters;
    this.rules = rules;
    byId("rules").value = rules.key;
  }

  // Go to a position as a new step of the browser's history.
  go(fen, rules = this.rules.key) {
    const address = this.address(fen, rules);
    if (address !== location.pathname + location.search) history.pushState(null, "", address);
    this.load(fen);
  }

  // Go there without a step of its own: the best line is played back.
  visit(fen) {
    history.replaceState(null, "", this.address(fen));
    this.load(fen, true);
  }

  follow(event, fen) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.newGame();
    this.tab = "moves";
    this.go(fen);
  }

  newGame() {
    this.history = [];
    this.setComputer(null);
  }

  async load(fen, keepLine = false) {
    this.fen = fen;
    if (!keepLine) this.line.stop();
    let found;
    try {
      found = await api.probe(this.rules.key, fen);
    } catch (error) {
      if (!api.wasStopped(error)) this.fault("The server does not answer.");
      return;
    }
    this.answer = found.body.moves ? found.body : null;
    if (!this.answer) {
      this.fault(found.body.error);
      return;
    }
    this.fen = this.answer.fen;
    this.setup = Setup.read(this.rules, this.answer.fen);
    byId("fen").value = this.answer.fen;
    document.title = `${this.answer.fen} - ${this.rules.title}`;
    this.tell("");
    this.show(keepLine);
    this.answerMove();
  }

  fault(text) {
    this.tell(text);
    if (!this.setup) {
      this.setup = new Setup(this.rules);
      this.board.show(this.setup, this);
    }
    showStatus(null, "No position", [text]);
    if (this.tab === "moves") byId("view").replaceChildren();
  }

  tell(text) {
    byId("fen-fault").textContent = text;
    byId("fen").classList.toggle("bad", Boolean(text));
    byId("fen").classList.toggle("good", !text);
  }

  show(keepLine = false) {
    this.board.show(this.setup, this);
    this.choose(null);
    showStatus(this.answer);
    if (!keepLine) this.showTab();
  }

  showTab() {
    const view = byId("view");
    for (const [name, button] of Object.entries(this.tabs)) {
      button.ariaSelected = name === this.tab;
      button.tabIndex = name === this.tab ? 0 : -1;
    }
    view.setAttribute("aria-labelledby", `tab-${this.tab}`);
    const failed = (error) => {
      if (!api.wasStopped(error)) view.replaceChildren(element("p", { textContent: `${error}` }));
    };
    if (this.tab === "moves" && this.answer) {
      const hears = {
        play: (move) => this.play(move),
        point: (move) => this.board.point(move?.squares),
      };
      view.replaceChildren(movesView(this.answer, this.rules, this.letters, hears));
    } else if (this.tab === "line") this.line.show(view).catch(failed);
    else if (this.tab === "gallery") showGallery(view, this).catch(failed);
    else if (this.tab === "statistics") showStatistics(view, this).catch(failed);
  }

  // -- moves -------------------------------------------------------------------------------------

  play(move) {
    this.board.point(null);
    this.history.push(this.fen);
    this.go(move.fen);
  }

  choose(square) {
    this.chosen = square;
    const moves = this.answer?.moves.filter((move) => move.squares[0] === square) ?? [];
    this.board.mark(square, [...new Set(moves.map((move) => move.squares.at(-1)))]);
    byId("chooser").hidden = true;
  }

  pick(square) {
    if (this.editor.open) {
      this.editor.pick(square);
      return;
    }
    if (this.chosen !== null && this.tryMove(this.chosen, square)) return;
    const movable = this.answer?.moves.some((move) => move.squares[0] === square);
    this.choose(movable && square !== this.chosen ? square : null);
  }

  drop(from, to) {
    if (this.editor.open) this.editor.drop(from, to);
    else if (!to || !this.tryMove(from, to)) this.show(true);
  }

  // Play what goes from one square to another; where several captures do, ask which.
  tryMove(from, to) {
    const fitting = (this.answer?.moves ?? []).filter(
      (move) => move.squares[0] === from && move.squares.at(-1) === to,
    );
    if (!fitting.length) return false;
    if (fitting.length === 1) {
      this.play(fitting[0]);
      return true;
    }
    this.choose(from);
    const place = byId("chooser");
    const buttons = fitting.map((move) => {
      const button = element("button", { type: "button" });
      button.textContent = moveText(this.rules, move.hub, this.letters);
      button.addEventListener("click", () => this.play(move));
      button.addEventListener("pointerenter", () => this.board.point(move.squares));
      return button;
    });
    place.replaceChildren("Which capture? ", element("span", { className: "row" }, ...buttons));
    place.hidden = false;
    buttons[0].focus();
    return true;
  }

  // -- setting up --------------------------------------------------------------------------------

  edited(setup) {
    this.setup = setup;
    this.newGame();
    this.board.show(setup, this);
    this.go(setup.fen());
  }

  // -- the perfect player ------------------------------------------------------------------------

  setComputer(side) {
    this.computer = side;
    this.playButton.ariaPressed = side !== null;
    this.playButton.textContent = side ? "Stop playing" : "Play against the perfect player";
  }

  togglePlayer() {
    if (this.computer) {
      this.setComputer(null);
      return;
    }
    this.history = [];
    this.setComputer(this.answer?.turn === "W" ? "B" : "W");
    const mine = this.computer === "W" ? "Black" : "White";
    showStatus(this.answer, `You play ${mine}: make a move on the board`);
    this.answerMove();
  }

  async answerMove() {
    if (!this.computer || this.answer?.turn !== this.computer || !this.answer.moves.length) return;
    const asked = { fen: this.fen, history: this.history };
    try {
      const { ok, body } = await api.play(this.rules.key, asked);
      if (!ok || this.fen !== asked.fen || !this.computer) return;
      this.history.push(this.fen);
      await this.loadAs(body.move.fen);
      const text = moveText(this.rules, body.move.pdn, this.letters);
      showStatus(this.answer, `${text}. ${body.why}`);
    } catch (error) {
      if (!api.wasStopped(error)) this.fault("The server does not answer.");
    }
  }

  loadAs(fen) {
    history.pushState(null, "", this.address(fen));
    return this.load(fen);
  }

  // -- building ----------------------------------------------------------------------------------

  buildTools() {
    const place = byId("tools");
    const button = (text, act) => {
      const made = element("button", { type: "button", textContent: text });
      made.addEventListener("click", () => act(made));
      return made;
    };
    this.playButton = button("Play against the perfect player", () => this.togglePlayer());
    this.editButton = button("Edit", (made) => {
      this.editor.toggle();
      made.ariaPressed = this.editor.open;
      this.choose(null);
    });
    const row = element("div", { className: "row" });
    row.append(
      this.editButton,
      button("Flip", () => this.flip()),
      button("1 / a1", () => {
        this.letters = !this.letters;
        this.show();
      }),
      button("New game", () => {
        this.newGame();
        this.go(this.rules.start);
      }),
      this.playButton,
    );
    const hint = "Keys: f flips the board, space plays the best move, arrows walk on the board.";
    place.replaceChildren(row, element("p", { className: "hint", textContent: hint }));
    place.hidden = false;
  }

  buildTabs() {
    const place = byId("tabs");
    place.className = "row";
    place.setAttribute("role", "tablist");
    const names = { moves: "Moves", line: "Best line", gallery: "Endings", statistics: "Statistics" };
    this.tabs = {};
    for (const [name, title] of Object.entries(names)) {
      const tab = element("button", { type: "button", id: `tab-${name}`, textContent: title });
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", "view");
      tab.addEventListener("click", () => {
        this.tab = name;
        this.line.stop();
        this.showTab();
      });
      this.tabs[name] = tab;
      place.append(tab);
    }
    place.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.stopPropagation();
      const all = Object.values(this.tabs);
      const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
      next.focus();
      next.click();
    });
    byId("view").setAttribute("role", "tabpanel");
    place.hidden = false;
  }

  flip() {
    this.flipped = !this.flipped;
    this.board.show(this.setup, this);
    this.choose(null);
  }

  listen() {
    addEventListener("popstate", () => {
      this.newGame();
      this.readAddress();
    });
    byId("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      this.newGame();
      this.go(byId("fen").value.trim() || "start");
    });
    byId("rules").addEventListener("change", async () => {
      this.newGame();
      this.setRules(ruleSets.find((one) => one.key === byId("rules").value));
      const { body } = await api.gallery();
      const first = body.find((one) => one.rules === this.rules.key);
      this.go(first?.fen ?? this.rules.start);
    });
    let waiting = null;
    byId("fen").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.checkFen(), 150);
    });
    addEventListener("keydown", (event) => this.key(event));
  }

  async checkFen() {
    try {
      const { body } = await api.check(this.rules.key, byId("fen").value.trim());
      this.tell(body.moves ? "" : body.error);
    } catch (error) {
      if (!api.wasStopped(error)) this.tell("The server does not answer.");
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target;
    if (at.closest("input, select, textarea")) return;
    if (event.key === "f") this.flip();
    else if (event.key === "Escape") this.choose(null);
    else if (event.key === " " && !at.closest("button, a") && this.answer?.moves.length) {
      event.preventDefault();
      this.play(this.answer.moves[0]);
    }
  }
}

window.explorer = new App();
