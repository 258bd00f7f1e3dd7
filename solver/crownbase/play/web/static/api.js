// Questions to the server. Answers to the same question are kept; a newer question of the same
// kind ends the one before.

const kept = new Map();
const running = new Map();
const MOST_KEPT = 500;

async function ask(kind, url, options = {}) {
  if (!options.body && kept.has(url)) {
    running.get(kind)?.abort();
    return kept.get(url);
  }
  running.get(kind)?.abort();
  const control = new AbortController();
  running.set(kind, control);
  const response = await fetch(url, { ...options, signal: control.signal });
  const found = { status: response.status, ok: response.ok, body: await response.json() };
  if (!options.body && (response.ok || response.status === 404)) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
    kept.set(url, found);
  }
  return found;
}

const query = (fen) => `fen=${encodeURIComponent(fen)}`;

export const probe = (rules, fen) => ask("probe", `/${rules}?${query(fen)}`);
export const check = (rules, fen) => ask("check", `/${rules}?${query(fen)}`);
export const mainline = (rules, fen) => ask("line", `/${rules}/mainline?${query(fen)}`);
export const stats = (rules) => ask("stats", `/${rules}/stats`);
export const histogram = (rules, material, metric) =>
  ask("histogram", `/${rules}/stats?material=${material}&metric=${metric}`);
export const gallery = () => ask("gallery", "/static/gallery.json");
export const play = (rules, asked) =>
  ask("play", `/${rules}/play`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(asked),
  });

export const wasStopped = (error) => error.name === "AbortError";
