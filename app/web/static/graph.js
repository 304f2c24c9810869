// The graph: arrow keys walk, Enter opens, f focuses, Esc hides; hover or focus shows the edges of a node.
// One tab stop: the node last walked to. What is drawn, and where, comes from the server.
import { bindKey } from "./keys.js";
import { around, say, swap, the } from "./live.js";

/** @typedef {SVGAElement} Node */
/** @type {() => SVGSVGElement | null} */
const drawing = () => document.querySelector("svg.drawing");
/** @type {() => Node[]} */
const nodes = () => Array.from(document.querySelectorAll("svg .node"));
const MOST_SHOWN = 6;

/** @param {Node} node */
const place = (node) => (node.dataset.at ?? "").split(" ").map(Number);
/** @param {Node} node */
const top = (node) => node.getBoundingClientRect().top;

/**
 * One node takes the tab key; the others are reached by arrows.
 * @param {Node} node
 */
function hold(node, { focus = false } = {}) {
  for (const one of nodes()) one.setAttribute("tabindex", one === node ? "0" : "-1");
  if (focus) {
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

function prepare() {
  const all = nodes();
  if (!all.length) return;
  const middle = all.find((one) => one.matches(".focus")) ?? all[0];
  hold(all.find((one) => one === document.activeElement) ?? middle);
  // The focus is in the middle of what is seen.
  const view = the("canvas", HTMLElement);
  const [box, seen] = [middle.getBoundingClientRect(), view.getBoundingClientRect()];
  view.scrollLeft += box.left + box.width / 2 - seen.left - seen.width / 2;
  view.scrollTop += box.top + box.height / 2 - seen.top - seen.height / 2;
}

/**
 * @param {Node} node
 * @param {string} key of an arrow
 */
function neighbour(node, key) {
  const [column, row] = place(node);
  const others = nodes().filter((one) => one !== node);
  /** @param {Node} one */
  const rows = (one) => Math.abs(top(one) - top(node));
  if (key === "ArrowUp" || key === "ArrowDown") {
    const wanted = row + (key === "ArrowDown" ? 1 : -1);
    return others.find((one) => place(one)[0] === column && place(one)[1] === wanted);
  }
  const wanted = column + (key === "ArrowRight" ? 1 : -1);
  const there = others.filter((one) => place(one)[0] === wanted);
  return there.sort((one, other) => rows(one) - rows(other))[0];
}

/** @param {Node} node */
function show(node) {
  const number = node.id.slice(1);
  const info = the("edge-info", HTMLElement);
  /** @type {string[][]} */
  const lines = [];
  drawing()?.classList.add("walking");
  /** @type {NodeListOf<SVGElement>} */
  const edges = document.querySelectorAll("svg .edge");
  for (const edge of edges) {
    const on = edge.dataset.a === number || edge.dataset.b === number;
    edge.classList.toggle("on", on);
    if (!on) continue;
    const other = document.getElementById(`n${edge.dataset.a === number ? edge.dataset.b : edge.dataset.a}`);
    lines.push([edge.dataset.a === number ? "→" : "←", named(other), edge.dataset.say ?? ""]);
  }
  info.replaceChildren(
    ...lines.slice(0, MOST_SHOWN).map(([arrow, name, said]) => {
      const line = document.createElement("p");
      const strong = document.createElement("strong");
      strong.textContent = `${arrow} ${name} `;
      line.append(strong, said);
      return line;
    }),
  );
  if (lines.length > MOST_SHOWN) info.append(`and ${lines.length - MOST_SHOWN} more edges`);
  info.hidden = !lines.length;
}

function hide() {
  drawing()?.classList.remove("walking");
  const info = document.getElementById("edge-info");
  if (info) info.hidden = true;
}

/** @param {Element | null} node */
const named = (node) => (node?.getAttribute("aria-label") ?? "").replace(", opened", "");
/** @type {(target: EventTarget | null) => Node | null} */
const asNode = (target) => around(target, "svg .node");

document.addEventListener("mouseover", (event) => {
  const node = asNode(event.target);
  if (node) show(node);
});
document.addEventListener("mouseout", (event) => {
  if (asNode(event.target) && !asNode(event.relatedTarget)) hide();
});
document.addEventListener("focusin", (event) => {
  const node = asNode(event.target);
  if (!node) return hide();
  hold(node);
  if (node.matches(":focus-visible")) show(node);
});

/** @param {Node} link */
async function go(link) {
  const key = named(link);
  const { node, more } = link.dataset;
  // The server says what the address is then.
  const address = `?${drawing()?.dataset.state}&toggle=${encodeURIComponent(node ?? more ?? "")}`;
  const came = await swap(address, { region: "walk", write: "push" });
  const fresh = drawing();
  if (!came || !fresh) return;
  history.replaceState({}, "", `?${fresh.dataset.state}`);
  const again = nodes().find((one) => named(one) === key);
  if (again) hold(again, { focus: true });
}

document.addEventListener("keydown", (event) => {
  const node = asNode(event.target);
  if (event.key === "Escape") hide();
  if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    const next = neighbour(node, event.key);
    if (next) hold(next, { focus: true });
    else say("nothing further there");
  }
});
bindKey("f", () => {
  const node = asNode(document.activeElement);
  if (!node?.dataset.node) return;
  const about = new URLSearchParams(drawing()?.dataset.about);
  about.set("focus", node.dataset.node);
  location.assign(`?${about}`);
});

let dragged = false;
document.addEventListener("click", (event) => {
  const link = asNode(event.target);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (dragged) return;
  go(link);
});

// Hold the ground and pull, as maps are moved.
document.addEventListener("pointerdown", (event) => {
  const view = around(event.target, "#canvas");
  dragged = false;
  if (!view || event.pointerType !== "mouse" || event.button) return;
  const from = [event.clientX, event.clientY, view.scrollLeft, view.scrollTop];
  /** @param {PointerEvent} moved */
  const move = (moved) => {
    const [x, y] = [moved.clientX - from[0], moved.clientY - from[1]];
    if (!dragged && Math.hypot(x, y) < 5) return;
    dragged = true;
    view.classList.add("held");
    view.scrollLeft = from[2] - x;
    view.scrollTop = from[3] - y;
  };
  document.addEventListener("pointermove", move);
  document.addEventListener(
    "pointerup",
    () => {
      document.removeEventListener("pointermove", move);
      view.classList.remove("held");
    },
    { once: true },
  );
});
document.addEventListener("dragstart", (event) => {
  if (asNode(event.target)) event.preventDefault();
});

document.addEventListener("input", (event) => {
  const range = event.target;
  if (!(range instanceof HTMLInputElement) || range.id !== "min") return;
  const shown = range.nextElementSibling;
  if (shown instanceof HTMLOutputElement) shown.value = Number(range.value).toFixed(2);
});
document.addEventListener("outfitter:drawn", prepare);
prepare();
