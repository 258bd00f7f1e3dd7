// Known endings of the rule set.

import * as api from "./api.js";
import { element } from "./panel.js";

const WORDS = { win: "to move and win", draw: "draw", loss: "to move and lose" };

export async function showGallery(place, app) {
  const { body } = await api.gallery();
  const list = element("ul", { className: "moves" });
  for (const ending of body.filter((one) => one.rules === app.rules.key)) {
    const link = element("a", { href: app.address(ending.fen) });
    const words = `${ending.fen}, ${WORDS[ending.value]}`;
    link.append(
      element("b", { textContent: ending.name }),
      " ",
      element("span", { className: "plies", textContent: words }),
    );
    link.title = ending.source;
    link.addEventListener("click", (event) => app.follow(event, ending.fen));
    list.append(element("li", {}, link));
  }
  if (!list.children.length) {
    place.replaceChildren(element("p", { textContent: "No known ending of these rules yet." }));
  } else place.replaceChildren(list);
}
