// The graph: arrow keys walk, Enter opens, f focuses, Esc hides; hover or focus shows the edges of a node.
// One tab stop: the node last walked to. What is drawn, and where, comes from the server.
import { bindKey } from "./keys.js";
import { say, swap } from "./live.js";

const canvas = () => document.getElementById("canvas");
const drawing = () => document.querySelector("svg.drawing");
const nodes = () => [...document.querySelectorAll("svg .node")];
const MOST_SHOWN = 6;

const place = (node) => node.dataset.at.split(" ").map(Number);
const top = (node) => node.getBoundingClientRect().top;

/** One node takes the tab key; the others are reached by arrows. */
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
  const middle = document.querySelector("svg .node.focus") ?? all[0];
  hold(all.includes(document.activeElement) ? document.activeElement : middle);
  // The focus is in the middle of what is seen.
  const view = canvas();
  const [box, seen] = [middle.getBoundingClientRect(), view.getBoundingClientRect()];
  view.scrollLeft += box.left + box.width / 2 - seen.left - seen.width / 2;
  view.scrollTop += box.top + box.height / 2 - seen.top - seen.height / 2;
}

function neighbour(node, key) {
  const [column, row] = place(node);
  const others = nodes().filter((one) => one !== node);
  const rows = (one) => Math.abs(top(one) - top(node));
  if (key === "ArrowUp" || key === "ArrowDown") {
    const wanted = row + (key === "ArrowDown" ? 1 : -1);
    return others.find((one) => place(one)[0] === column && place(one)[1] === wanted);
  }
  const wanted = column + (key === "ArrowRight" ? 1 : -1);
  const there = others.filter((one) => place(one)[0] === wanted);
  return there.sort((one, other) => rows(one) - rows(other))[0];
}

function show(node) {
  const number = node.id.slice(1);
  const info = document.getElementById("edge-info");
  const lines = [];
  drawing().classList.add("walking");
  for (const edge of document.querySelectorAll("svg .edge")) {
    const on = edge.dataset.a === number || edge.dataset.b === number;
    edge.classList.toggle("on", on);
    if (!on) continue;
    const other = document.getElementById(`n${edge.dataset.a === number ? edge.dataset.b : edge.dataset.a}`);
    lines.push([edge.dataset.a === number ? "→" : "←", named(other), edge.dataset.say]);
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

const named = (node) => node.getAttribute("aria-label").replace(", opened", "");
const asNode = (event) => event.target.closest?.("svg .node");

document.addEventListener("mouseover", (event) => {
  const node = asNode(event);
  if (node) show(node);
});
document.addEventListener("mouseout", (event) => {
  if (asNode(event) && !asNode({ target: event.relatedTarget ?? document.body })) hide();
});
document.addEventListener("focusin", (event) => {
  const node = asNode(event);
  if (!node) return hide();
  hold(node);
  if (node.matches(":focus-visible")) show(node);
});

async function go(link) {
  const key = named(link);
  const { node, more } = link.dataset;
  // The server says what the address is then.
  const address = `?${drawing().dataset.state}&toggle=${encodeURIComponent(node ?? more)}`;
  const came = await swap(address, { region: "walk", write: "push" });
  if (!came) return;
  history.replaceState({}, "", `?${drawing().dataset.state}`);
  const again = nodes().find((one) => named(one) === key);
  if (again) hold(again, { focus: true });
}

document.addEventListener("keydown", (event) => {
  const node = asNode(event);
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
  const node = document.activeElement?.closest?.("svg .node[data-node]");
  if (!node) return;
  const about = new URLSearchParams(drawing().dataset.about);
  about.set("focus", node.dataset.node);
  location.assign(`?${about}`);
});

let dragged = false;
document.addEventListener("click", (event) => {
  const link = asNode(event);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  if (dragged) return;
  go(link);
});

// Hold the ground and pull, as maps are moved.
document.addEventListener("pointerdown", (event) => {
  const view = event.target.closest?.("#canvas");
  dragged = false;
  if (!view || event.pointerType !== "mouse" || event.button) return;
  const from = [event.clientX, event.clientY, view.scrollLeft, view.scrollTop];
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
  if (asNode(event)) event.preventDefault();
});

document.addEventListener("input", (event) => {
  if (event.target.id === "min") event.target.nextElementSibling.value = Number(event.target.value).toFixed(2);
});
document.addEventListener("outfitter:drawn", prepare);
prepare();
