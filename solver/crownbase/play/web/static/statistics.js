// What the tables hold: wins, draws and losses of each slice, and the distances of one.

import * as api from "./api.js";
import { element } from "./panel.js";

const NS = "http://www.w3.org/2000/svg";

export async function showStatistics(place, app) {
  place.replaceChildren(element("p", { className: "hint", textContent: "…" }));
  const { ok, body } = await api.stats(app.rules.key);
  if (!ok) {
    place.replaceChildren(element("p", { textContent: body.error }));
    return;
  }
  const graph = element("div");
  const table = element("table");
  const head = element("tr");
  for (const name of ["slice", "positions", "won, drawn, lost", "longest"]) {
    head.append(element("th", { textContent: name, scope: "col" }));
  }
  table.append(element("thead", {}, head));
  const rows = element("tbody");
  for (const one of body.slices) rows.append(sliceRow(one, app, graph));
  table.append(rows);
  const hint = "Counts are of the side to move, on the left of the name.";
  place.replaceChildren(
    element("p", { className: "hint", textContent: hint }),
    graph,
    element("div", { className: "scroll", tabIndex: 0 }, table),
  );
}

function sliceRow(one, app, graph) {
  const name = element("button", { type: "button", textContent: one.material });
  name.addEventListener("click", () => showHistogram(graph, one, app));
  const share = (count) => `${((100 * count) / one.positions).toFixed(1)} %`;
  const words = `${share(one.wins)} won, ${share(one.draws)} drawn, ${share(one.losses)} lost`;
  const bar = element("div", { className: "bar", title: words });
  bar.setAttribute("role", "img");
  bar.ariaLabel = words;
  for (const [part, count] of [["w", one.wins], ["d", one.draws], ["l", one.losses]]) {
    const piece = element("i", { className: part });
    piece.style.width = `${(100 * count) / one.positions}%`;
    bar.append(piece);
  }
  const longest = element("td");
  if (one.max_dtw_fen) {
    const link = element("a", {
      href: app.address(one.max_dtw_fen),
      textContent: `${one.max_dtw} plies`,
    });
    link.addEventListener("click", (event) => app.follow(event, one.max_dtw_fen));
    longest.append(link);
  } else longest.append(one.max_dtw ?? "");
  return element(
    "tr",
    {},
    element("td", {}, name),
    element("td", { textContent: one.positions.toLocaleString("en") }),
    element("td", {}, bar),
    longest,
  );
}

async function showHistogram(place, one, app) {
  place.replaceChildren(element("p", { className: "hint", textContent: "counting …" }));
  const metric = app.rules.metrics.includes("dtw") ? "dtw" : "dtc";
  const { ok, body } = await api.histogram(app.rules.key, one.material, metric);
  if (!ok) {
    place.replaceChildren(element("p", { textContent: body.error }));
    return;
  }
  const kind = metric === "dtw" ? "end of the game" : "next conversion";
  const title = `${one.material}: plies to the ${kind}`;
  place.replaceChildren(element("h2", { textContent: title }), drawHistogram(body.histogram));
}

function drawHistogram({ wins, losses }) {
  const longest = Math.max(1, ...[...wins, ...losses].map(([plies]) => plies));
  const most = Math.max(1, ...[...wins, ...losses].map(([, count]) => count));
  const width = 600;
  const height = 150;
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height + 18}`);
  svg.setAttribute("class", "histogram");
  svg.setAttribute("role", "img");
  const add = (name, attributes, text) => {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    svg.append(made);
  };
  add("title", {}, `Wins up to ${longest} plies, by distance`);
  const step = width / (longest + 1);
  for (const [values, colour] of [[wins, "#2c8a4b"], [losses, "#c0392b"]]) {
    for (const [plies, count] of values) {
      // the fourth root shows rare distances, too
      const tall = height * (count / most) ** 0.25;
      const place = { x: plies * step, y: height - tall, width: Math.max(step * 0.8, 1) };
      add("rect", { ...place, height: tall, fill: colour });
    }
  }
  const every = Math.max(1, Math.ceil(longest / 12));
  for (let plies = 0; plies <= longest; plies += every) {
    add("text", { x: plies * step, y: height + 13 }, plies);
  }
  const hint = "Green: won by the side to move; red: lost. Heights are fourth roots of the counts.";
  return element("div", {}, svg, element("p", { className: "hint", textContent: hint }));
}
