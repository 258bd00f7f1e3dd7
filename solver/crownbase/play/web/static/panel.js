// The panel: what the tables say of the position, and its moves in groups.

import { moveText } from "./position.js";

const GROUPS = [
  ["Winning moves", ["win"]],
  ["Wins that the draw clock spoils", ["cursed-win"]],
  ["Drawing moves", ["draw"]],
  ["Losses that the draw clock saves", ["blessed-loss"]],
  ["Losing moves", ["loss"]],
  ["Unknown", ["unknown"]],
];

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function showStatus(answer, status, reasons) {
  document.getElementById("status").textContent = status ?? answer.words.status;
  const found = [...(reasons ?? answer?.words.reasons ?? [])];
  if (answer?.missing?.length) {
    found.push(`Missing here: ${answer.missing.join(", ")}.`);
    if (answer.command) found.push(`They are made with: ${answer.command}`);
  }
  const lines = found.map((text) => element("p", { textContent: text }));
  document.getElementById("reasons").replaceChildren(...lines);
}

// Moves in groups. hears: { play(move), point(move or null) }.
export function movesView(answer, rules, letters, hears) {
  const view = element("div");
  if (!answer.moves.length) view.append(element("p", { textContent: "No legal move." }));
  for (const [title, outcomes] of GROUPS) {
    const moves = answer.moves.filter((move) => outcomes.includes(move.outcome));
    if (!moves.length) continue;
    const list = element("ul", { className: `moves ${outcomes[0]}` });
    for (const move of moves) list.append(moveRow(move, rules, letters, hears));
    view.append(element("h2", { textContent: `${title} (${moves.length})` }), list);
  }
  return view;
}

function moveRow(move, rules, letters, hears) {
  const button = element("button", { type: "button" });
  button.append(element("b", { textContent: moveText(rules, move.pdn, letters) }));
  const told = distance(move);
  if (told) button.append(" ", element("span", { className: "plies", textContent: told }));
  button.addEventListener("click", () => hears.play(move));
  for (const event of ["pointerenter", "focus"]) {
    button.addEventListener(event, () => hears.point(move));
  }
  for (const event of ["pointerleave", "blur"]) {
    button.addEventListener(event, () => hears.point(null));
  }
  return element("li", {}, button);
}

// Plies with the move itself, as people count.
function distance(move) {
  if (move.outcome === "draw" || move.outcome === "unknown") return "";
  const parts = [];
  if (move.dtw !== null) parts.push(`${Math.abs(move.dtw) + 1} plies`);
  if (move.conversion) parts.push("converts");
  else if (move.dtc !== null) parts.push(`conversion in ${Math.abs(move.dtc) + 1}`);
  return parts.join(", ");
}
